// The command line and the messages for invalid calls.
#include <citestream/base/version.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/lines.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;

namespace {

/// One line, which names the command, and nothing on standard output.
void check_one_line(const run_result& run, const std::string& start) {
  CHECK(run.out.empty());
  CHECK(run.err.starts_with(start));
  CHECK(lines_of(run.err).size() == 1);
  CHECK(run.err.ends_with("\n"));
  CHECK_FALSE(run.err.ends_with(".\n"));
}

/// The words of every command, and of the program without one.
const std::vector<std::vector<std::string>> every_command{{},
                                                          {"check"},
                                                          {"check", "answer"},
                                                          {"check", "claims"},
                                                          {"check", "format"},
                                                          {"check", "sources"},
                                                          {"completion"},
                                                          {"diff"},
                                                          {"filter"},
                                                          {"help"},
                                                          {"instructions"},
                                                          {"load"},
                                                          {"play"},
                                                          {"proxy"},
                                                          {"replay"},
                                                          {"version"}};

std::vector<std::string> with_help(std::vector<std::string> words) {
  words.emplace_back("--help");
  return words;
}

}  // namespace

TEST_CASE("wrong usage is one line and exit code 2") {
  const auto arguments = GENERATE(values<std::vector<std::string>>({{},
                                                                    {"nonsense"},
                                                                    {"--nonsense"},
                                                                    {"filter", "--nonsense"},
                                                                    {"filter", "--style", "nonsense"},
                                                                    {"filter", "--markers", "link,nonsense"},
                                                                    {"filter", "--marker", "[ref:{key}"},
                                                                    {"filter", "--marker", ""},
                                                                    {"filter", "--from", "nonsense"},
                                                                    {"filter", "--to", "nonsense"},
                                                                    {"filter", "--offsets", "bytes"},
                                                                    {"filter", "--dialect", "nonsense"},
                                                                    {"filter", "--split", "0"},
                                                                    {"filter", "--split", "-1"},
                                                                    {"filter", "--max-marker-bytes", "x"},
                                                                    {"filter", "--style"},
                                                                    {"check", "claims", "one", "two"},
                                                                    {"version", "nonsense"}}));
  const auto run = citestream_tests::run(arguments);
  const bool filtering = !arguments.empty() && arguments.front() == "filter";
  INFO(run.err);
  CHECK(run.code == 2);
  check_one_line(run, filtering ? "citestream: filter: " : "citestream: ");
  CHECK(run.err.find("--help") != std::string::npos);
}

TEST_CASE("an unknown command gives the closest known one") {
  struct slip {
    std::vector<std::string> typed;
    std::string said;
  };
  for (const slip& one :
       {slip{{"check", "answr"},
             "check: unknown command: answr; did you mean answer? (see citestream check --help)"},
        slip{{"check", "--to", "text", "claim"},
             "check: unknown command: text; the commands are format, answer, claims"},
        slip{{"check", "cliams", "x.jsonl"}, "check: unknown command: cliams; did you mean claims?"},
        slip{{"fliter", "answer.sse"},
             "unknown command: fliter; did you mean filter? (see citestream --help)"},
        slip{{"nonsense"},
             "unknown command: nonsense; the commands are check, completion, diff, filter, instructions, "},
        slip{{std::string(100'000, 'x')}, "unknown command: xxx"},
        slip{{"check"},
             "check: no command given; the commands are format, answer, claims, sources (see citestream "
             "check --help)"}}) {
    const auto run = citestream_tests::run(one.typed);
    INFO(one.said << '\n' << run.err.substr(0, 300));
    CHECK(run.code == 2);
    check_one_line(run, "citestream: " + one.said);
  }
}

TEST_CASE("an unknown option gives the closest known one") {
  struct slip {
    std::vector<std::string> typed;
    std::string said;
  };
  for (const slip& one :
       {slip{{"filter", "--sytle", "numeric", "answer.sse"},
             "filter: unknown option: --sytle; did you mean --style? (see citestream filter --help)\n"},
        slip{{"filter", "--max_marker_bytes=9"},
             "filter: unknown option: --max_marker_bytes; did you mean --max-marker-bytes? (see "},
        slip{{"load", "--ulr", "http://127.0.0.1:1"},
             "load: unknown option: --ulr; did you mean --url? (see "},
        slip{{"proxy", "--upsteam", "demo:"},
             "proxy: unknown option: --upsteam; did you mean --upstream? (see "},
        slip{{"check", "answer", "--refrences", "x"},
             "check: unknown option: --refrences; did you mean --references? (see "},
        slip{{"--verison"}, "unknown option: --verison; did you mean --version? (see citestream --help)\n"},
        slip{{"filter", "--qqqqqqqq"}, "filter: unknown option: --qqqqqqqq (see citestream filter --help)\n"},
        slip{{"version", "now"}, "version: unexpected argument: now (see citestream version --help)\n"}}) {
    const auto run = citestream_tests::run(one.typed);
    INFO(one.said << '\n' << run.err);
    CHECK(run.code == 2);
    check_one_line(run, "citestream: " + one.said);
  }
}

TEST_CASE("help of a command is what its own option prints") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"filter"}, {"proxy"}, {"check"}, {"check", "answer"}, {"help"}}) {
    std::vector<std::string> with_option = words;
    with_option.emplace_back("--help");
    std::vector<std::string> with_command = words;
    with_command.insert(with_command.begin(), "help");
    const auto run = citestream_tests::run(with_command);
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(run.out == citestream_tests::run(with_option).out);
  }
  for (const auto& [words, said] :
       {std::pair{std::vector<std::string>{"help", "fliter"},
                  "unknown command: fliter; did you mean filter?"},
        {{"help", "check", "answr"}, "unknown command: answr; did you mean answer?"},
        {{"help", "filter", "answer"}, "unknown command: answer (see"}}) {
    const auto run = citestream_tests::run(words);
    CHECK(run.code == 2);
    check_one_line(run, std::string("citestream: help: ") + said);
  }
}

TEST_CASE("help of the proxy is grouped") {
  const std::string help = citestream_tests::run({"proxy", "--help"}).out;
  std::size_t at = 0;
  for (const char* part :
       {"\nListening:\n  --listen ", "\nUpstream:\n  --upstream ", "\nRewriting:\n  --style ",
        "\nLimits:\n  --max-", "\nTimeouts:\n  --idle-timeout ", "\nLogging:\n  --log-level ",
        "\nRecording:\n  --record "}) {
    const std::size_t found = help.find(part);
    INFO(part);
    REQUIRE(found != std::string::npos);
    CHECK(found > at);
    at = found;
  }
  const auto group_of = [&](const std::string& flag) {
    const std::size_t line = help.find("\n  --" + flag + " ");
    const std::size_t head = help.rfind(":\n  -", line);
    return help.substr(help.rfind('\n', head) + 1, head - help.rfind('\n', head) - 1);
  };
  CHECK(group_of("admin") == "Listening");
  CHECK(group_of("pool-idle-timeout") == "Upstream");
  CHECK(group_of("max-event-bytes") == "Limits");
  CHECK(group_of("drain") == "Timeouts");
  CHECK(group_of("log-file") == "Logging");
  CHECK(group_of("record-max-files") == "Recording");
  CHECK(group_of("config") == "Options");
}

TEST_CASE("help of a flag that turns an option off is negative") {
  const std::string help = citestream_tests::run({"proxy", "--help"}).out;
  CHECK(help.find("  --no-request-references     Do not resolve citations of ") != std::string::npos);
}

TEST_CASE("help names values without the words of its parser") {
  for (const std::vector<std::string>& words : every_command) {
    const std::string help = citestream_tests::run(with_help(words)).out;
    for (const std::string& line : lines_of(help)) {
      if (!line.starts_with("  -")) continue;
      INFO(line);
      const std::string start = line.substr(0, line.find("  ", 2));
      for (const char* word :
           {"TEXT", "UINT", "INT:", ":POSITIVE", ":NUMBER", "FLOAT", " ...", "Needs:", ":PATTERN"}) {
        CHECK(start.find(word) == std::string::npos);
      }
    }
  }
}

TEST_CASE("a list of names ends where it ends and has no empty name") {
  const scratch_file file("list.txt", "a [1] [b](c).");
  CHECK(filter({"--from", "text", "--markers", "numeric,link", file.path()}).out == "a.");
  CHECK(filter({"--from", "text", "--markers", "numeric", "--markers", "link", file.path()}).out == "a.");
  const scratch_file sources("list.json",
                             R"([{"text":"a","collection":"tea"},{"text":"b","collection":"milk"}])");
  const auto checked = citestream_tests::run(
      {"check", "answer", "--references", sources.path(), "--collections", "tea,milk", file.path()});
  CHECK(checked.out.find("\"invalid_collections\":[]") != std::string::npos);
  for (const std::string list : {"numeric,,link", ",link", "link,", ","}) {
    for (const std::vector<std::string>& start :
         {std::vector<std::string>{"filter", "--markers"},
          {"check", "answer", "--markers"},
          {"check", "answer", "--collections"},
          {"proxy", "--upstream", "demo:", "--markers"},
          {"load", "--url", "http://127.0.0.1:1", "--markers"},
          {"filter", "--provenance-request", "x", "--provenance-agents"}}) {
      std::vector<std::string> arguments = start;
      arguments.push_back(list);
      if (start.front() != "proxy" && start.front() != "load") arguments.push_back(file.path());
      const auto run = citestream_tests::run(arguments);
      INFO(start.front() << ' ' << start.back());
      CHECK(run.code == 2);
      check_one_line(run,
                     "citestream: " + start.front() + ": " + start.back() + ": empty name in '" + list + "'");
    }
  }
}

TEST_CASE("help names the dialect that reads lists of sources after the text") {
  for (const char* command : {"filter", "proxy"}) {
    const auto run = citestream_tests::run({command, "--help"});
    CHECK(run.out.find("set rag if a server sends its list of sources only after the text") !=
          std::string::npos);
  }
}

TEST_CASE("an output that cannot be made from the input is wrong usage") {
  for (const char* from : {"deltas", "text", "json"}) {
    for (const char* to : {"sse", "frames"}) {
      const auto run = filter({"--from", from, "--to", to});
      CHECK(run.code == 2);
      check_one_line(run,
                     std::string("citestream: filter: --to ") + to + " is not possible with --from " + from);
    }
  }
  for (const char* from : {"sse", "deltas", "text"})
    CHECK(filter({"--from", from, "--to", "body"}).code == 2);
}

TEST_CASE("a body that is an event stream or truncated fails with the reason") {
  CHECK(filter({"--to", "body"}, "data: {}\n\n").err ==
        "citestream: filter: standard input: the input is an event stream; --to body and --from json need a "
        "JSON "
        "body\n");
  CHECK(filter({"--to", "body"}, "no JSON").err ==
        "citestream: filter: standard input: not a JSON body: invalid JSON at byte 0\n");
  CHECK(filter({"--to", "body"}, "{\"choices\":").err ==
        "citestream: filter: standard input: the JSON body is truncated at byte 11\n");
}

TEST_CASE("an invalid or missing value is reported with the values that are valid") {
  const std::string help = " (see citestream filter --help)\n";
  const auto error_of = [](const std::vector<std::string>& arguments) { return filter(arguments).err; };
  CHECK(error_of({"--style", "numerc"}) ==
        "citestream: filter: --style: 'numerc' is not one of auto, strip, keep, numeric, footnote, "
        "superscript, "
        "html, label, markdown; did you mean numeric?" +
            help);
  CHECK(error_of({"--offsets", "bytes"}) ==
        "citestream: filter: --offsets: 'bytes' is not one of utf8, utf16, codepoint" + help);
  CHECK(run({"proxy", "--upstream", "demo:", "--style", "numerc"}).err.find("did you mean numeric?") !=
        std::string::npos);
  CHECK(error_of({"--max-marker-bytes", "0"}) ==
        "citestream: filter: --max-marker-bytes: must be at least 1" + help);
  CHECK(error_of({"--to"}) == "citestream: filter: --to: a value is missing" + help);
  CHECK(error_of({"--repair=false"}) == "citestream: filter: --repair: takes no value" + help);
  for (const char* const option :
       {"--references", "--provenance-request", "--provenance-graph", "--resume"}) {
    CHECK(error_of({option, ""}) ==
          "citestream: filter: " + std::string(option) + ": the value is empty" + help);
  }
  CHECK(run({"check", "answer", "--references", ""}).code == 2);
  CHECK(run({"diff", "a", "b", "--references", ""}).code == 2);
  CHECK(error_of({"--max-marker-bytes=-1"}) ==
        "citestream: filter: --max-marker-bytes: '-1' is not a whole number of at most 1000000000000" + help);
  CHECK(error_of({"--choice", "x"}) ==
        "citestream: filter: --choice: 'x' is not a whole number of at least 0" + help);
  CHECK(run({"diff", "a", "b", "--tolerance", "5"}).err ==
        "citestream: diff: --tolerance: '5' is not a number from 0 to 1 (see citestream diff --help)\n");
  CHECK(run({"check", "answer", "--judge-timeout", "0"}).err ==
        "citestream: check: --judge-timeout: '0' is not a number of seconds from 0.001 to 86400 (see "
        "citestream "
        "check answer --help)\n");
}

TEST_CASE("a file that cannot be read is one line and exit code 1") {
  const auto missing = filter({"no/such/file.sse"});
  CHECK(missing.code == 1);
  CHECK(missing.err == "citestream: filter: no/such/file.sse: No such file or directory\n");
  check_one_line(missing, "citestream: filter: ");
  const auto folder = filter({"/"});
  CHECK(folder.code == 1);
  check_one_line(
      folder, "citestream: filter: /: no .sse, .ndjson or .eventstream file in this folder (see --help)\n");
  const auto references = filter({"--references", "no/such/file.json"});
  CHECK(references.code == 1);
  CHECK(references.err == "citestream: filter: no/such/file.json: No such file or directory\n");
}

TEST_CASE("references that cannot be read are one line and exit code 1") {
  const scratch_file broken("broken.json", "{\"files\": [");
  const auto run = filter({"--references", broken.path()});
  CHECK(run.code == 1);
  check_one_line(run, "citestream: filter: " + broken.path() + ": ");
  const scratch_file other("other.json", "{\"something\": 1}");
  CHECK(filter({"--references", other.path()}).code == 1);
}

TEST_CASE("help has examples and exit code 0 everywhere") {
  for (const std::vector<std::string>& words : every_command) {
    CAPTURE(words);
    const auto run = citestream_tests::run(with_help(words));
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(std::ranges::any_of(lines_of(run.out), [](const std::string& line) {
      return line.starts_with("  ") && line.find("citestream ") != std::string::npos;
    }));
    const std::size_t codes = run.out.find("Exit codes:");
    if (codes != std::string::npos) CHECK(run.out[codes - 1] == '\n');
  }
}

TEST_CASE("the version is printed by the command and by the flag") {
  const std::string version(citestream::version());
  CHECK(citestream_tests::run({"version"}).out == "citestream " + version + "\n");
  CHECK(citestream_tests::run({"--version"}).out == version + "\n");
  CHECK(citestream_tests::run({"version"}).code == 0);
}

TEST_CASE("output that cannot be written is one line and exit code 1") {
  const scratch_file input("answer.sse", answer_stream());
  const std::pair<std::string, std::string> commands[] = {{"filter " + input.path(), "filter: "},
                                                          {"completion bash", "completion: "},
                                                          {"help filter", "help: "},
                                                          {"filter --help", "filter: "},
                                                          {"version", "version: "},
                                                          {"--version", ""}};
  for (const auto& [command, named] : commands) {
    // A shell, because only it can give the program a full disk for its output.
    FILE* shell = ::popen((std::string(CITESTREAM_BINARY) + " " + command + " 2>&1 >/dev/full").c_str(), "r");
    REQUIRE(shell != nullptr);
    std::string said;
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
    CAPTURE(command, said);
    CHECK(WEXITSTATUS(::pclose(shell)) == 1);
    CHECK(said.starts_with("citestream: " + named + "cannot write to standard output"));
  }
}

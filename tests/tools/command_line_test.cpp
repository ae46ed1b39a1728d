// The command line and the messages for invalid calls.
#include <citestream/base/version.hpp>

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
                                                                    {"filter", "one", "two"},
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
        slip{{"nonsense"}, "unknown command: nonsense; the commands are check, completion, filter, "},
        slip{{std::string(100'000, 'x')}, "unknown command: xxx"},
        slip{{"check"}, "check: A subcommand is required"}}) {
    const auto run = citestream_tests::run(one.typed);
    INFO(one.said << '\n' << run.err.substr(0, 300));
    CHECK(run.code == 2);
    check_one_line(run, "citestream: " + one.said);
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
      check_one_line(run, "citestream: filter: --to: ");
    }
  }
  for (const char* from : {"sse", "deltas", "text"})
    CHECK(filter({"--from", from, "--to", "body"}).code == 2);
}

TEST_CASE("a file that cannot be read is one line and exit code 1") {
  const auto missing = filter({"no/such/file.sse"});
  CHECK(missing.code == 1);
  CHECK(missing.err == "citestream: filter: no such file: no/such/file.sse\n");
  check_one_line(missing, "citestream: filter: ");
  const auto folder = filter({"/"});
  CHECK(folder.code == 1);
  check_one_line(folder, "citestream: filter: cannot read /: ");
  const auto references = filter({"--references", "no/such/file.json"});
  CHECK(references.code == 1);
  CHECK(references.err == "citestream: filter: no such file: no/such/file.json\n");
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
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"filter", "--help"},
                                                    {"load", "--help"},
                                                    {"proxy", "--help"},
                                                    {"replay", "--help"},
                                                    {"version", "--help"}}) {
    const auto run = citestream_tests::run(arguments);
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(run.out.find("Example") != std::string::npos);
    CHECK(run.out.find("citestream ") != std::string::npos);
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
  // A shell, because only it can give the program a full disk for its output.
  const std::string command = std::string(CITESTREAM_BINARY) + " filter " + input.path() + " 2>&1 >/dev/full";
  FILE* shell = ::popen(command.c_str(), "r");
  REQUIRE(shell != nullptr);
  std::string said;
  for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
  CHECK(WEXITSTATUS(::pclose(shell)) == 1);
  CHECK(said.starts_with("citestream: filter: cannot write to standard output: "));
}

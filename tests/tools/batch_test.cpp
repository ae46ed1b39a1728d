// Runs over many documents: order, lists, lines, errors, and continuing after an interruption.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"
#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/lines.hpp"
#include "support/parsed_json.hpp"
#include "support/rounds.hpp"
#include "support/scratch_folder.hpp"
#include "support/waiting.hpp"

using namespace citestream_tests;
using citestream::document;

namespace {

std::string named(std::size_t i) {
  return "in/" + std::to_string(1000 + i) + ".sse";
}

/// Writes documents of very different lengths, every seventh of them cut off.
std::vector<std::string> write_documents(const scratch_folder& folder, std::size_t count) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < count; ++i) {
    std::string stream;
    const std::size_t words = i % 10 == 0 ? 3000 : 3;
    for (std::size_t word = 0; word < words; ++word) {
      stream += chunk(0, json_text("w" + std::to_string(i) + " "));
    }
    if (i % 7 != 6) stream += chunk(0, json_text("."), "\"stop\"");
    files.push_back(folder.write(named(i), stream));
  }
  return files;
}

run_result check_answer(std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.begin(), {"check", "answer"});
  return run(arguments, input);
}

std::string file_of(const std::string& line) {
  const document parsed_line = parsed(line);
  return std::string(parsed_line.root()["file"].string());
}

}  // namespace

TEST_CASE("any number of jobs gives the same output and messages") {
  const scratch_folder folder;
  write_documents(folder, 60);
  const auto [command, form] = GENERATE(table<std::string, std::string>(
      {{"filter", "json"}, {"filter", "text"}, {"filter", "stream"}, {"check", "json"}, {"check", "text"}}));
  INFO(command << " --to " << form);
  std::vector<std::string> arguments{command};
  if (command == "check") arguments.emplace_back("answer");
  arguments.insert(arguments.end(), {folder.path("in"), "--to", form, "--jobs", "1"});
  const auto one = run(arguments);
  CHECK_FALSE(one.out.empty());
  CHECK(one.code == 1);
  CHECK(lines_of(one.err).size() == 8);
  for (const int jobs : sanitized ? std::vector{7} : std::vector{2, 7, 100}) {
    arguments.back() = std::to_string(jobs);
    const auto many = run(arguments);
    CHECK(many.out == one.out);
    CHECK(many.err == one.err);
    CHECK(many.code == one.code);
  }
  arguments.resize(arguments.size() - 2);
  CHECK(run(arguments).out == one.out);
}

TEST_CASE("each document is one line and an error is a member of it") {
  const scratch_folder folder;
  const std::string whole = folder.write("whole.sse", answer_stream());
  const std::string cut = folder.write("cut.sse", chunk(0, json_text("a")));
  const std::string missing = folder.path("missing.sse");
  for (const bool checked : {false, true}) {
    INFO(checked);
    const std::vector<std::string> arguments{missing, whole, cut, "--to", "json"};
    const auto got = checked ? check_answer(arguments) : filter(arguments);
    CHECK(got.code == 1);
    const auto lines = lines_of(got.out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] ==
          "{\"file\":\"" + missing + "\",\"error\":\"" + missing + ": No such file or directory\"}");
    CHECK(file_of(lines[1]) == whole);
    CHECK_FALSE(parsed(lines[1]).root()["error"]);
    CHECK(file_of(lines[2]) == cut);
    CHECK(parsed(lines[2]).root()["error"].string().find(cut + ": ") == 0);
    CHECK(parsed(lines[2]).root()[checked ? "valid" : "content"]);
    CHECK(lines_of(got.err).size() == 2);
  }
}

TEST_CASE("answers with several choices are one line") {
  const scratch_folder folder;
  const std::string both = chunk(0, json_text("a")) + chunk(1, json_text("b")) +
                           chunk(0, json_text("."), "\"stop\"") + chunk(1, json_text("."), "\"stop\"");
  const std::string file = folder.write("both.sse", both);
  const auto lines = lines_of(check_answer({file, file}).out);
  REQUIRE(lines.size() == 2);
  const document first = parsed(lines[0]);
  CHECK(first.root()["file"].string() == file);
  CHECK(first.root()["valid"]);
  CHECK(first.root()["choices"][1]["valid"]);
  CHECK_FALSE(first.root()["choices"][2]);
}

TEST_CASE("answers with several choices can be continued and keep their texts if cut off") {
  const scratch_folder folder;
  const std::string cut = folder.write("cut.sse", chunk(0, json_text("a")) + chunk(1, json_text("b")));
  const std::string out = folder.path("out.jsonl");
  for (int run = 0; run < 2; ++run) {
    CHECK(filter({cut, cut, "--to", "json", "--resume", out}).code == (run == 0 ? 1 : 0));
    const auto lines = lines_of(folder.read("out.jsonl"));
    REQUIRE(lines.size() == 2);
    const document second = parsed(lines[1]);
    CHECK(second.root()[0]["content"].string() == "a");
    CHECK_FALSE(second.root()[0]["error"]);
    CHECK(second.root()[1]["content"].string() == "b");
    CHECK(second.root()[1]["error"].string().starts_with(cut + ": "));
    CHECK_FALSE(second.root()[2]);
  }
}

TEST_CASE("lists name one file on each line") {
  const scratch_folder folder;
  const std::string one = folder.write("one.sse", answer_stream());
  const std::string two = folder.write("in/two.sse", answer_stream());
  const std::string list = folder.write("list", one + "\r\n\n" + folder.path("in") + "\n" + one);
  const auto from_file = lines_of(filter({"@" + list, "--to", "json"}).out);
  REQUIRE(from_file.size() == 3);
  CHECK(file_of(from_file[0]) == one);
  CHECK(file_of(from_file[1]) == two);
  CHECK(file_of(from_file[2]) == one);
  const std::string listed = one + "\n" + folder.path("in") + "\n" + folder.path() + "\n" + one;
  const auto from_input = lines_of(filter({"@-", two, "--to", "json"}, listed).out);
  REQUIRE(from_input.size() == 5);
  CHECK(file_of(from_input[0]) == one);
  CHECK(file_of(from_input[1]) == two);
  CHECK(file_of(from_input[2]) == one);
  CHECK(file_of(from_input[3]) == one);
  CHECK(file_of(from_input[4]) == two);
  CHECK(filter({"@" + folder.path("none"), "--to", "json"}).err ==
        "citestream: filter: " + folder.path("none") + ": No such file or directory\n");
}

TEST_CASE("a list on standard input is answered line by line") {
  const scratch_folder folder;
  const std::string file = folder.write("one.sse", answer_stream());
  child program({"filter", "@-", "--to", "json"});
  for (int i = 0; i < 3; ++i) {
    program.out.clear();
    program.write(file + "\n");
    CHECK(program.await("}\n"));
  }
  CHECK(program.wait() == 0);
}

TEST_CASE("each line of the input can be a document") {
  const scratch_folder folder;
  std::string stream;
  citestream::append_json_string(answer_stream(), stream);
  std::string body = answer_body();
  std::erase(body, '\n');
  const std::string input = body + "\n\n" + stream + "\nbad\n";
  const std::string file = folder.write("in/answers.jsonl", input);
  const auto from_input = filter({"--lines", "--to", "json"}, input);
  CHECK(from_input.code == 1);
  const auto lines = lines_of(from_input.out);
  REQUIRE(lines.size() == 3);
  CHECK(file_of(lines[0]) == "standard input:1");
  CHECK(parsed(lines[0]).root()["content"].string() == stripped_text);
  CHECK(file_of(lines[1]) == "standard input:3");
  CHECK(parsed(lines[1]).root()["content"].string() == stripped_text);
  CHECK(file_of(lines[2]) == "standard input:4");
  CHECK(parsed(lines[2]).root()["error"].is_string());
  CHECK(filter({"--lines", "-", "--to", "json"}, input).out == from_input.out);
  const auto checked = lines_of(check_answer({"--lines", folder.path("in")}).out);
  REQUIRE(checked.size() == 3);
  CHECK(file_of(checked[1]) == file + ":3");
}

TEST_CASE("a JSON string after blanks is a document") {
  std::string stream;
  citestream::append_json_string(answer_stream(), stream);
  const auto result = filter({"--lines", "--to", "json"}, " \t" + stream + "\n");
  CHECK(result.code == 0);
  CHECK(parsed(result.out).root()["content"].string() == stripped_text);
}

TEST_CASE("the file of results in the folder of the documents is not a document") {
  const scratch_folder folder;
  std::string body = answer_body();
  std::erase(body, '\n');
  folder.write("in/a.jsonl", body + '\n');
  folder.write("in/b.ndjson", body + '\n');
  const std::vector<std::string> resumed{"--lines", folder.path("in"), "--to",
                                         "json",    "--resume",        folder.path("in/c.jsonl")};
  CHECK(filter(resumed).code == 0);
  const std::string whole = folder.read("in/c.jsonl");
  CHECK(lines_of(whole).size() == 2);
  CHECK(filter(resumed).code == 0);
  CHECK(folder.read("in/c.jsonl") == whole);
  CHECK(check_answer({folder.path("in"), "--lines", "--to", "json", "--resume", folder.path("in/d.jsonl")})
            .code == 1);
  CHECK(lines_of(folder.read("in/d.jsonl")).size() == 4);  // the lines of c.jsonl are documents, too
}

TEST_CASE("a file of lines that cannot be read is one document with an error") {
  const scratch_folder folder;
  std::string body = answer_body();
  std::erase(body, '\n');
  const std::string good = folder.write("good.jsonl", body + "\n");
  folder.write("none/text.txt", "");
  const std::string socket = folder.path("socket.jsonl");
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{AF_UNIX, {}};
  std::ranges::copy(socket, address.sun_path);
  REQUIRE(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(listener);
  const std::string list = good + "\n" + folder.path("missing.jsonl") + "\n" + folder.path("none") + "\n" +
                           socket + "\n" + good + "\n";
  const auto whole = filter({"--lines", "--to", "json", "@-"}, list);
  CHECK(whole.code == 1);
  const auto lines = lines_of(whole.out);
  REQUIRE(lines.size() == 5);
  CHECK(file_of(lines[1]) == folder.path("missing.jsonl"));
  CHECK(file_of(lines[2]) == folder.path("none"));
  CHECK(file_of(lines[3]) == socket);
  for (std::size_t i : {1U, 2U, 3U}) CHECK(parsed(lines[i]).root()["error"].is_string());
  CHECK(file_of(lines[4]) == good + ":1");
  const std::string out = folder.path("out.jsonl");
  CHECK(filter({"--lines", "--to", "json", "--resume", out, "@-"}, list).code == 1);
  CHECK(filter({"--lines", "--to", "json", "--resume", out, "@-"}, list + good + "\n").code == 0);
  CHECK(lines_of(folder.read("out.jsonl")).size() == 6);
}

TEST_CASE("only regular files of a folder are read") {
  const scratch_folder folder;
  folder.write("in/a.sse", answer_stream());
  REQUIRE(::mkfifo(folder.path("in/b.sse").c_str(), 0600) == 0);
  const auto result = filter({folder.path("in"), "--to", "json"});
  CHECK(result.code == 0);
  CHECK(lines_of(result.out).size() == 1);
  CHECK(file_of(result.out) == folder.path("in/a.sse"));  // as in a folder with several files
  CHECK(file_of(filter({folder.path("in/a.sse"), "--to", "json"}).out).empty());
}

TEST_CASE("a run continues after the lines that the file has") {
  const scratch_folder folder;
  write_documents(folder, 20);
  const std::string out = folder.path("out.jsonl");
  const bool checked = GENERATE(false, true);
  INFO(checked);
  const auto whole = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {folder.path("in"), "--to", "json"});
    return checked ? check_answer(more) : filter(more);
  };
  const std::string expected = whole({}).out;
  CHECK(whole({"--resume", out}).out.empty());
  CHECK(folder.read("out.jsonl") == expected);
  for (std::size_t size = 0; size <= expected.size(); size += expected.size() / (sanitized ? 3 : 11)) {
    folder.write("out.jsonl", expected.substr(0, size));
    static_cast<void>(whole({"--resume", out}));
    CHECK(folder.read("out.jsonl") == expected);
  }
  CHECK(whole({"--resume", out}).code == 0);  // nothing was left to do
}

TEST_CASE("a run that was killed continues where it was") {
  const scratch_folder folder;
  const std::string file = folder.write("one.sse", answer_stream());
  const std::string out = folder.path("out.jsonl");
  std::string list;
  for (int i = 0; i < 50; ++i) list += file + "\n";
  {
    child killed({"filter", "@-", "--to", "json", "--resume", out});
    killed.write(list);
    REQUIRE(eventually([&] { return lines_of(folder.read("out.jsonl")).size() >= 50; }));
    killed.signal(SIGKILL);
    CHECK(killed.wait() == -SIGKILL);
  }
  const std::string before = folder.read("out.jsonl");
  CHECK(filter({"@-", "--to", "json", "--resume", out}, list + list).code == 0);
  const std::string after = folder.read("out.jsonl");
  CHECK(after == before + before);
}

TEST_CASE("a run whose standard output is closed continues its file") {
  const scratch_folder folder;
  write_documents(folder, 3);
  const std::string expected = filter({folder.path("in"), "--to", "json"}).out;
  const std::size_t second = expected.find('\n') + 1;
  folder.write("out.jsonl", expected.substr(0, second + 20));
  const std::string command = std::string(CITESTREAM_BINARY) + " filter " + folder.path("in") +
                              " --to json --resume " + folder.path("out.jsonl") + " >&-";
  CHECK(std::system(command.c_str()) == 0);
  CHECK(folder.read("out.jsonl") == expected);
  folder.write("out.jsonl", expected.substr(0, second) + std::string(20, '\0'));  // after a power failure
  CHECK(filter({folder.path("in"), "--to", "json", "--resume", folder.path("out.jsonl")}).code == 0);
  CHECK(folder.read("out.jsonl") == expected);
}

TEST_CASE("a run whose threads cannot be started ends with an error") {
  if (sanitized) return;  // sanitizers reserve more memory than the limit
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  const rlimit small{rlim_t{2} << 30U, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_AS, &small) == 0);
  const auto result = filter({"@-", "--to", "json", "--jobs", "40000"}, "missing.sse\n");
  ::setrlimit(RLIMIT_AS, &before);
  CHECK(result.code == 1);
  CHECK(result.err.find("cannot start 40000 threads: ") != std::string::npos);
}

TEST_CASE("a file of another run is not continued") {
  const scratch_folder folder;
  const std::string one = folder.write("in/b.sse", answer_stream());
  const std::string out = folder.path("out.jsonl");
  CHECK(filter({folder.path("in"), "--to", "json", "--resume", out}).code == 0);
  const std::string before = folder.read("out.jsonl");
  CHECK(file_of(before) == one);
  folder.write("in/a.sse", answer_stream());
  const auto other = filter({folder.path("in"), "--to", "json", "--resume", out});
  CHECK(other.code == 1);
  CHECK(other.err == "citestream: filter: --resume: line 1 of " + out + " is not that of " +
                         folder.path("in/a.sse") + ", document 1 of the input; was the input changed?\n");
  folder.write("out.jsonl", before + before + before);
  const auto longer = filter({folder.path("in"), "--to", "json", "--resume", out});
  CHECK(longer.err ==
        "citestream: filter: --resume: " + out + " has 3 lines, but the input has only 2 documents\n");
  CHECK(folder.read("out.jsonl") == before + before + before);
  folder.write("out.jsonl", before + before.substr(0, 20));
  CHECK(filter({folder.path("in"), "--to", "json", "--resume", out}).code == 1);  // of another document
  CHECK(folder.read("out.jsonl") == before + before.substr(0, 20));
  for (const char* other_file : {"{\"important\":1}", "[1]", "text"}) {
    folder.write("out.jsonl", other_file);
    const auto kept = filter({folder.path("in"), "--to", "json", "--resume", out});
    CHECK(kept.err ==
          "citestream: filter: --resume: the end of " + out + " is not a line of an earlier run\n");
    CHECK(folder.read("out.jsonl") == other_file);
  }
}

TEST_CASE("two runs do not write to one file") {
  const scratch_folder folder;
  const std::string file = folder.write("one.sse", answer_stream());
  const std::string out = folder.path("out.jsonl");
  child first({"filter", "@-", "--to", "json", "--resume", out});
  first.write(file + "\n");
  REQUIRE(eventually([&] { return folder.read("out.jsonl").ends_with('\n'); }));
  const auto second = filter({file, "--to", "json", "--resume", out});
  CHECK(second.code == 1);
  CHECK(second.err == "citestream: filter: --resume: another process writes to " + out + "\n");
  CHECK(first.wait() == 0);
}

TEST_CASE("a document that is held for memory continues when there is some") {
  constexpr std::size_t megabyte = std::size_t{1} << 20U;
  const scratch_folder folder;
  std::vector<std::string> arguments{"filter", "--from", "text", "--to", "text", "--jobs", "3"};
  for (const char* name : {"0", "1", "2"}) {
    arguments.push_back(folder.path(name));
    REQUIRE(::mkfifo(arguments.back().c_str(), 0600) == 0);
  }
  child program(arguments);
  std::vector<int> inputs;
  for (std::size_t i = 7; i < arguments.size(); ++i) inputs.push_back(::open(arguments[i].c_str(), O_WRONLY));
  const std::string some(megabyte, 'a');
  constexpr std::size_t waiting = 63;
  for (std::size_t i = 0; i < waiting; ++i)
    CHECK(::write(inputs[1], some.data(), some.size()) == ssize_t{megabyte});
  // The third document fills the rest of the memory, then the pipe.
  REQUIRE(::fcntl(inputs[2], F_SETFL, O_NONBLOCK) == 0);
  const auto full = [&] { return ::write(inputs[2], some.data(), some.size()) < 0; };
  REQUIRE(eventually([&] { return full() && (::usleep(200'000), full()); }));
  ::close(inputs[0]);
  CHECK(program.await(std::string(waiting * megabyte, 'a')));
  CHECK(eventually([&] { return !full(); }));
  ::close(inputs[1]);
  ::close(inputs[2]);
  CHECK(program.wait() == 0);
}

TEST_CASE("only lines can be continued") {
  const auto text = filter({"--to", "text", "--resume", "out"}, "x");
  CHECK(text.code == 2);
  CHECK(text.err.find("--resume requires --to json, which writes one line for each document") !=
        std::string::npos);
  CHECK(check_answer({"--to", "text", "--resume", "out"}, "x").code == 2);
  CHECK(filter({"--jobs", "0"}, "x").code == 2);
}

TEST_CASE("an output that cannot be written ends the run with one message") {
  const scratch_folder folder;
  write_documents(folder, 6);
  for (const char* jobs : {"1", "3"}) {
    const std::string command = std::string(CITESTREAM_BINARY) + " filter " + folder.path("in") +
                                " --to json --jobs " + jobs + " >/dev/full 2>" + folder.path("err");
    CHECK(std::system(command.c_str()) != 0);
    CHECK(folder.read("err") ==
          "citestream: filter: cannot write to standard output: No space left on device\n");
  }
  const auto device = filter({folder.path("in"), "--to", "json", "--resume", "/dev/full"});
  CHECK(device.code == 1);
  CHECK(device.err == "citestream: filter: --resume: not a regular file: /dev/full\n");
}

TEST_CASE("diff measures on any number of jobs and reads lists") {
  const scratch_folder folder;
  const auto files = write_documents(folder, 20);
  std::string list;
  for (const std::string& file : files) list += file + "\n";
  const std::string listed = "@" + folder.write("list", list);
  const auto one = run({"diff", folder.path("in"), folder.path("in"), "--to", "json", "--jobs", "1"});
  CHECK(one.out.find("1019.sse") != std::string::npos);
  for (const std::string& given : {folder.path("in"), listed}) {
    const auto many = run({"diff", given, given, "--to", "json", "--jobs", "5"});
    CHECK(many.out == one.out);
    CHECK(many.err == one.err);
    CHECK(many.code == one.code);
  }
}

// How the binary is called, and what it says when it is called wrongly.
#include <citestream/base/version.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "child.hpp"
#include "inputs.hpp"

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

// A byte order mark at the start of the input changes nothing.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/rounds.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;

namespace {

const std::string mark = "\xEF\xBB\xBF";

/// The same result with a mark in front of the input as without one.
void check_same(const std::vector<std::string>& arguments, const std::string& input, int code) {
  const auto plain = run(arguments, input);
  const auto marked = run(arguments, mark + input);
  INFO(arguments.back() << ": " << marked.err);
  CHECK(plain.code == code);
  CHECK(marked.code == code);
  CHECK(marked.out == plain.out);
  CHECK(marked.err == plain.err);
}

}  // namespace

TEST_CASE("every form of input may begin with a byte order mark") {
  for (const auto& [form, input] : {std::pair<std::string, std::string>{"sse", answer_stream()},
                                    std::pair<std::string, std::string>{"deltas", answer_lines()},
                                    std::pair<std::string, std::string>{"json", answer_body()},
                                    std::pair<std::string, std::string>{"text", answer_text()}}) {
    for (const char* to : {"text", "json", "events"}) {
      if (!sanitized) check_same({"filter", "--from", form, "--to", to}, input, 0);
      check_same({"filter", "--from", form, "--split", "1", "--to", to}, input, 0);
    }
  }
  check_same({"filter", "--from", "text"}, "", 0);
}

TEST_CASE("a body keeps its byte order mark") {
  for (const char* style : {"strip", "keep"}) {
    const std::vector<std::string> arguments{"filter", "--from", "json", "--to", "body", "--style", style};
    const auto marked = run(arguments, mark + answer_body());
    CHECK(marked.code == 0);
    CHECK(marked.out == mark + run(arguments, answer_body()).out);
  }
}

TEST_CASE("lists and files of lines may begin with a byte order mark") {
  const scratch_file answer("answer.txt", answer_text());
  check_same({"filter", "--from", "text", "--to", "json", "--lines"}, "\"a [R](f1)\"\n", 0);
  check_same({"filter", "--from", "text", "--to", "json", "@-"}, answer.path() + "\n", 0);
}

TEST_CASE("the first bytes of a byte order mark alone are text") {
  for (const std::string text : {"\xEF", "\xEF\xBB", "\xEF\xBB\xBE", "a\xEF\xBB\xBF"}) {
    CHECK(filter({"--from", "text"}, text).out == text);
  }
  CHECK(filter({"--from", "text"}, mark + mark).out == mark);
  child slow({"filter", "--from", "text"});
  slow.write(mark.substr(0, 2));
  slow.write(mark.substr(2));
  slow.write("a");
  CHECK(slow.await("a"));
  CHECK(slow.wait() == 0);
  CHECK(slow.out == "a");
}

TEST_CASE("text to be checked may begin with a byte order mark") {
  const std::string documents =
      R"([{"document":"Tea sells.","collection":"shop","metadata":{"source":"t.csv"}}])";
  const std::string claim = R"({"claim":"Tea sells.","references":["Tea sells."]})";
  check_same({"check", "claims"}, claim + "\n" + claim + "\n", 0);
  check_same({"check", "format"}, documents, 0);
  for (const std::string& sources : {documents, mark + documents}) {
    const scratch_file side("side.json", sources);
    for (const std::string& answer : {std::string("Tea sells [1]."), answer_body(), answer_stream()}) {
      check_same({"check", "answer", "--references", side.path()}, answer, answer.starts_with("Tea") ? 0 : 1);
    }
    CHECK(filter({"--from", "text", "--markers", "numeric", "--references", side.path()}, "Tea [1].").out ==
          "Tea.");
  }
  const scratch_file request("request.json", mark + R"({"messages":[{"role":"tool","content":"Tea."}]})");
  CHECK(filter({"--provenance-request", request.path(), "--from", "text"}, "Tea [REF|d_1].").out == "Tea.");
}

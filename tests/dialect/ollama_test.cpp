// Ollama. Its payloads are in golden/ollama.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

TEST_CASE("Ollama is recognised by its text and the members of every line") {
  document doc;
  const dialect& ollama = *find_dialect("ollama");
  const auto is_ollama = [&](const std::string& payload) {
    REQUIRE_FALSE(doc.parse(payload));
    return ollama.recognise(doc.root(), payload_kind::event);
  };
  const std::string head = R"({"model":"m","created_at":"t",)";
  CHECK(is_ollama(head + R"("message":{},"done":false})"));
  CHECK(is_ollama(head + R"("response":"","done":true})"));
  CHECK_FALSE(is_ollama(head + R"("response":1,"done":true})"));
  CHECK_FALSE(is_ollama(head + R"("response":"","done":1})"));
  CHECK_FALSE(is_ollama(head + R"("response":""})"));
  CHECK_FALSE(is_ollama(head + R"("message":{},"choices":[],"done":false})"));
  CHECK_FALSE(is_ollama(R"({"model":"m","message":{},"done":false})"));
  CHECK_FALSE(is_ollama(R"({"created_at":"t","message":{},"done":false})"));
}

TEST_CASE("an answer of Ollama with a duplicate key passes") {
  document doc;
  dialect_event event;
  REQUIRE_FALSE(doc.parse(R"({"message":{"content":"a","content":"b"},"done":false})"));
  CHECK_FALSE(find_dialect("ollama")->read(doc.root(), payload_kind::event, event));
}

TEST_CASE("a record of Ollama names no line because its text is in all of them") {
  const auto line = [](const std::string& text, const std::string& done) {
    return R"({"model":"m","created_at":"t","message":{"role":"assistant","content":")" + text +
           R"("},"done":)" + done + "}\n";
  };
  const std::string stream = line("It grew [A](https://a.", "false") + line("example/).", "true");
  CHECK(run_whole({}, stream).out.find(R"("path":{"line":null})") != std::string::npos);
}

TEST_CASE("a last line of Ollama without a place for text ends the answer") {
  const std::string head = R"({"model":"m","created_at":"t",)";
  const std::string done = head + R"("done":true,"done_reason":"stop"})" + "\n";
  for (const bool chat : {false, true}) {
    const auto line = [&](const std::string& text) {
      const std::string place = chat ? R"("message":{"role":"assistant","content":")" : R"("response":")";
      return head + place + text + (chat ? "\"}" : "\"") + R"(,"done":false})" + "\n";
    };
    const stream_run plain = run_whole({}, line("A") + done);
    CHECK_FALSE(plain.end);
    CHECK(plain.out == line("A") + done);
    CHECK(run_whole({}, line("A [L](") + done).out == line("A") + line(" [L](") + done);
    const stream_run cited = run_whole({}, line("A [L](u).") + done);
    CHECK_FALSE(cited.end);
    CHECK(cited.out.starts_with(line("A.") + done.substr(0, done.size() - 2) + R"(,"citestream":{)"));
  }
}

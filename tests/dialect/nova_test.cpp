// Events in base64: of Amazon Nova, which may put every token into a block of its own, and of Anthropic.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/messages.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string chunk(std::string_view event) {
  return message("chunk", event);
}

std::string index_of(int block) {
  return R"("contentBlockIndex":)" + std::to_string(block);
}

std::string text_event(int block, const std::string& text) {
  return chunk(R"({"contentBlockDelta":{"delta":{"text":")" + text + R"("},)" + index_of(block) + "}}");
}

std::string stop(int block) {
  return chunk(R"({"contentBlockStop":{)" + index_of(block) + "}}");
}

/// A text in a block of its own.
std::string token(int block, const std::string& text) {
  return text_event(block, text) + stop(block);
}

const std::string start = chunk(R"({"messageStart":{"role":"assistant"}})");
const std::string end = chunk(R"({"messageStop":{"stopReason":"end_turn"}})") +
                        chunk(R"({"metadata":{"usage":{}},"amazon-bedrock-invocationMetrics":{}})");

const std::string answer_stream = start + token(0, "Sales") + token(1, " rose [") + token(2, "T](https") +
                                  token(3, "://a.example/x)") + token(4, ".") + end;

std::string text_of(std::string_view stream) {
  std::string out;
  for (const std::string& event : message_data(stream))
    out += parsed(event).root()["contentBlockDelta"]["delta"]["text"].string();
  return out;
}

const std::string anthropic_stream =
    chunk(R"({"type":"message_start","message":{"type":"message","role":"assistant","content":[]}})") +
    chunk(
        R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Sales [T](https://a."}})") +
    chunk(
        R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"example/x) rose"}})") +
    chunk(R"({"type":"content_block_stop","index":0})") +
    chunk(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}})") +
    chunk(R"({"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":1}})");

}  // namespace

TEST_CASE("a marker in blocks of one token each is one marker") {
  for (const auto& [how, expected] : std::vector<std::pair<const style*, std::string>>{
           {&strip_style, "Sales rose."}, {&numeric_style, "Sales rose [1]."}}) {
    const stream_run seen = run_whole(options_for(*how), answer_stream);
    CHECK(text_of(seen.out) == expected);
    CHECK(message_data(seen.out).size() == message_data(answer_stream).size());
    const document last = parsed(message_data(seen.out).back());
    CHECK(last.root()["citestream"]["citations"][0]["identifier"].string() == "https://a.example/x");
    CHECK(last.root()["amazon-bedrock-invocationMetrics"].is_object());
    CHECK(seen.counts.passed_through == 0);
    CHECK_FALSE(seen.end);
  }
}

TEST_CASE("a tool call between blocks ends a marker") {
  const std::string tool =
      chunk(R"({"contentBlockStart":{"start":{"toolUse":{"name":"t"}},"contentBlockIndex":2}})") +
      chunk(R"({"contentBlockStop":{"contentBlockIndex":2}})");
  const stream_run seen = run_whole(
      options_for(strip_style), start + token(0, "a [") + tool + token(3, "T](https://a.example/x)") + end);
  CHECK(text_of(seen.out) == "a [T](https://a.example/x)");
}

TEST_CASE("events of Anthropic in messages are read and written encoded") {
  const stream_run seen = run_whole(options_for(strip_style), anthropic_stream);
  std::string text;
  std::string records;
  for (const std::string& event : message_data(seen.out)) {
    const document one = parsed(event);
    text += one.root()["delta"]["text"].string();
    if (one.root()["citestream"]) records = one.root()["citestream"].raw();
  }
  CHECK(text == "Sales rose");
  CHECK(records.find("https://a.example/x") != std::string::npos);
  CHECK_FALSE(seen.end);
  eventstream_decoder decoder;
  decoder.feed(seen.out);
  for (frame item; decoder.next(item);) {
    CHECK(item.event == "chunk");
    CHECK_FALSE(item.message->encoded.empty());
  }
}

TEST_CASE("how encoded events are cut decides nothing") {
  for (const std::string* stream : {&answer_stream, &anthropic_stream}) {
    session one(options_for(numeric_style));
    const stream_run whole = run(one, {*stream});
    for (std::size_t at = 1; at < stream->size(); ++at) {
      one.reset();
      const std::string_view bytes = *stream;
      REQUIRE(run(one, {bytes.substr(0, at), bytes.substr(at)}).out == whole.out);
    }
    one.reset();
    CHECK(run(one, cut_every(*stream, 1)).out == whole.out);
  }
}

TEST_CASE("a broken stream of encoded events ends with an exception") {
  std::string exception;
  append_exception_message("modelStreamErrorException",
                           R"({"message":"the upstream ended inside the answer"})", exception);
  for (const std::string* stream : {&answer_stream, &anthropic_stream}) {
    const stream_run seen = run_whole(options_for(strip_style), stream->substr(0, stream->size() / 3));
    CHECK(seen.end.code == errc::upstream_incomplete);
    CHECK(seen.out.ends_with(exception));
  }
}

TEST_CASE("a citation between blocks of Nova ends the text before it") {
  const std::string citation = chunk(
      R"({"contentBlockDelta":{"delta":{"citation":{"location":{"web":{"url":"https://a.example/x","domain":"a"}}}},)"
      R"("contentBlockIndex":1}})");
  for (const std::string piece : {" [", " ", " [T", " [T]("}) {
    INFO(piece);
    const std::string stream =
        start + token(0, "one" + piece) + citation + citation + stop(1) + token(2, "x) two") + end;
    const std::string out = run_whole(options_for(strip_style), stream).out;
    CHECK(text_of(out) == "one" + piece + "x) two");
    const std::size_t first = out.find(citation);
    REQUIRE(first != std::string::npos);
    CHECK(text_of(out.substr(0, first)) == "one" + piece);
    CHECK(out.substr(0, first).ends_with(text_event(0, piece)));
  }
  const stream_run cited = run_whole(options_for(footnote_style),
                                     start + token(0, "Rose [T](https://a.example/x).") + citation + end);
  CHECK(text_of(cited.out).find("[^1]:") != std::string::npos);
}

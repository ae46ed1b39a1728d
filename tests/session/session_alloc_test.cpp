#include <citestream/session/session.hpp>

#include <iterator>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/counted_new.hpp"

using namespace citestream;
using citestream_tests::allocations;

namespace {

constexpr std::string_view writer_event =
    R"(data: {"id":"1533878c","object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":null,)"
    R"("message":{"content":" Sure, held [text","role":"assistant","graph_data":{"sources":null,"status":null}},)"
    R"("delta":{"content":" Sure, held [text","role":"assistant","graph_data":{"sources":null,"status":null}}}],)"
    R"("model":"palmyra-x4","usage":null})"
    "\n\n";
constexpr std::string_view openai_event =
    R"(data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"let go.) \u00e9 \"x\""},)"
    R"("finish_reason":null}]})"
    "\r\n\r\n";
constexpr std::string_view openai_word =
    R"(data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1755846931,"model":"gpt-4o","choices":[)"
    R"({"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"obfuscation":"ab"})"
    "\n\n";
constexpr std::string_view lines_event =
    ": ping\n\ndata: {\"object\":\"chat.completion.chunk\",\ndata: "
    "\"choices\":[{\"index\":1,\"delta\":{\"content\":\" a ([b]\"}}]}\n\n";

std::size_t allocations_of(session& warm, std::string_view bytes, std::size_t read) {
  std::string out;
  out.reserve(1U << 20U);
  const auto feed = [&] {
    out.clear();
    for (std::size_t at = 0; at < bytes.size(); at += read)
      static_cast<void>(warm.write(bytes.substr(at, read), out));
    for (session_event event; warm.next(event);) continue;
  };
  for (int i = 0; i < 20; ++i) feed();
  CHECK(!out.empty());
  const std::size_t before = allocations;
  for (int i = 0; i < 100; ++i) feed();
  return allocations - before;
}

}  // namespace

TEST_CASE("a warm session allocates nothing for an event whose text changes or not") {
  for (const style* chosen : styles()) {
    for (const bool typed : {false, true}) {
      session_options options;
      options.style = chosen;
      options.typed_events = typed;
      for (const std::string_view first : {writer_event, openai_event}) {
        for (const std::size_t read : {std::size_t{7}, std::size_t{4096}}) {
          session one(options);
          const std::string bytes = std::string(first) + std::string(openai_event) + std::string(lines_event);
          INFO(chosen->name << (typed ? " typed" : "") << " read " << read << " first " << first);
          CHECK(allocations_of(one, bytes, read) == 0);
        }
      }
    }
  }
  CHECK(allocations > 0);
}

TEST_CASE("an idle session with a shared workspace uses at most 8 KiB") {
  constexpr std::size_t most = 8 * 1024;
  workspace shared;
  std::string out;
  out.reserve(1U << 20U);
  std::string stream;
  for (int i = 0; i < 200; ++i) stream += openai_word;
  stream += "data: [DONE]\n\n";
  const auto go_through = [&](session& one) {
    out.clear();
    for (std::size_t at = 0; at < stream.size(); at += 1400)
      static_cast<void>(one.write(std::string_view(stream).substr(at, 1400), out));
    static_cast<void>(one.finish(out));
  };
  session warm({}, &shared);
  go_through(warm);
  const std::size_t before = citestream_tests::live_bytes;
  session one({}, &shared);
  const std::size_t made = citestream_tests::live_bytes - before;
  go_through(one);
  one.reset();
  const std::size_t reused = citestream_tests::live_bytes - before;
  CHECK(made <= most);
  CHECK(reused <= most);
}

namespace {

/// Allocations of a warm session that reads \p stream fifty times.
std::size_t allocations_of_rounds(const style& how, std::string_view stream, std::string& out) {
  session_options options;
  options.style = &how;
  options.add = additions::always;
  session one(options);
  std::size_t before = 0;
  for (int i = 0; i < 55; ++i) {
    if (i == 5) before = allocations;
    out.clear();
    static_cast<void>(one.write(stream, out));
    static_cast<void>(one.finish(out));
    one.reset();
  }
  return allocations - before;
}

std::string cited_stream(std::string_view references) {
  return std::string(writer_event) + std::string(writer_event) +
         R"(data: {"choices":[{"index":0,"delta":{"content":"](id1) [Ghost of a source](id2) b"},"finish_reason":null}]})"
         "\n\n"
         R"(data: {"choices":[{"index":0,"delta":{"content":null)" +
         std::string(references) + "},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
}

}  // namespace

TEST_CASE("a session after reset allocates nothing for the same stream") {
  std::string out;
  for (const style* how : styles()) {
    INFO(how->name);
    CHECK(allocations_of_rounds(*how, cited_stream({}), out) == 0);
    CHECK(out.find("\"citestream\"") != std::string::npos);
    CHECK((out.find("source not found") != std::string::npos) == (how->list != nullptr));
  }
}

namespace {

std::string typed_event(const std::string& type, const std::string& members) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + members + "}\n\n";
}

/// A text with what may be a marker, in pieces.
std::string piece_of(int number) {
  constexpr std::string_view pieces[] = {" word", " [", "x", "] (", " \\u00e9", ",", " and", " [y](", " z"};
  return std::string(pieces[static_cast<std::size_t>(number) % std::size(pieces)]);
}

std::string responses_stream(int deltas) {
  const std::string at = R"("item_id":"m","output_index":0,"content_index":0)";
  int number = 0;
  const auto counted = [&] { return ",\"sequence_number\":" + std::to_string(number++); };
  std::string text;
  std::string out =
      typed_event("response.created", R"("response":{"object":"response","output":[]})" + counted());
  for (int i = 0; i < deltas; ++i) {
    text += piece_of(i);
    out += typed_event("response.output_text.delta",
                       at + ",\"delta\":\"" + piece_of(i) + R"(","obfuscation":")" +
                           std::string(1U + static_cast<unsigned>(number) % 7, 'x') + "\"" + counted());
  }
  out += typed_event("response.output_text.done", at + ",\"text\":\"" + text + "\"" + counted());
  return out +
         typed_event("response.completed", R"("response":{"object":"response","output":[]})" + counted());
}

std::string anthropic_stream(int deltas) {
  const std::string at = R"("index":0)";
  std::string out =
      typed_event("message_start", R"("message":{"type":"message","role":"assistant","content":[]})") +
      typed_event("content_block_start", at + R"(,"content_block":{"type":"text","text":""})");
  for (int i = 0; i < deltas; ++i)
    out += typed_event("content_block_delta",
                       at + R"(,"delta":{"type":"text_delta","text":")" + piece_of(i) + "\"}");
  return out + typed_event("content_block_stop", at) +
         typed_event("message_delta", R"("delta":{"stop_reason":"end_turn"})") +
         typed_event("message_stop", R"("x":0)");
}

}  // namespace

TEST_CASE("a warm session allocates nothing for the deltas of Responses and Anthropic") {
  std::string out;
  out.reserve(1U << 20U);
  for (const style* how : styles()) {
    for (const auto make : {&responses_stream, &anthropic_stream}) {
      INFO(how->name << (make == &responses_stream ? " Responses" : " Anthropic"));
      const std::string few = make(100);
      const std::string many = make(400);
      CHECK(allocations_of_rounds(*how, many, out) == allocations_of_rounds(*how, few, out));
    }
  }
}

TEST_CASE("no style allocates more than another for sources that are known") {
  const std::string stream = cited_stream(
      R"(,"graph_data":{"references":{"files":[{"fileId":"id1","page":3,"text":"a text that is <b>long</b> )"
      R"(enough for any buffer inside a string"}],"web":[{"url":"http://x.example","title":"X"}]}})");
  std::string out;
  const std::size_t plain = allocations_of_rounds(strip_style, stream, out);
  for (const style* how : styles()) {
    INFO(how->name);
    CHECK(allocations_of_rounds(*how, stream, out) == plain);
    CHECK((out.find("(p. 3)") != std::string::npos) == (how->list != nullptr));
  }
}

// Texts that begin in the event that starts their block or step. Such an event comes once, so the rest of its
// text is sent in a delta.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// A protocol, with `@` for the text.
struct protocol {
  std::string_view name;
  std::string before;
  std::string start;
  std::string delta;
  std::string after;
  /// Returns the text of an event of these types. `start`: whether it is the start.
  std::string (*text)(json_value root, bool start);
};

std::string named(const std::string& type, const std::string& members, std::string_view key = "type") {
  return "event: " + type + "\ndata: {\"" + std::string(key) + "\":\"" + type + "\"" + members + "}\n\n";
}

const protocol protocols[] = {
    {"anthropic", named("message_start", R"(,"message":{"type":"message","role":"assistant","content":[]})"),
     named("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":"@"})"),
     named("content_block_delta", R"(,"index":0,"delta":{"type":"text_delta","text":"@"})"),
     named("content_block_stop", R"(,"index":0)") +
         named("message_delta", R"(,"delta":{"stop_reason":"end_turn"})") + named("message_stop", ""),
     [](json_value root, bool start) {
       return std::string((start ? root["content_block"] : root["delta"])["text"].string());
     }},
    {"cohere",
     named("message-start",
           R"(,"id":"m","delta":{"message":{"role":"assistant","content":[],"citations":[]}})"),
     named("content-start", R"(,"index":0,"delta":{"message":{"content":{"type":"text","text":"@"}}})"),
     named("content-delta", R"(,"index":0,"delta":{"message":{"content":{"text":"@"}}})"),
     named("content-end", R"(,"index":0)") +
         named("message-end", R"(,"delta":{"finish_reason":"COMPLETE","usage":{}})"),
     [](json_value root, bool) { return std::string(root["delta"]["message"]["content"]["text"].string()); }},
    {"interactions", named("interaction.created", R"(,"interaction":{"object":"interaction"})", "event_type"),
     named("step.start", R"(,"index":0,"step":{"content":[{"type":"text","text":"@"}]})", "event_type"),
     named("step.delta", R"(,"index":0,"delta":{"type":"text","text":"@"})", "event_type"),
     named("step.stop", R"(,"index":0)", "event_type") +
         named("interaction.completed", R"(,"interaction":{"object":"interaction"})", "event_type"),
     [](json_value root, bool start) {
       const json_value part = start ? root["step"]["content"].first() : root["delta"];
       return std::string(part["text"].string());
     }}};

/// The event of \p form with \p text.
std::string with(const std::string& form, std::string_view text) {
  std::string out = form;
  return out.replace(out.find('@'), 1, text);
}

/// What a client makes of a stream.
struct client_view {
  std::string text;
  std::size_t starts{};
  bool named{true};  ///< each event of the text has a line with its type
};

client_view view_of(const protocol& by, std::string_view stream) {
  client_view out;
  const auto type_of = [&](const std::string& form) {
    return form.substr(form.find(' ') + 1, form.find('\n') - form.find(' ') - 1);
  };
  const std::string start = type_of(by.start);
  const std::string delta = type_of(by.delta);
  for (const std::string& payload : payloads(stream)) {
    const document one = parsed(payload);
    const json_value root = one.root();
    const std::string type(root["event_type"].is_string() ? root["event_type"].string()
                                                          : root["type"].string());
    if (type != start && type != delta) continue;
    if (type == start) ++out.starts;
    out.text += by.text(root, type == start);
    const std::string lines = "event: " + type + "\ndata: " + payload + "\n\n";
    out.named = out.named && stream.find(lines) != std::string_view::npos;
  }
  return out;
}

/// A stream whose start event has the first \p begun bytes of \p text.
std::string stream_of(const protocol& by, std::string_view text, std::size_t begun) {
  std::string out = by.before + with(by.start, text.substr(0, begun));
  if (begun < text.size()) out += with(by.delta, text.substr(begun));
  return out + by.after;
}

}  // namespace

TEST_CASE("the rest of a text that began in a start event is sent in a delta") {
  const std::string text = "Hi [W](https://a.b) so [Acme";
  for (const protocol& by : protocols) {
    for (const style* how : {&strip_style, &footnote_style, &numeric_style}) {
      INFO(by.name << " " << how->name);
      const std::string expected = view_of(by, run_whole(options_for(*how), stream_of(by, text, 0)).out).text;
      CHECK(expected.starts_with("Hi"));
      for (std::size_t begun = 0; begun <= text.size(); ++begun) {
        const client_view seen = view_of(by, run_whole(options_for(*how), stream_of(by, text, begun)).out);
        CHECK(seen.text == expected);
        CHECK(seen.starts == 1);
        CHECK(seen.named);
      }
    }
  }
}

TEST_CASE("a start event that broke off with its stream is not repeated either") {
  for (const protocol& by : protocols) {
    INFO(by.name);
    const std::string cut = by.before + with(by.start, "Hi [Acme");
    const client_view seen = view_of(by, run_whole(options_for(strip_style), cut).out);
    CHECK(seen.text == "Hi [Acme");
    CHECK(seen.starts == 1);
  }
}

TEST_CASE("a delta after a start event has line ends and type like other events") {
  for (const protocol& by : protocols) {
    INFO(by.name);
    std::string stream = stream_of(by, "Hi [Acme", 8);
    std::string bare;
    std::string returns;
    for (const std::string& payload : payloads(stream)) bare += "data: " + payload + "\n\n";
    for (const char byte : stream) returns.append(byte == '\n' ? "\r\n" : std::string(1, byte));
    CHECK(run_whole(options_for(strip_style), bare).out.find("event:") == std::string::npos);
    const std::string out = run_whole(options_for(strip_style), returns).out;
    for (std::size_t at = out.find('\n'); at != std::string::npos; at = out.find('\n', at + 1))
      REQUIRE(out[at - 1] == '\r');
  }
}

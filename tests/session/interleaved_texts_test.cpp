// The texts of one answer: one after the other they read like a whole text, and if their deltas alternate,
// each is rewritten as if it came alone.
#include <citestream/session/session.hpp>
#include <citestream/style/style.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// How a protocol writes an answer with several texts, and where a client finds them.
struct protocol {
  const char* name;
  std::string first;                           ///< before the texts
  std::function<std::string(int text)> begin;  ///< of a text
  std::function<std::string(int text, std::string piece)> delta;
  std::function<std::string(int text)> end;
  std::string last;  ///< after the texts
  const char* delta_type;
  std::function<std::string(json_value event)> text_of;  ///< which text a delta belongs to
  std::function<std::string_view(json_value event)> piece_of;
};

std::string event(const std::string& type, const std::string& rest) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
}

std::string unnamed(const std::string& type, const std::string& rest) {
  return "data: {\"type\":\"" + type + "\"" + rest + "}\n\n";
}

std::string index_of(int text) {
  return ",\"index\":" + std::to_string(text);
}

std::string item_of(int text) {
  return ",\"item_id\":\"m" + std::to_string(text) + "\",\"output_index\":" + std::to_string(text) +
         ",\"content_index\":0";
}

std::string id_of(const char* member, int text) {
  return std::string(",\"") + member + "\":\"t" + std::to_string(text) + "\"";
}

std::vector<protocol> protocols() {
  std::vector<protocol> all;
  all.push_back(
      {"anthropic",
       event("message_start", R"(,"message":{"type":"message","role":"assistant","id":"m","content":[]})"),
       [](int text) {
         return event("content_block_start",
                      index_of(text) + R"(,"content_block":{"type":"text","text":""})");
       },
       [](int text, const std::string& piece) {
         return event("content_block_delta",
                      index_of(text) + R"(,"delta":{"type":"text_delta","text":")" + piece + "\"}");
       },
       [](int text) { return event("content_block_stop", index_of(text)); },
       event("message_delta", R"(,"delta":{"stop_reason":"end_turn"})") + event("message_stop", ""),
       "content_block_delta", [](json_value one) { return std::string(one["index"].raw()); },
       [](json_value one) { return one["delta"]["text"].string(); }});
  all.push_back({"responses", event("response.created", R"(,"response":{"object":"response","output":[]})"),
                 [](int) { return std::string(); },
                 [](int text, const std::string& piece) {
                   return event("response.output_text.delta", item_of(text) + ",\"delta\":\"" + piece + "\"");
                 },
                 [](int text) { return event("response.output_text.done", item_of(text)); },
                 event("response.completed", R"(,"response":{"object":"response","output":[]})"),
                 "response.output_text.delta",
                 [](json_value one) { return std::string(one["output_index"].raw()); },
                 [](json_value one) { return one["delta"].string(); }});
  all.push_back({"ai-sdk-ui", unnamed("start", ""),
                 [](int text) { return unnamed("text-start", id_of("id", text)); },
                 [](int text, const std::string& piece) {
                   return unnamed("text-delta", id_of("id", text) + ",\"delta\":\"" + piece + "\"");
                 },
                 [](int text) { return unnamed("text-end", id_of("id", text)); },
                 unnamed("finish", "") + "data: [DONE]\n\n", "text-delta",
                 [](json_value one) { return std::string(one["id"].string().substr(1)); },
                 [](json_value one) { return one["delta"].string(); }});
  all.push_back({"ag-ui", unnamed("RUN_STARTED", R"(,"threadId":"t","runId":"r")"),
                 [](int text) {
                   return unnamed("TEXT_MESSAGE_START", id_of("messageId", text) + R"(,"role":"assistant")");
                 },
                 [](int text, const std::string& piece) {
                   return unnamed("TEXT_MESSAGE_CONTENT",
                                  id_of("messageId", text) + ",\"delta\":\"" + piece + "\"");
                 },
                 [](int text) { return unnamed("TEXT_MESSAGE_END", id_of("messageId", text)); },
                 unnamed("RUN_FINISHED", R"(,"threadId":"t","runId":"r")"), "TEXT_MESSAGE_CONTENT",
                 [](json_value one) { return std::string(one["messageId"].string().substr(1)); },
                 [](json_value one) { return one["delta"].string(); }});
  return all;
}

const std::vector<std::string> texts{
    "🐍 Sales rose [A](https://a.example/x), [B](https://b.example) and fell ([A](https://a.example/x)) é.",
    "One [A](https://a.example/x)word. `[c](d)` [B](https://b.example)", "Not closed [A](https://a.example"};

/// What a client makes of a stream.
struct client_view {
  std::map<std::string, std::string> texts;  ///< by text
  std::string all;                           ///< in the order of arrival
  std::vector<std::string> cited;            ///< what is printed for each citation, and its text
};

client_view view_of(const protocol& by, std::string_view stream) {
  client_view out;
  for (const std::string& payload : payloads(stream)) {
    if (payload == "[DONE]") continue;
    const document one = parsed(payload);
    if (one.root()["type"].string() != by.delta_type || by.piece_of(one.root()).empty()) continue;
    const std::string_view piece = by.piece_of(one.root());
    out.texts[by.text_of(one.root())] += piece;
    out.all += piece;
  }
  for (const std::string& payload : payloads(stream)) {
    if (payload.find("\"citations\":[{\"number\"") == std::string::npos) continue;
    const document one = parsed(payload);
    json_value record = one.root()["citestream"];
    for (const char* const name : {"response", "data", "value"}) {
      if (!record) record = one.root()[name]["citations"] ? one.root()[name] : one.root()[name]["citestream"];
    }
    for (json_value cite = record["citations"].first(); cite; cite = cite.next()) {
      const auto start = static_cast<std::size_t>(cite["start"].integer().value());
      const auto end = static_cast<std::size_t>(cite["end"].integer().value());
      out.cited.push_back(out.all.substr(start, end - start) + ' ' + std::string(cite["path"].raw()) + ' ' +
                          std::string(cite["number"].raw()));
    }
  }
  std::ranges::sort(out.cited);
  return out;
}

/// The texts, piece by piece in turn. Pieces of \p size characters.
std::string alternating(const protocol& by, std::size_t size, bool ended) {
  const auto next_of = [size](std::string_view rest) {
    std::size_t end = std::min(size, rest.size());
    while (end < rest.size() && (static_cast<unsigned char>(rest[end]) & 0xC0U) == 0x80U) ++end;
    return end;
  };
  std::string out = by.first;
  std::vector<std::string_view> rest(texts.begin(), texts.end());
  for (int i = 0; i < static_cast<int>(rest.size()); ++i) out += by.begin(i);
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i].empty()) continue;
      any = true;
      const std::size_t end = next_of(rest[i]);
      out += by.delta(static_cast<int>(i), std::string(rest[i].substr(0, end)));
      rest[i].remove_prefix(end);
    }
  }
  for (int i = 0; ended && i < static_cast<int>(rest.size()); ++i) out += by.end(i);
  return out + by.last;
}

/// The texts one after the other.
std::string in_order(const protocol& by, const std::vector<std::string>& all = texts) {
  std::string out = by.first;
  for (int i = 0; i < static_cast<int>(all.size()); ++i)
    out += by.begin(i) + by.delta(i, all[static_cast<std::size_t>(i)]) + by.end(i);
  return out + by.last;
}

/// An answer without lists of markers and parentheses, which a cut may change.
const std::string cited_words =
    "It rose [A](https://a.example/x) fast[B](https://b.example) and then [A](https://a.example/x) fell";

/// `cited_words` divided into two texts, at every place outside a marker and its label.
std::vector<std::vector<std::string>> divided() {
  std::vector<std::vector<std::string>> out;
  for (std::size_t at = 1; at < cited_words.size(); ++at) {
    const std::size_t opens = cited_words.rfind('[', at - 1);
    const std::size_t closes = cited_words.rfind(')', at - 1);
    const bool inside = opens != std::string::npos && (closes == std::string::npos || closes < opens);
    if (!inside) out.push_back({cited_words.substr(0, at), cited_words.substr(at)});
  }
  return out;
}

/// A text with one blank for each run of blanks.
std::string single_spaced(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    if (byte != ' ' || !out.ends_with(' ')) out += byte;
  }
  return out;
}

session_options options_for_texts(const style& how) {
  session_options options = options_for(how);
  options.offsets = offset_unit::utf8;
  for (const char* const url : {"https://a.example/x", "https://b.example"}) {
    reference ref;
    ref.url = ref.id = url;
    ref.type = source_type::web;
    options.references.push_back(ref);
  }
  return options;
}

}  // namespace

TEST_CASE("texts of an answer that alternate are the same as one after the other") {
  for (const protocol& by : protocols()) {
    for (const style* how : {&strip_style, &numeric_style, &superscript_style, &keep_style}) {
      const session_options options = options_for_texts(*how);
      const client_view expected = view_of(by, run_whole(options, in_order(by)).out);
      if (how != &keep_style) REQUIRE(expected.cited.size() == 5);
      for (const std::size_t size : {1U, 2U, 3U, 5U, 8U, 13U, 30U}) {
        for (const bool ended : {true, false}) {
          INFO(by.name << ' ' << how->name << ' ' << size << ' ' << ended);
          const stream_run seen = run_whole(options, alternating(by, size, ended));
          const client_view view = view_of(by, seen.out);
          CHECK(view.texts == expected.texts);
          if (how != &keep_style) CHECK(view.cited == expected.cited);
          CHECK_FALSE(seen.end);
          if (how != &keep_style) CHECK(seen.counts.resolved == 5);
        }
      }
    }
  }
}

TEST_CASE("typed events have all that alternating texts send with egress enforced") {
  for (const protocol& by : protocols()) {
    for (const style* how : {&strip_style, &keep_style}) {
      session_options options = options_for(*how);
      options.egress = egress_mode::enforce;
      options.typed_events = true;
      for (const std::size_t size : {1U, 2U, 3U, 5U, 8U}) {
        INFO(by.name << ' ' << how->name << ' ' << size);
        const stream_run seen = run_whole(options, alternating(by, size, true));
        CHECK(text_of(seen) == view_of(by, seen.out).all);
      }
    }
  }
}

TEST_CASE("words are not joined where an answer is divided into texts") {
  for (const protocol& by : protocols()) {
    for (const auto& [how, expected] : {std::pair{&strip_style, "It rose fast and then fell"},
                                        std::pair{&numeric_style, "It rose [1] fast[2] and then [1] fell"}}) {
      for (const std::vector<std::string>& two : divided()) {
        INFO(by.name << ' ' << how->name << ": " << two[0] << '|' << two[1]);
        const client_view view = view_of(by, run_whole(options_for_texts(*how), in_order(by, two)).out);
        CHECK(single_spaced(view.all) == expected);
      }
    }
  }
}

TEST_CASE("words are not joined in a body with several texts") {
  const std::string two = R"({"type":"TYPE","text":"Sales rose"},{"type":"TYPE","text":"[a](id1) and fell"})";
  for (const auto& [type, first, last] :
       {std::tuple{"text", R"({"type":"message","role":"assistant","id":"m","content":[)", "]}"},
        std::tuple{"output_text", R"({"object":"response","output":[{"type":"message","content":[)",
                   "]}]}"}}) {
    std::string body = first + two + last;
    for (std::size_t at = body.find("TYPE"); at != std::string::npos; at = body.find("TYPE"))
      body.replace(at, 4, type);
    session one(options_for(strip_style));
    std::string out;
    CHECK_FALSE(one.rewrite_body(body, out));
    CHECK(out.find(R"("text":" and fell")") != std::string::npos);
  }
}

TEST_CASE("a text that begins again sends what an interrupted text with its id holds") {
  for (const protocol& by : protocols()) {
    INFO(by.name);
    std::string stream = by.first;
    std::string expected;
    for (int round = 0; round < 70; ++round) {  // more than texts can be set aside at once
      stream += by.begin(0) + by.delta(0, "Hello [abc") + by.begin(1) + by.delta(1, "[two.");
      expected += "Hello [abc";
    }
    const stream_run seen = run_whole(options_for_texts(strip_style), stream + by.last);
    CHECK(view_of(by, seen.out).texts["0"] == expected);
  }
}

TEST_CASE("the bytes held back are those of all texts") {
  for (const protocol& by : protocols()) {
    INFO(by.name);
    session one(options_for_texts(strip_style));
    std::string out;
    CHECK_FALSE(one.write(
        by.first + by.begin(0) + by.delta(0, "Hello [abc") + by.begin(1) + by.delta(1, "two"), out));
    CHECK(one.statistics().held == 5);  // the blank and `[abc`
  }
}

TEST_CASE("a marker over the limit of citations remains text in every text") {
  session_options options = options_for_texts(strip_style);
  options.bounds.max_citations = 1;
  for (const protocol& by : protocols()) {
    INFO(by.name);
    const std::string stream = by.first + by.begin(0) + by.delta(0, "a ([x](f-1)") + by.begin(1) +
                               by.delta(1, "[y](f-2) z") + by.delta(0, " more") + by.last;
    const stream_run seen = run_whole(options, stream);
    CHECK(view_of(by, seen.out).texts["1"] == "[y](f-2) z");
  }
}

TEST_CASE("repeats of a text that is too long to keep pass unchanged") {
  session_options options = options_for_texts(strip_style);
  options.bounds.max_body_bytes = 40;
  for (const std::size_t padding : {10U, 60U}) {
    INFO(padding);
    const std::string words = "See [a](f-1) here" + std::string(padding, '.');
    const std::string delta =
        event("response.output_text.delta", item_of(0) + ",\"delta\":\"" + words + "\"");
    const std::string more = event("response.output_text.delta", item_of(0) + ",\"delta\":\" now\"");
    const std::string done =
        event("response.output_text.done", item_of(0) + ",\"text\":\"" + words + " now\"");
    const std::string created = event("response.created", R"(,"response":{"object":"response","output":[]})");
    const stream_run seen = run_whole(options, created + delta + more + done);
    const bool kept = padding == 10;
    CHECK((seen.out.find("\"text\":\"See here") != std::string::npos) == kept);
    CHECK((seen.out.find("\"text\":\"See [a](f-1) here") != std::string::npos) == !kept);
    CHECK(seen.counts.unconverted == (kept ? 0 : 1));
  }
}

TEST_CASE("texts over the limit that come only in a repeat pass unchanged") {
  session_options options = options_for_texts(strip_style);
  options.bounds.max_texts = 3;
  std::string items;
  for (int i = 0; i < 5; ++i)
    items += (i > 0 ? "," : "") + std::string(R"({"type":"message","id":"m)") + std::to_string(i) +
             R"(","content":[{"type":"output_text","annotations":[],"text":"x [A](b) y)" + std::to_string(i) +
             R"("}]})";
  session one(options);
  std::string out;
  CHECK_FALSE(one.write(
      event("response.created", R"(,"response":{"object":"response","output":[]})") +
          event("response.completed", R"(,"response":{"object":"response","output":[)" + items + "]}"),
      out));
  CHECK(one.cites(0).all().size() == 3);
  std::size_t unchanged = 0;
  for (std::size_t at = 0; (at = out.find("\"x [A](b) y", at)) != std::string::npos; ++at) ++unchanged;
  CHECK(unchanged == 2);
}

TEST_CASE("all texts of a body are rewritten") {
  session_options options = options_for_texts(strip_style);
  options.bounds.max_texts = 3;
  std::string content;
  for (int i = 0; i < 5; ++i)
    content += (i > 0 ? "," : "") + std::string(R"({"type":"text","text":"x [A](b) y"})");
  session one(options);
  std::string out;
  CHECK_FALSE(one.rewrite_body(R"({"type":"message","role":"assistant","content":[)" + content + "]}", out));
  CHECK(one.cites(0).all().size() == 5);
  CHECK(out.find("x [A]") == std::string::npos);
}

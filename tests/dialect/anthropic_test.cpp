// Answers of Anthropic Messages: each text block is a text of its own.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dialect/client_view.hpp"
#include "support/data.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string event(const std::string& type, const std::string& rest = {}) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
}

std::string delta(int block, const std::string& members) {
  return event("content_block_delta", ",\"index\":" + std::to_string(block) + ",\"delta\":{" + members + "}");
}

std::string text(int block, const std::string& piece) {
  return delta(block, R"("type":"text_delta","text":")" + piece + "\"");
}

std::string block(int index, const std::string& inner) {
  const std::string at = ",\"index\":" + std::to_string(index);
  return event("content_block_start", at + R"(,"content_block":{"type":"text","text":""})") + inner +
         event("content_block_stop", at);
}

const std::string message_delta =
    event("message_delta", R"(,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3})");

std::string message(const std::string& blocks, const std::string& end = message_delta) {
  return event("message_start",
               R"(,"message":{"type":"message","role":"assistant","id":"m","content":[],"usage":{}})") +
         blocks + end + event("message_stop");
}

const std::string named = delta(1, R"("type":"citations_delta","citation":{"type":)"
                                   R"("web_search_result_location","cited_text":"Sales rose.","url":)"
                                   R"("https://a.example/x","title":"Page A","encrypted_index":"E"})");

const std::string answer_stream = message(
    block(0, text(0, "🐍 In short [") + event("ping") + text(0, "T](https://a.example/") + event("ping") +
                 text(0, "x): ")) +
    block(1, named + text(1, "sales rose [B](gone)") + text(1, " much")) + block(2, text(2, ". See [T")));

const std::string answer_body =
    R"({"type":"message","role":"assistant","id":"m","content":[)"
    R"({"type":"text","text":"🐍 In short [T](https://a.example/x): "},)"
    R"({"type":"text","text":"sales rose [B](gone) much","citations":[{"type":"web_search_result_location",)"
    R"("cited_text":"Sales rose.","url":"https://a.example/x","title":"Page A","encrypted_index":"E"}]},)"
    R"({"type":"text","text":". See [T"}],"stop_reason":"end_turn","usage":{"output_tokens":3}})";

block_view view_of(std::string_view bytes) {
  block_view out;
  for (const std::string& payload : payloads(bytes)) {
    const document one = parsed(payload);
    const json_value root = one.root();
    const std::string_view type = root["type"].string();
    out.types.emplace_back(type);
    if (type == "content_block_delta" && root["delta"]["type"].string() == "text_delta")
      out.texts[root["index"].integer().value()] += root["delta"]["text"].string();
    if (type == "message_delta") out.records = root["citestream"].raw();
  }
  return out;
}

/// The citations in a list, or in the events of a stream, without those of the provider in `named`.
std::vector<std::string> ours_in(json_value list) {
  std::vector<std::string> out;
  for (json_value one = list.first(); one; one = one.next()) {
    if (one["encrypted_index"].string().empty()) out.emplace_back(one.raw());
  }
  return out;
}

}  // namespace

TEST_CASE("message_stop has the records if there is no message_delta") {
  for (const std::string& end : {message_delta, std::string()}) {
    const std::string stream = message(block(0, text(0, "It grew [T](gone).")), end);
    std::vector<std::string> with_records;
    for (const std::string& payload : payloads(run_whole(options_for(strip_style), stream).out)) {
      const document one = parsed(payload);
      if (one.root()["citestream"]) with_records.emplace_back(one.root()["type"].string());
    }
    CHECK(with_records == std::vector<std::string>{end.empty() ? "message_stop" : "message_delta"});
  }
}

TEST_CASE("each text block of a message is clean") {
  const std::pair<const style*, std::map<std::int64_t, std::string>> styles[] = {
      {&strip_style, {{0, "🐍 In short: "}, {1, "sales rose much"}, {2, ". See [T"}}},
      {&numeric_style, {{0, "🐍 In short [1]: "}, {1, "sales rose [2] much"}, {2, ". See [T"}}}};
  for (const auto& [how, expected] : styles) {
    INFO(how->name);
    const stream_run seen = run_whole(options_for(*how), answer_stream);
    CHECK(view_of(seen.out).texts == expected);
    CHECK(seen.counts.resolved == 1);
    CHECK(seen.counts.unresolved == 1);
    CHECK_FALSE(seen.end);
  }
}

TEST_CASE("how a message is cut decides nothing") {
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    CHECK(cut_difference(options_for(*how), answer_stream) == "");
  }
}

TEST_CASE("a body of a message has the texts and the records of the stream") {
  // Not with footnotes: their list names what is known when a text ends.
  for (const style* how : {&keep_style, &strip_style, &numeric_style}) {
    INFO(how->name);
    const block_view streamed = view_of(run_whole(options_for(*how), answer_stream).out);
    session one(options_for(*how));
    std::string body;
    REQUIRE_FALSE(one.rewrite_body(answer_body, body));
    const document seen = parsed(body);
    for (const auto& [index, text] : streamed.texts)
      CHECK(seen.root()["content"][static_cast<std::size_t>(index)]["text"].string() == text);
    CHECK(seen.root()["citestream"].raw() == streamed.records);
  }
}

TEST_CASE("a ping does not release held text and nothing is added for it") {
  const block_view seen = view_of(run_whole(options_for(strip_style), answer_stream).out);
  std::vector<std::string> types = view_of(answer_stream).types;
  // The blank at the end of the first block and the rest of the last one are events before the block's end.
  const auto stop = std::find(types.begin(), types.end(), "content_block_stop");
  types.insert(stop, "content_block_delta");
  const auto last = std::find(types.rbegin(), types.rend(), "content_block_stop");
  types.insert(last.base() - 1, "content_block_delta");
  CHECK(seen.types == types);
}

TEST_CASE("a message without its last event is incomplete") {
  const std::string end = event("message_stop");
  const std::string cut = answer_stream.substr(0, answer_stream.size() - end.size());
  const stream_run seen = run_whole(options_for(strip_style), cut);
  CHECK(seen.end.code == errc::upstream_incomplete);
  CHECK(seen.out.ends_with(
      "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":"
      "\"the upstream ended inside the answer\"}}\n\n"));
}

TEST_CASE("a message without markers passes unchanged") {
  session_options options = options_for(strip_style);
  options.add = additions::never;
  const std::string plain =
      message(block(0, text(0, "One") + text(0, " two")) + block(1, named + text(1, ".")));
  CHECK(run_whole(options, plain).out == plain);
}

TEST_CASE("recorded messages pass unchanged but for their records") {
  if (!have_data("recordings/providers/anthropic")) return;
  std::size_t streams = 0;
  session_options options = options_for(strip_style);
  options.add = additions::never;
  for (const auto& entry :
       std::filesystem::directory_iterator(data_dir() / "recordings/providers/anthropic")) {
    if (entry.path().extension() != ".sse") continue;
    INFO(entry.path().string());
    const std::string bytes = read_file(entry.path());
    const stream_run seen = run_whole(options, bytes);
    CHECK(view_of(seen.out).texts == view_of(bytes).texts);
    CHECK(seen.counts.passed_through == 0);
    CHECK_FALSE(seen.end);
    ++streams;
  }
  CHECK(streams >= 4);
}

TEST_CASE("a record of a message names the block of the citation") {
  CHECK(record_paths(view_of(run_whole(options_for(strip_style), answer_stream).out).records) ==
        std::vector<std::string>{R"({"block":0})", R"({"block":1})", R"({"block":1})"});
}

namespace {

const std::string page_t =
    R"({"type":"web_search_result_location","cited_text":"It says so.","url":"https://t.example","title":"T","encrypted_index":""})";

session_options options_with_page() {
  session_options options = options_for(strip_style);
  reference& page = options.references.emplace_back();
  page.type = source_type::web;
  page.url = "https://t.example";
  page.title = "T";
  page.text = "It says so.";
  return options;
}

const std::string twice = "One [a](https://t.example), two [b](https://t.example), three [c](gone).";

}  // namespace

TEST_CASE("a page that a block of Anthropic cites is a citation of the block") {
  const std::string stream = message(block(0, text(0, twice)) + block(1, text(1, "No more.")));
  const std::string expected =
      event("content_block_delta",
            ",\"index\":0,\"delta\":{\"type\":\"citations_delta\",\"citation\":" + page_t + "}");
  const stream_run whole = run_whole(options_with_page(), stream);
  const std::size_t at = whole.out.find(expected);
  REQUIRE(at != std::string::npos);
  CHECK(whole.out.find("citations_delta", at + expected.size()) == std::string::npos);
  CHECK(whole.out.substr(at + expected.size()).starts_with(event("content_block_stop", ",\"index\":0")));
  CHECK(cut_difference(options_with_page(), stream) == "");
}

TEST_CASE("a page that the provider cites in a block of Anthropic is not cited again") {
  const std::string theirs =
      delta(0, R"("type":"citations_delta","citation":{"type":"web_search_result_location",)"
               R"("cited_text":"x","url":"https://T.example/","title":"T","encrypted_index":"E"})");
  const std::string out = run_whole(options_with_page(), message(block(0, theirs + text(0, twice)))).out;
  CHECK(out.find(theirs) != std::string::npos);
  CHECK(out.find("\"encrypted_index\":\"\"") == std::string::npos);
}

TEST_CASE("citations that a block of Anthropic starts with are those of the block") {
  for (const std::string begun : {"", "As"}) {
    const std::string start = event(
        "content_block_start", R"(,"index":0,"content_block":{"type":"text","text":")" + begun +
                                   R"(","citations":[{"type":"web_search_result_location","cited_text":)"
                                   R"("x","url":"https://a.example/x","title":"A","encrypted_index":"E"}]})");
    const std::string stream = message(start + text(0, " said [T](https://a.example/x). Yes.") +
                                       event("content_block_stop", ",\"index\":0"));
    const stream_run got = run_whole({}, stream);
    CHECK(got.out.find(start) != std::string::npos);
    CHECK(got.out.find("\"encrypted_index\":\"\"") == std::string::npos);
    const document records = parsed(view_of(got.out).records);
    CHECK(records.root()["citations"][0]["status"].string() == "resolved");
    CHECK(cut_difference({}, stream) == "");
  }
}

TEST_CASE("a body of Anthropic has our citations in the list of the block") {
  const std::string lists[] = {"", ",\"citations\":null", ",\"citations\":[]",
                               R"(,"citations":[{"type":"char_location","encrypted_index":"E"}])"};
  for (const std::string& list : lists) {
    INFO(list);
    const std::string body = R"({"type":"message","role":"assistant","content":[{"type":"text","text":")" +
                             twice + "\"" + list + R"(},{"type":"text","text":"No."}]})";
    session one(options_with_page());
    std::string out;
    REQUIRE_FALSE(one.rewrite_body(body, out));
    const document seen = parsed(out);
    const json_value blocks = seen.root()["content"];
    CHECK(ours_in(blocks[0]["citations"]) == std::vector<std::string>{page_t});
    CHECK_FALSE(blocks[1]["citations"]);
    const bool kept = blocks[0]["citations"].raw().find("char_location") != std::string_view::npos;
    CHECK(kept == (list.find("char_location") != std::string::npos));
  }
}

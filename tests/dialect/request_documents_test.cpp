// Answers that cite documents and search results of their request.
#include <citestream/provenance/provenance.hpp>
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

session_options options_of(std::string_view request) {
  session_options options;
  REQUIRE_FALSE(read_request_references(request, options.references));
  return options;
}

std::string named(const std::string& type, const std::string& rest) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
}

std::string delta(const std::string& inner) {
  return named("content_block_delta", R"(,"index":0,"delta":{)" + inner + "}");
}

/// An answer of Anthropic with one block. Each of \p texts is an event; \p before comes before them.
std::string message(const std::vector<std::string>& texts, const std::string& before = {}) {
  std::string out =
      named("message_start",
            R"(,"message":{"type":"message","role":"assistant","id":"m","content":[],"usage":{}})") +
      named("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})") + before;
  for (const std::string& text : texts) out += delta(R"("type":"text_delta","text":")" + text + "\"");
  return out + named("content_block_stop", R"(,"index":0)") +
         named("message_delta", R"(,"delta":{"stop_reason":"end_turn"})") + named("message_stop", "");
}

std::string cited(const std::string& members) {
  return delta(R"("type":"citations_delta","citation":{)" + members + "}");
}

/// The member `citestream` of the stream's events.
std::string records_of(std::string_view stream) {
  for (const std::string& payload : payloads(stream)) {
    const document one = parsed(payload);
    if (const json_value found = one.root()["citestream"]) return std::string(found.raw());
  }
  return {};
}

const std::string request =
    R"({"messages":[{"role":"user","content":[)"
    R"({"type":"document","source":{"type":"text","data":"The Aurora 4 lasts 19 hours. Its case is recycled."},"title":"Specs"},)"
    R"({"type":"document","source":{"type":"base64","data":"JVBERi0="},"title":"Scan"},)"
    R"({"type":"search_result","source":"https://a.example/r","title":"Review","content":[{"type":"text","text":"Bright."}]}]}]})";

}  // namespace

TEST_CASE("markers cite documents of the request by number and by title and by address") {
  const std::string stream = message(
      {"It lasts 19 hours [1]", ". A [scan](Scan), b [3] c [r](https://a.ex", "ample/r) d [doc2] e [7]"});
  session_options options = options_of(request);
  const stream_run whole = run_whole(options, stream);
  const std::string records = records_of(whole.out);
  const document parsed_records = parsed(records);
  std::vector<std::string> titles;
  const json_value list = parsed_records.root()["citations"];
  for (json_value one = list.first(); one; one = one.next()) titles.emplace_back(one["title"].string());
  CHECK(titles == std::vector<std::string>{"Specs", "Scan", "Review", "Review", "Scan", ""});
  CHECK(whole.counts.resolved == 5);
  CHECK(whole.counts.unresolved == 1);
  CHECK(cut_difference(options, stream) == "");
}

TEST_CASE("a provider's citation has its document's title and its marker's number") {
  const std::string stream = message(
      {"It lasts 19 hours [1]."},
      cited(R"("type":"char_location","cited_text":"lasts 19 hours","document_index":0,)"
            R"("document_title":null,"start_char_index":13,"end_char_index":27)") +
          cited(R"("type":"page_location","cited_text":"p","document_index":1,)"
                R"("document_title":null,"start_page_number":1,"end_page_number":2)") +
          cited(R"("type":"search_result_location","cited_text":"Bright.","search_result_index":0,)"
                R"("source":"https://a.example/r","title":null,"start_block_index":0,"end_block_index":1)"));
  const stream_run whole = run_whole(options_of(request), stream);
  const document records = parsed(records_of(whole.out));
  const json_value list = records.root()["citations"];
  std::vector<std::string> found;
  for (json_value one = list.first(); one; one = one.next()) {
    found.push_back(std::string(one["number"].raw()) + " " + std::string(one["origin"].string()) + " " +
                    std::string(one["title"].string()));
  }
  CHECK(found == std::vector<std::string>{"1 both Specs", "2 provider Scan", "3 provider Review"});
  CHECK(records.root()["uncited"].raw() == "[]");
}

TEST_CASE("a marker that the provider cites with has the passage that the provider quotes") {
  const std::string quote =
      cited(R"("type":"char_location","cited_text":"lasts 19 hours","document_index":0,)"
            R"("document_title":null,"start_char_index":13,"end_char_index":27)");
  const std::string stream = message({"It lasts 19 hours [1]. Good [1]."}, quote);
  const document records = parsed(records_of(run_whole(options_of(request), stream).out));
  const json_value list = records.root()["citations"];
  CHECK(list[0]["origin"].string() == "both");
  CHECK(list[0]["snippet"].string() == "lasts 19 hours");
  CHECK(list[0]["references"][0]["excerpts"].raw() == R"(["lasts 19 hours"])");
  CHECK(list[0]["references"][0]["source_span"].raw() == R"({"unit":"char","start":13,"end":27,"base":0})");
  CHECK(list[0]["references"][1]["text"].string() == "The Aurora 4 lasts 19 hours. Its case is recycled.");
  CHECK(list[1]["origin"].string() == "marker");
  CHECK_FALSE(list[1]["references"][0]["excerpts"]);
}

TEST_CASE("a document that only the provider cites is not uncited") {
  const std::string stream =
      message({"It lasts."}, cited(R"("type":"char_location","cited_text":"lasts","document_index":0,)"
                                   R"("document_title":"Specs","start_char_index":13,"end_char_index":18)"));
  const document records = parsed(records_of(run_whole(options_of(request), stream).out));
  std::vector<std::string> uncited;
  const json_value list = records.root()["uncited"];
  for (json_value one = list.first(); one; one = one.next()) uncited.emplace_back(one["title"].string());
  CHECK(uncited == std::vector<std::string>{"Scan", "Review"});
}

TEST_CASE("a document of Cohere that the answer cites in both ways is one reference") {
  const std::string asked =
      R"({"documents":[{"id":"mine","data":{"title":"Specs","snippet":"19 hours."}},{"data":{"title":"T"}}],"messages":[]})";
  const auto event = [](const std::string& payload) { return "data: " + payload + "\n\n"; };
  const std::string stream =
      event(
          R"({"id":"1","type":"message-start","delta":{"message":{"role":"assistant","content":[],"citations":[]}}})") +
      event(
          R"({"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}})") +
      event(
          R"({"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"19 hours [1]."}}}})") +
      event(
          R"({"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,"end":8,"text":"19 hours","type":"TEXT_CONTENT","sources":[{"type":"document","id":"mine","document":{"id":"mine","title":"Specs","snippet":"19 hours."}}]}}}})") +
      event(R"({"type":"citation-end","index":0})") + event(R"({"type":"content-end","index":0})") +
      event(R"({"type":"message-end","delta":{"finish_reason":"COMPLETE"}})");
  const stream_run whole = run_whole(options_of(asked), stream);
  std::string all;
  for (const std::string& payload : payloads(whole.out)) {
    const document one = parsed(payload);
    if (const json_value found = one.root()["delta"]["citestream"]) all = found.raw();
  }
  const document records = parsed(all);
  const json_value cite = records.root()["citations"].first();
  CHECK(cite["origin"].string() == "both");
  CHECK(cite["references"].first()["text"].string() == "19 hours.");
  CHECK_FALSE(cite["references"].first().next());
  CHECK(records.root()["uncited"].first()["title"].string() == "T");
}

TEST_CASE("keys of tool results and documents of one request are both cited") {
  const std::string asked =
      R"({"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","data":"A."},"title":"Doc"}]},)"
      R"({"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":{}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"12%"}]}]})";
  session_options options = options_of(asked);
  std::string changed;
  REQUIRE_FALSE(add_provenance(asked, {}, changed, options.references));
  options.provenance = true;
  const stream_run whole = run_whole(options, message({"A [1], b [REF|d_1]."}));
  CHECK(whole.counts.resolved == 2);
  CHECK(whole.counts.unresolved == 0);
}

namespace {

/// The citations that the events of a stream bring, as JSON.
std::vector<std::string> citations_in(std::string_view stream) {
  std::vector<std::string> out;
  for (const std::string& payload : payloads(stream)) {
    const document one = parsed(payload);
    if (const json_value found = one.root()["delta"]["citation"]) out.emplace_back(found.raw());
  }
  return out;
}

std::string char_location(std::string_view words, int start) {
  text_offset size;
  size.advance(words);
  return R"({"type":"char_location","cited_text":")" + std::string(words) +
         R"(","document_index":0,"document_title":"Specs","start_char_index":)" + std::to_string(start) +
         R"(,"end_char_index":)" + std::to_string(start + static_cast<int>(size.codepoint)) +
         R"(,"file_id":null,"citestream":true})";
}

const std::string quotable =
    R"({"messages":[{"role":"user","content":[{"type":"document","title":"Specs","source":{"type":"text",)"
    R"("data":"🐍 Aurora 4. It lasts 19 höurs. Its case is recycled."}},)"
    R"({"type":"document","title":"Scan","source":{"type":"base64","data":"AA=="}}]}]})";

}  // namespace

TEST_CASE("a marker that cites a document quotes what its claim is about") {
  const std::string stream = message(
      {"It lasts 19 höurs [", "1]. The case is recycled [1], and red [2]. It is blue and loud [1].", " End"});
  const session_options options = options_of(quotable);
  const stream_run whole = run_whole(options, stream);
  const std::vector<std::string> expected{char_location("It lasts 19 höurs.", 12),
                                          char_location("Its case is recycled.", 31)};
  CHECK(citations_in(whole.out) == expected);
  CHECK(cut_difference(options, stream) == "");
}

TEST_CASE("a body quotes documents as its stream does") {
  const std::string body =
      R"({"type":"message","role":"assistant","id":"m","content":[{"type":"text","text":"It lasts 19 höurs [1]."},)"
      R"({"type":"text","text":"The case is recycled [1]."}],"stop_reason":"end_turn"})";
  session one(options_of(quotable));
  std::string out;
  REQUIRE_FALSE(one.rewrite_body(body, out));
  const document made = parsed(out);
  const json_value content = made.root()["content"];
  CHECK(content.first()["citations"].raw() == "[" + char_location("It lasts 19 höurs.", 12) + "]");
  CHECK(content.first().next()["citations"].raw() == "[" + char_location("Its case is recycled.", 31) + "]");
}

TEST_CASE("a document that the provider cites in a block gets no citation of ours there") {
  const std::string theirs = R"("type":"char_location","cited_text":"It lasts 19 höurs.","document_index":0,)"
                             R"("document_title":"Specs","start_char_index":12,"end_char_index":30)";
  const stream_run whole =
      run_whole(options_of(quotable), message({"It lasts 19 höurs [1]."}, cited(theirs)));
  CHECK(citations_in(whole.out) == std::vector<std::string>{"{" + theirs + "}"});
}

TEST_CASE("an answer to a request with documents that has no marker is unchanged") {
  const std::string stream = message({"It lasts", " 19 höurs."});
  session_options options = options_of(quotable);
  options.add = additions::never;
  CHECK(run_whole(options, stream).out == stream);
}

TEST_CASE("documents are read for quotes up to a bound") {
  std::string text = "It lasts 19 hours. ";
  while (text.size() < 3 * 1024 * 1024) text += text;
  session_options options;
  reference& ref = options.references.emplace_back();
  ref.text = text;
  ref.number = 1;
  ref.requested = request_place{request_part::document, 0};
  ref.span = source_span{source_unit::character, 0, static_cast<std::int64_t>(text.size()), 0};
  std::string answer;
  for (int i = 0; i < 10; ++i) answer += "Lamp " + std::to_string(i) + " lasts 19 hours [1]. ";
  // The same words are quoted each time, so there is one citation; a second document would get none.
  CHECK(citations_in(run_whole(options, message({answer})).out).size() == 1);
  options.references.front().number = 2;
  reference small = ref;
  small.number = 1;
  small.text = "It lasts.";
  small.requested->index = 1;
  options.references.push_back(small);
  const std::string before = answer;
  std::string others = answer;
  for (std::size_t at = others.find("[1]"); at != std::string::npos; at = others.find("[1]"))
    others[at + 1] = '2';
  CHECK(citations_in(run_whole(options, message({others + "It lasts [1]."})).out).size() == 1);
  CHECK(citations_in(run_whole(options, message({"It lasts [1]."})).out).size() == 1);
}

namespace {

const std::string searched =
    R"({"input":[{"type":"function_call","call_id":"c0","name":"search","arguments":"{}"},)"
    R"({"type":"function_call_output","call_id":"c0","output":"[{\"title\":\"A\",\"url\":\"https://a.example/a\"},{\"title\":\"B\",\"url\":\"https://a.example/b\"}]"},)"
    R"({"type":"function_call","call_id":"c1","name":"open","arguments":"{}"},)"
    R"({"type":"function_call_output","call_id":"c1","output":"A page about cafés."}]})";

/// An answer of Responses with one text.
std::string response_with(const std::string& text) {
  const auto event = [](const std::string& type, const std::string& rest) {
    return named("response." + type, rest);
  };
  const std::string at = R"(,"item_id":"m","output_index":0,"content_index":0)";
  const std::string part = R"({"type":"output_text","annotations":[],"text":")" + text + "\"}";
  const std::string item = R"({"id":"m","type":"message","role":"assistant","content":[)" + part + "]}";
  return event("created", R"(,"response":{"id":"r","object":"response","output":[]})") +
         event("output_text.delta", at + R"(,"delta":")" + text + "\"") +
         event("output_text.done", at + R"(,"text":")" + text + "\"") +
         event("content_part.done", at + R"(,"part":)" + part) +
         event("output_item.done", R"(,"output_index":0,"item":)" + item) +
         event("completed", R"(,"response":{"id":"r","object":"response","output":[)" + item + "]}");
}

/// The records in the last event.
std::string response_records(std::string_view stream) {
  const document last = parsed(payloads(stream).back());
  const json_value found = last.root()["response"]["citestream"];
  return found ? std::string(found.raw()) : std::string();
}

}  // namespace

TEST_CASE("markers of OpenAI cite the results of the caller's tools by round and place") {
  const std::string stream = response_with(
      "One\uE200cite\uE202turn0search1\uE202turn0news0\uE201. "
      "Two\uE200cite\uE202turn1view0\uE202L1-L2\uE201. "
      "Three\uE200cite\uE202turn2search0\uE201. Not [1].");
  const session_options options = options_of(searched);
  const stream_run whole = run_whole(options, stream);
  CHECK(whole.counts.resolved == 3);
  CHECK(whole.counts.unresolved == 1);
  CHECK(whole.out.find("One. Two. Three. Not [1].") != std::string::npos);
  const document records = parsed(response_records(whole.out));
  const json_value list = records.root()["citations"];
  std::vector<std::string> titles;
  for (json_value one = list.first(); one; one = one.next()) titles.emplace_back(one["title"].string());
  CHECK(titles == std::vector<std::string>{"B", "A", "open", ""});
  CHECK(
      whole.out.find(
          R"("type":"url_citation","start_index":3,"end_index":3,"url":"https://a.example/b","title":"B")") !=
      std::string::npos);
  CHECK(cut_difference(options, stream) == "");
}

TEST_CASE("an answer that does not cite the results of tools has no record of them") {
  const std::string stream = response_with("Plain [1].");
  CHECK(run_whole(options_of(searched), stream).out == stream);
}

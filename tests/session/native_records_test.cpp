// Citations that the provider makes apart from the text: in the record with the words that they were about,
// for every cut, and without a change of the text.
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// A text with characters of all widths. Its markers are removed.
const std::string received =
    "\xF0\x9F\x98\x80 R\xC3\xA4in fell ([a](https://a.example/x)). Sun \xE2\x80\x94 shone. End";
const std::string sent = "\xF0\x9F\x98\x80 R\xC3\xA4in fell. Sun \xE2\x80\x94 shone. End";

/// `start,end` of \p words in the received text, with the given names of the members.
std::string span(std::string_view words, offset_unit unit, std::string_view first, std::string_view last) {
  const std::size_t at = received.find(words);
  REQUIRE(at != std::string::npos);
  text_offset start;
  start.advance(std::string_view(received).substr(0, at));
  text_offset end = start;
  end.advance(words);
  return json_string(first) + ":" + std::to_string(start.in(unit)) + "," + json_string(last) + ":" +
         std::to_string(end.in(unit));
}

std::string event(std::string_view payload, std::string_view name = {}) {
  std::string out = name.empty() ? "" : "event: " + std::string(name) + "\n";
  return out.append("data: ").append(payload).append("\n\n");
}

/// A text in pieces of five bytes, as `make(piece)`; pieces end between characters.
template <typename Make>
std::string deltas(Make make, std::string_view text = received) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + 5, text.size());
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    out += make(json_string(text.substr(at, end - at)));
    at = end;
  }
  return out;
}

std::string chat(std::string_view annotations, bool first, std::string_view text = received) {
  const auto chunk = [](const std::string& delta, std::string_view finish) {
    return event(R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{)" + delta +
                 R"(},"finish_reason":)" + std::string(finish) + "}]}");
  };
  const std::string list = R"("annotations":[)" + std::string(annotations) + "]";
  return chunk(R"("role":"assistant","content":"")", "null") + (first ? chunk(list, "null") : "") +
         deltas([&](const std::string& piece) { return chunk(R"("content":)" + piece, "null"); }, text) +
         (first ? chunk("", R"("stop")") : chunk(list, R"("stop")")) + event("[DONE]");
}

std::string url_citation(std::string_view url, const std::string& place) {
  return R"({"type":"url_citation","url_citation":{"url":")" + std::string(url) + R"(","title":"T",)" +
         place + "}}";
}

std::string responses(const std::vector<std::string>& annotations) {
  const auto typed = [](std::string_view type, const std::string& members) {
    return event("{\"type\":\"" + std::string(type) + "\"," + members + "}", type);
  };
  const std::string place = R"("output_index":1,"content_index":0,"item_id":"m")";
  std::string list;
  std::string out =
      typed("response.created", R"("response":{"object":"response","output":[],"background":false})") +
      deltas([&](const std::string& text) {
        return typed("response.output_text.delta", place + R"(,"delta":)" + text);
      });
  for (const std::string& one : annotations) {
    out += typed("response.output_text.annotation.added",
                 place + R"(,"annotation_index":0,"annotation":)" + one);
    list += (list.empty() ? "" : ",") + one;
  }
  const std::string part =
      R"({"type":"output_text","text":)" + json_string(received) + R"(,"annotations":[)" + list + "]}";
  out += typed("response.output_text.done", place + R"(,"text":)" + json_string(received));
  out += typed("response.content_part.done", place + R"(,"part":)" + part);
  return out + typed("response.completed",
                     R"("response":{"object":"response","output":[{"type":"reasoning"},{"type":"message",)"
                     R"("role":"assistant","content":[)" +
                         part + "]}]}");
}

std::string anthropic() {
  const auto typed = [](std::string_view type, const std::string& members) {
    return event("{\"type\":\"" + std::string(type) + "\"" + members + "}", type);
  };
  const auto block = [&](int index, const std::string& inside) {
    const std::string at = ",\"index\":" + std::to_string(index);
    return typed("content_block_start", at + R"(,"content_block":{"type":"text","text":""})") + inside +
           typed("content_block_stop", at);
  };
  const auto delta = [&](int index, const std::string& members) {
    return typed("content_block_delta",
                 ",\"index\":" + std::to_string(index) + ",\"delta\":{" + members + "}");
  };
  return typed("message_start", R"(,"message":{"type":"message","role":"assistant","content":[]})") +
         block(0, delta(0, R"("type":"text_delta","text":"First [x](y). ")")) +
         block(
             1,
             delta(1, R"("type":"citations_delta","citation":{"type":"char_location","cited_text":"Q",)"
                      R"("document_index":0,"document_title":"D","start_char_index":3,"end_char_index":4})") +
                 deltas([&](const std::string& text) {
                   return delta(1, R"("type":"text_delta","text":)" + text);
                 })) +
         block(2, delta(2, R"("type":"text_delta","text":" Last.")")) +
         typed("message_delta", R"(,"delta":{"stop_reason":"end_turn"})") + typed("message_stop", "");
}

std::string cohere() {
  const auto typed = [](std::string_view type, const std::string& members) {
    return event("{\"type\":\"" + std::string(type) + "\"" + members + "}", type);
  };
  const std::string words = "Sun \xE2\x80\x94 shone";
  const std::string source = R"({"type":"document","id":"doc:)";
  return typed("message-start", R"(,"delta":{"message":{"role":"assistant","content":[]}})") +
         deltas([&](const std::string& text) {
           return typed("content-delta",
                        R"(,"index":0,"delta":{"message":{"content":{"text":)" + text + "}}}");
         }) +
         typed("citation-start", R"(,"index":0,"delta":{"message":{"citations":{)" +
                                     span(words, offset_unit::codepoint, "start", "end") + R"(,"text":)" +
                                     json_string(words) + R"(,"sources":[)" + source +
                                     R"(0","document":{"title":"A"}},)" + source +
                                     R"(1","document":{"title":"B"}}]}}})") +
         typed("citation-end", R"(,"index":0)") + typed("content-end", R"(,"index":0)") +
         typed("message-end", R"(,"delta":{"finish_reason":"COMPLETE"})");
}

/// \param listed  an earlier chunk lists the sources
std::string gemini(bool listed = false) {
  const std::string words = "Sun \xE2\x80\x94 shone.";
  const auto chunk = [](const std::string& candidate) {
    return event(R"({"candidates":[{)" + candidate + R"(}],"modelVersion":"g"})");
  };
  const std::string sources = R"("groundingChunks":[{"web":{"uri":"https://b.example/","title":"B"}},)"
                              R"({"web":{"uri":"https://a.example/x","title":"A"}}])";
  const std::string text = R"("content":{"parts":[{"text":""}]})";
  return (listed ? chunk(text + R"(,"groundingMetadata":{)" + sources + "}") : "") +
         deltas([&](const std::string& piece) {
           return chunk(R"("content":{"parts":[{"text":)" + piece + "}]}");
         }) +
         chunk(text + R"(,"finishReason":"STOP","groundingMetadata":{)" + (listed ? "" : sources + ",") +
               R"("groundingSupports":[{"segment":{)" +
               span(words, offset_unit::utf8, "startIndex", "endIndex") + R"(,"text":)" + json_string(words) +
               R"(},"groundingChunkIndices":[0,1],"confidenceScores":[0.75,0.5]},{"segment":{)" +
               span("R\xC3\xA4in fell", offset_unit::utf8, "startIndex", "endIndex") +
               R"(,"text":"R\u00e4in fell"},"groundingChunkIndices":[1]}]})");
}

std::string interactions() {
  const auto typed = [](const std::string& type, const std::string& members) {
    return event("{" + members + ",\"event_type\":\"" + type + "\"}", type);
  };
  const std::string at = R"("index":1)";
  const std::string words = "Sun \xE2\x80\x94 shone";
  const auto place = [](std::string_view quote) {
    return span(quote, offset_unit::utf8, "start_index", "end_index");
  };
  return typed("interaction.created", R"("interaction":{"id":"i","object":"interaction"})") +
         typed("step.start", at + R"(,"step":{"type":"model_output"})") +
         deltas([&](const std::string& text) {
           return typed("step.delta", at + R"(,"delta":{"type":"text","text":)" + text + "}");
         }) +
         typed("step.delta", at +
                                 R"(,"delta":{"type":"text_annotation_delta","annotations":[)"
                                 R"({"type":"url_citation","url":"https://b.example/","title":"B",)" +
                                 place(words) + R"(},{"type":"url_citation","url":"https://a.example/x",)" +
                                 place("R\xC3\xA4in fell") +
                                 R"(},{"type":"file_citation","document_uri":"d","file_name":"F"}]})") +
         typed("step.stop", at) +
         typed("interaction.completed", R"("interaction":{"id":"i","object":"interaction"})");
}

struct record_run {
  std::string text;
  std::vector<std::string> records;  ///< in words
  std::string json;                  ///< of all records
  std::string out;
};

std::string words_of(const std::string& text, const text_offset& start, const text_offset& end) {
  return text.substr(start.utf8, end.utf8 - start.utf8);
}

record_run run_records(session_options options, const pieces& parts) {
  options.typed_events = true;
  session one(options);
  record_run result;
  std::vector<std::uint32_t> resolved;
  const auto drain = [&] {
    for (session_event found; one.next(found);) {
      if (found.type == session_event_type::text) result.text += found.text;
      if (found.type == session_event_type::resolved) resolved.push_back(found.record->number);
    }
  };
  for (const std::string_view part : parts) {
    static_cast<void>(one.write(part, result.out));
    drain();
  }
  CHECK_FALSE(one.finish(result.out));
  drain();
  const citations& cites = one.cites(0);
  std::size_t at = 0;
  for (const auto& list : {cites.all(), cites.native()}) {
    for (const citation& cite : list) {
      append_citation_json(cite, cites, 0, options.offsets, result.json);
      result.records.push_back(std::to_string(cite.number) + "/" + std::to_string(cite.group) + " " +
                               std::string(name(cite.origin)) + " " + std::string(name(cite.anchor)) + " <" +
                               words_of(result.text, cite.start, cite.end) + "> <" +
                               words_of(result.text, cite.claim_start, cite.claim_end) + "> " +
                               cite.identifier);
      REQUIRE(at < resolved.size());
      CHECK(resolved[at++] == cite.number);
    }
  }
  CHECK(at == resolved.size());
  return result;
}

/// The records of a stream, which are the same at every cut in two and byte by byte.
record_run records_of(const std::string& stream, const session_options& options = {}) {
  const record_run whole = run_records(options, {stream});
  for (std::size_t at = 1; at < stream.size(); ++at) {
    const std::string_view bytes = stream;
    const record_run cut = run_records(options, {bytes.substr(0, at), bytes.substr(at)});
    REQUIRE(cut.out == whole.out);
    REQUIRE(cut.json == whole.json);
  }
  const record_run small = run_records(options, cut_every(stream, 1));
  CHECK(small.out == whole.out);
  CHECK(small.json == whole.json);
  return whole;
}

using lines = std::vector<std::string>;

const std::string marked = "[a](https://a.example/x)";
const std::string rain = "\xF0\x9F\x98\x80 R\xC3\xA4in fell";
const std::string sun = "Sun \xE2\x80\x94 shone";

}  // namespace

TEST_CASE("chat annotations are in the record at a marker or at their own words") {
  const std::string both = url_citation(
      "https://a.example/x", span("(" + marked + ")", offset_unit::codepoint, "start_index", "end_index"));
  const std::string own =
      url_citation("https://b.example/", span(sun, offset_unit::codepoint, "start_index", "end_index"));
  for (const bool first : {false, true}) {
    const record_run got = records_of(chat(both + "," + own, first));
    CHECK(got.text == sent);
    CHECK(got.records == lines{"1/0 both marker <> <" + rain + "> https://a.example/x",
                               "2/1 provider marker <" + sun + "> <> https://b.example/"});
    CHECK(got.json.find(R"("match":"native")") != std::string::npos);
    CHECK(got.json.find(R"("native":)" + own.substr(0, own.size() - 1) +
                        R"(,"unit":"codepoint","end_inclusive":false})") != std::string::npos);
  }
  for (const char* dialect : {"openai", "openrouter", "xai", "rag", "mistral", "cloudflare"}) {
    session_options options;
    options.style = &strip_style;
    options.dialect = find_dialect(dialect);
    options.grammars = {&link_grammar};
    INFO(dialect);
    CHECK(records_of(chat(both, false), options).records ==
          lines{"1/0 both marker <> <" + rain + "> https://a.example/x"});
  }
  // OpenRouter does not say where.
  const record_run got =
      records_of(chat(url_citation("https://b.example/", R"("start_index":0,"end_index":0)") + "," +
                          url_citation("https://a.example/x", R"("start_index":0,"end_index":0)"),
                      true));
  CHECK(got.records == lines{"1/0 both marker <> <" + rain + "> https://a.example/x",
                             "2/1 provider none <> <> https://b.example/"});
  CHECK(got.json.find(R"("unit":"none","end_inclusive":false)") != std::string::npos);
}

namespace {

std::string from_to(int start, int end) {
  return R"("start_index":)" + std::to_string(start) + R"(,"end_index":)" + std::to_string(end);
}

session_options numeric_markers(std::string_view style = "strip") {
  session_options options;
  options.grammars = {find_grammar("numeric")};
  options.style = find_style(style);
  return options;
}

}  // namespace

TEST_CASE("an unresolved marker cites what the provider annotates there") {
  const std::string text = "Fact [1] more [2][3], and [1].";
  const std::string list = url_citation("https://a.example/", from_to(5, 8)) + "," +
                           url_citation("https://b.example/", from_to(17, 20)) +
                           "," +  // [3], which `strip` moves to the place of [2]
                           url_citation("https://c.example/", from_to(22, 25));
  for (const bool first : {false, true}) {
    const record_run got = records_of(chat(list, first, text), numeric_markers());
    CHECK(got.text == "Fact more, and.");
    CHECK(got.records == lines{"1/0 both marker <> <Fact> 1", "2/1 marker marker <> <more> 2",
                               "3/2 both marker <> <more> 3", "1/3 marker marker <> <, and> 1",
                               "4/4 provider marker <and> <> https://c.example/"});
    CHECK(got.json.find(R"("identifier":"1","marker":"[1]","start":4,"end":4,"claim_start":0,"claim_end":4,)"
                        R"("anchor":"marker","native":{)") != std::string::npos);
    std::size_t resolved = 0;
    for (std::size_t at = 0; (at = got.json.find(R"("status":"resolved")", at)) != std::string::npos; ++at)
      ++resolved;
    CHECK(resolved == 4);
    CHECK(got.out.find(R"("uncited":[])") != std::string::npos);
    const record_run printed = records_of(chat(list, first, text), numeric_markers("numeric"));
    CHECK(printed.text == text);
    CHECK(printed.records[2] == "3/2 both marker <[3]> <more> 3");
  }
}

TEST_CASE("an annotation of a sentence does not say what the markers in it cite") {
  const std::string wide = url_citation("https://w.example/", from_to(0, 17));
  const std::string exact = url_citation("https://a.example/", from_to(5, 8));
  for (const bool first : {false, true}) {
    for (const std::string& list : {wide + "," + exact, exact + "," + wide}) {
      const record_run got = records_of(chat(list, first, "Fact [1] more [2]."), numeric_markers("numeric"));
      CHECK(got.records == lines{"1/0 both marker <[1]> <Fact> 1", "2/1 marker marker <[2]> <more> 2",
                                 "3/2 provider marker <Fact [1] more [2]> <> https://w.example/"});
    }
  }
  const std::string around = url_citation("https://a.example/", from_to(4, 9));
  const record_run got = records_of(chat(around, false, "Fact ([1])."), numeric_markers());
  CHECK(got.records == lines{"1/0 both marker <> <Fact> 1"});
}

TEST_CASE("a marker of another known source and the annotation there are two records") {
  session_options options = numeric_markers();
  reference known;
  known.url = "https://c.example/";
  known.number = 1;
  options.references.push_back(known);
  const std::string list = url_citation("https://a.example/", from_to(5, 8));
  for (const bool first : {false, true}) {
    const record_run got = records_of(chat(list, first, "Fact [1]."), options);
    CHECK(got.records ==
          lines{"1/0 marker marker <> <Fact> 1", "2/1 provider marker <> <> https://a.example/"});
  }
}

TEST_CASE("a page is recorded once if one of its annotations has no place") {
  const std::string none = url_citation("https://a.example/x", from_to(0, 0));
  const std::string here = url_citation("https://a.example/x", from_to(2, 26));
  const std::string text = "A " + marked + " b.";
  for (const bool first : {false, true}) {
    for (const std::string& list : {none + "," + here, here + "," + none}) {
      const record_run got = records_of(chat(list, first, text));
      CHECK(got.records == lines{"1/0 both marker <> <A> https://a.example/x"});
      CHECK(got.json.find(here.substr(0, here.size() - 1)) != std::string::npos);
      CHECK(records_of(chat(list, first, "All of these words are plain.")).records ==
            lines{"1/0 provider marker <l of these words are pla> <> https://a.example/x"});
    }
    const std::string before = url_citation("https://a.example/x", from_to(0, 1));
    const record_run got = records_of(chat(before + "," + here, first, text));
    CHECK(got.records == lines{"1/0 both marker <> <A> https://a.example/x",
                               "1/1 provider marker <A> <> https://a.example/x"});
    CHECK(got.json.find(R"("native":)" + here.substr(0, here.size() - 1)) <
          got.json.find(before.substr(0, before.size() - 1)));
  }
}

TEST_CASE("an annotation of chat completions before the first marker is at its words") {
  for (const std::string words : {"\xF0\x9F\x98\x80", "\xC3\xA4in", "fell"}) {
    const std::string own =
        url_citation("https://b.example/", span(words, offset_unit::codepoint, "start_index", "end_index"));
    for (const bool first : {false, true}) {
      const record_run got = records_of(chat(own, first));
      CHECK(got.records.back() == "2/1 provider marker <" + words + "> <> https://b.example/");
    }
  }
}

TEST_CASE("annotations of Responses are in the record once: at words or at a point") {
  const auto place = [](std::string_view words) {
    return span(words, offset_unit::codepoint, "start_index", "end_index");
  };
  const std::string page = R"({"type":"url_citation","title":"T","url":"https://)";
  std::string at = span("End", offset_unit::codepoint, "index", "x");
  at.resize(at.find(','));
  const std::vector<std::string> annotations{
      page + R"(a.example/x",)" + place("(" + marked + ")") + "}",
      R"({"type":"file_citation","file_id":"f-1","filename":"F",)" + at + "}",
      page + R"(b.example/",)" + place(sun) + "}"};
  const record_run got = records_of(responses(annotations));
  CHECK(got.text == sent);
  CHECK(got.records == lines{"1/0 both marker <> <" + rain + "> https://a.example/x",
                             "2/1 provider marker <" + sun + "> <" + rain + "> https://b.example/",
                             "3/2 provider point <> <" + sun + ".> f-1"});
  CHECK(got.out.find(R"("anchor":"point")") != std::string::npos);
  CHECK(got.out.find(R"("path":{"output":1,"content":0})") != std::string::npos);
  CHECK(got.json.find(R"("path":{"output":1,"content":0})") != std::string::npos);
}

TEST_CASE("citations of Anthropic are those of their block") {
  const record_run got = records_of(anthropic());
  CHECK(got.text == "First. " + sent + " Last.");
  CHECK(got.records == lines{"1/0 marker marker <> <First> y",
                             "2/1 marker marker <> <" + rain + "> https://a.example/x",
                             "3/2 provider block <" + sent + "> <" + sent + "> "});
  CHECK(got.out.find(R"("path":{"block":1})") != std::string::npos);
  CHECK(got.json.find(R"("path":{"block":1})") != std::string::npos);
  CHECK(
      got.out.find(
          R"({"type":"document","index":0,"title":"D","text":"Q","excerpts":["Q"],"source_span":{"unit":"char","start":3,"end":4,"base":0})") !=
      std::string::npos);
}

TEST_CASE("citations of the provider at one place share their group") {
  std::string stream = anthropic();
  const std::string cited = "\"type\":\"citations_delta\"";
  const std::size_t at = stream.rfind("event:", stream.find(cited));
  std::string another = stream.substr(at, stream.find("\n\n", at) + 2 - at);
  another.replace(another.find("\"document_index\":0"), 18, "\"document_index\":1");
  const record_run blocks = records_of(stream.insert(at, another));
  CHECK(blocks.records.at(2) == "3/2 provider block <" + sent + "> <" + sent + "> ");
  CHECK(blocks.records.at(3) == "4/2 provider block <" + sent + "> <" + sent + "> ");
  std::string point = span("End", offset_unit::codepoint, "index", "x");
  point.resize(point.find(','));
  const auto file = [&](const std::string& id, const std::string& position) {
    return R"({"type":"file_citation","file_id":")" + id + R"(","filename":"F",)" + position + "}";
  };
  const record_run points =
      records_of(responses({file("f-1", point), file("f-2", point), file("f-3", R"("index":1)")}));
  CHECK(points.records.at(1).starts_with("2/1 "));
  CHECK(points.records.at(2).starts_with("3/2 "));
  CHECK(points.records.at(3).starts_with("4/2 "));
}

TEST_CASE("a citation of the provider without a position names its text") {
  const record_run got = records_of(responses({R"({"type":"container_file_citation","container_id":"c",)"
                                               R"("file_id":"f","start_index":0,"end_index":0})"}));
  CHECK(got.records.back() == "2/1 provider none <> <> f");
  CHECK(got.json.find(R"("anchor":"none")") < got.json.rfind(R"("path":{"output":1,"content":0})"));
  CHECK(got.json.find(R"("path")") != got.json.rfind(R"("path")"));
}

TEST_CASE("the type of a reference is what its provider sends") {
  const auto type_in = [](std::string stream, std::string_view from, std::string_view to,
                          std::string_view type) {
    stream.replace(stream.find(from), from.size(), to);
    INFO(to);
    CHECK(records_of(stream).json.find("\"references\":[{\"type\":\"" + std::string(type)) !=
          std::string::npos);
  };
  type_in(anthropic(), R"("type":"char_location")",
          R"("type":"search_result_location","search_result_index":0,"source":"https://s.example/")",
          "search_result");
  type_in(cohere(), R"("type":"document","id":"doc:0","document":)",
          R"("type":"tool","id":"c:0","tool_output":)", "tool");
  type_in(gemini(), R"("web":{"uri":"https://b.)", R"("maps":{"uri":"https://b.)", "place");
  type_in(interactions(), R"("type":"url_citation","url":"https://b.)",
          R"("type":"place_citation","url":"https://b.)", "place");
}

TEST_CASE("a reference has what only its provider understands") {
  std::string stream = anthropic();
  const std::string_view type = R"("type":"char_location")";
  stream.replace(
      stream.find(type), type.size(),
      R"("type":"web_search_result_location","url":"https://w.example/","encrypted_index":"Eo\/8")");
  CHECK(records_of(stream).out.find(R"("opaque":{"encrypted_index":"Eo\/8"})") != std::string::npos);
  const std::string file =
      R"({"type":"container_file_citation","container_id":"c-1","file_id":"f-1","filename":"a.csv",)" +
      span(sun, offset_unit::codepoint, "start_index", "end_index") + "}";
  CHECK(records_of(responses({file})).out.find(R"("title":"a.csv","container":"c-1")") != std::string::npos);
}

TEST_CASE("each source of a citation of Cohere has a record at the words that it quotes") {
  const record_run got = records_of(cohere());
  CHECK(got.text == sent);
  CHECK(got.records == lines{"1/0 marker marker <> <" + rain + "> https://a.example/x",
                             "2/1 provider claim <" + sun + "> <" + sun + "> doc:0",
                             "3/1 provider claim <" + sun + "> <" + sun + "> doc:1"});
}

TEST_CASE("supports of Gemini are at their segment and one joins the marker of its page") {
  const record_run got = records_of(gemini());
  CHECK(got.text == sent);
  CHECK(records_of(gemini(true)).records == got.records);  // an earlier chunk lists the sources
  CHECK(records_of(gemini(true)).json.find(R"("score":0.5)") != std::string::npos);
  // The support of each source has its own score. The last one has none.
  CHECK(got.json.find(R"("score":0.75,"references":[{"type":"web","title":"B")") != std::string::npos);
  CHECK(got.json.find(R"("score":0.5,"references":[{"type":"web","title":"A")") != std::string::npos);
  CHECK(got.out.find(R"("path":{"candidate":0,"part":0})") != std::string::npos);
  CHECK(got.json.find(R"("path":{"candidate":0,"part":0})") != std::string::npos);
  CHECK(got.json.find(R"("url":"https://a.example/x","references":[)") != std::string::npos);
  CHECK(got.records == lines{"1/0 both marker <> <" + rain + "> https://a.example/x",
                             "2/1 provider claim <" + sun + ".> <" + sun + ".> https://b.example/",
                             "1/1 provider claim <" + sun + ".> <" + sun + ".> https://a.example/x"});
}

TEST_CASE("annotations of Interactions are at the words that they cite") {
  const record_run got = records_of(interactions());
  CHECK(got.text == sent);
  CHECK(got.records == lines{"1/0 both marker <> <" + rain + "> https://a.example/x",
                             "2/1 provider none <> <> d",
                             "3/2 provider claim <" + sun + "> <" + sun + "> https://b.example/"});
  CHECK(got.out.find(R"("path":{"step":1})") != std::string::npos);
  CHECK(got.json.find(R"("path":{"step":1})") != std::string::npos);
}

TEST_CASE("Interactions annotations before and after their text have equal records") {
  std::string stream = interactions();
  const std::size_t at = stream.rfind("event:", stream.find("text_annotation_delta"));
  const std::string annotations = stream.substr(at, stream.find("\n\n", at) + 2 - at);
  stream.erase(at, annotations.size());
  stream.insert(stream.find("event: step.delta"), annotations);
  const record_run got = records_of(stream);
  CHECK(got.text == sent);
  CHECK(got.records == records_of(interactions()).records);
}

TEST_CASE("citations of the provider are bounded and without additions none are kept") {
  std::string many;
  for (int i = 0; i < 2000; ++i)
    many += (i > 0 ? "," : "") +
            url_citation("https://b.example/" + std::to_string(i), R"("start_index":1,"end_index":2)");
  session_options options;
  options.bounds.max_addition_bytes = 64 * 1024;
  const record_run got = run_records(options, {chat(many, false)});
  CHECK(got.records.size() > 50);
  CHECK(got.records.size() < 300);
  options.add = additions::never;
  session one(options);
  std::string out;
  static_cast<void>(one.write(chat(many, false), out));
  static_cast<void>(one.finish(out));
  CHECK(one.cites(0).native().empty());
}

TEST_CASE("what egress has not seen of a citation of the provider is not in its record") {
  session_options options;
  options.egress = egress_mode::enforce;
  const record_run got = run_records(options, {cohere()});
  CHECK(got.json.find(R"("anchor":"claim","native":null)") != std::string::npos);
}

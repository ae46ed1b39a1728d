// Answers of Cohere v2: each content block is a text of its own, and native citations repeat their words.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "base/indexed_text.hpp"
#include "dialect/client_view.hpp"
#include "support/data.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string event(const std::string& type, const std::string& members = {}) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + members + "}\n\n";
}

std::string at(int index) {
  return ",\"index\":" + std::to_string(index);
}

std::string delta(int index, const std::string& content) {
  return event("content-delta", at(index) + R"(,"delta":{"message":{"content":{)" + content + "}}}");
}

std::string text(int index, const std::string& piece) {
  return delta(index, R"("text":")" + piece + "\"");
}

std::string block(int index, const std::string& inner, const std::string& kind = "text") {
  return event("content-start", at(index) + R"(,"delta":{"message":{"content":{"type":")" + kind + "\",\"" +
                                    kind + R"(":""}}})") +
         inner + event("content-end", at(index));
}

/// The citation of `doc:0` or another document.
std::string cite(int start, int end, const std::string& words, const std::string& more,
                 const std::string& id = "doc:0") {
  return R"({"start":)" + std::to_string(start) + R"(,"end":)" + std::to_string(end) + R"(,"text":")" +
         words + R"(","sources":[{"type":"document","id":")" + id + R"(","document":{"id":")" + id +
         R"(","title":"Facts","url":"https://a.example/x"}}])" + more + "}";
}

std::string cited(int number, const std::string& members) {
  return event("citation-start", at(number) + R"(,"delta":{"message":{"citations":)" + members + "}}") +
         event("citation-end", at(number));
}

const std::string begin =
    event("message-start",
          R"(,"id":"m","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","citations":[]}})");
const std::string end = event("message-end", R"(,"delta":{"finish_reason":"COMPLETE","usage":{}})");

std::string message(const std::string& blocks) {
  return begin + blocks + end + "data: [DONE]\n\n";
}

const std::string in_first = R"(,"type":"TEXT_CONTENT","content_index":0)";
const std::string in_second = R"(,"type":"TEXT_CONTENT","content_index":1)";
const std::string in_third = R"(,"type":"TEXT_CONTENT","content_index":2)";

// The second citation covers a marker, the third comes while a marker is held.
const std::string answer_stream = message(
    block(0, delta(0, R"~("thinking":"Hm [T](u)")~"), "thinking") +
    block(1, text(1, "🐍 Facts [T](https://a.") + text(1, "example/x): Yukihiro") + text(1, " Matsumoto") +
                 cited(0, cite(34, 52, "Yukihiro Matsumoto", in_second)) + text(1, ", in [B](go") +
                 text(1, "ne) 1993") + cited(1, cite(54, 71, "in [B](gone) 1993", in_second, "doc:1")) +
                 text(1, ", as said [here") + cited(2, cite(76, 80, "said", in_second)) +
                 text(1, "](https://a.example/x)")) +
    block(2, text(2, "See [T") + cited(3, cite(0, 3, "See", in_third))));

const std::string answer_body =
    R"~({"id":"m","message":{"role":"assistant","content":[{"type":"thinking","thinking":"Hm [T](u)"},)~"
    R"({"type":"text","text":"🐍 Facts [T](https://a.example/x): Yukihiro Matsumoto, in [B](gone) 1993, )"
    R"~(as said [here](https://a.example/x)"},{"type":"text","text":"See [T"}],"citations":[)~" +
    cite(34, 52, "Yukihiro Matsumoto", in_second) + "," +
    cite(54, 71, "in [B](gone) 1993", in_second, "doc:1") + "," + cite(76, 80, "said", in_second) + "," +
    cite(0, 3, "See", in_third) + R"(]},"finish_reason":"COMPLETE","usage":{}})";

/// What a client makes of an answer.
struct client_view : block_view {
  std::vector<std::string> quotes;  ///< of the citations of texts

  /// Adds a citation. What it covers must be what it quotes.
  void add_citation(json_value native) {
    quotes.emplace_back(native["text"].string());
    const auto where = native["content_index"];
    if (native["type"].string() != "TEXT_CONTENT") return;
    indexed_text text;
    text.append(texts[where ? where.integer().value() : texts.rbegin()->first]);
    CHECK(text.part(static_cast<std::uint64_t>(native["start"].integer().value()),
                    static_cast<std::uint64_t>(native["end"].integer().value()),
                    offset_unit::codepoint) == quotes.back());
  }
};

client_view view_of(std::string_view bytes) {
  client_view out;
  for (const std::string& payload : payloads(bytes)) {
    if (payload == "[DONE]") continue;
    const document one = parsed(payload);
    const json_value root = one.root();
    const std::string_view type = root["type"].string();
    out.types.emplace_back(type);
    const json_value content = root["delta"]["message"]["content"];
    if (type == "content-delta" && content["text"])
      out.texts[root["index"].integer().value()] += content["text"].string();
    if (type == "citation-start") out.add_citation(root["delta"]["message"]["citations"]);
    if (type == "message-end") out.records = root["delta"]["citestream"].raw();
  }
  return out;
}

client_view view_of_body(std::string_view bytes) {
  client_view out;
  const document body = parsed(bytes);
  std::int64_t index = 0;
  for (json_value one = body.root()["message"]["content"].first(); one; one = one.next(), ++index) {
    if (one["text"]) out.texts[index] = one["text"].string();
  }
  for (json_value one = body.root()["message"]["citations"].first(); one; one = one.next())
    out.add_citation(one);
  out.records = body.root()["citestream"].raw();
  return out;
}

}  // namespace

TEST_CASE("each text block and the words that Cohere cites are clean") {
  struct expectation {
    const style* how;
    std::string text;
    std::string words;  ///< of the second citation
  };
  const expectation expected[] = {
      {&keep_style,
       "🐍 Facts [T](https://a.example/x): Yukihiro Matsumoto, in [B](gone) 1993, as said "
       "[here](https://a.example/x)",
       "in [B](gone) 1993"},
      {&strip_style, "🐍 Facts: Yukihiro Matsumoto, in 1993, as said", "in 1993"},
      {&numeric_style, "🐍 Facts [1]: Yukihiro Matsumoto, in [2] 1993, as said [1]", "in [2] 1993"},
      {&label_style, "🐍 Facts T: Yukihiro Matsumoto, in B 1993, as said here", "in B 1993"}};
  for (const auto& [how, text, words] : expected) {
    INFO(how->name);
    const stream_run seen = run_whole(options_for(*how), answer_stream);
    const client_view view = view_of(seen.out);
    CHECK(view.texts == std::map<std::int64_t, std::string>{{1, text}, {2, "See [T"}});
    CHECK(view.quotes == std::vector<std::string>{"Yukihiro Matsumoto", words, "said", "See"});
    CHECK(seen.counts.resolved == 2);
    CHECK(seen.counts.unresolved == 1);
    CHECK_FALSE(seen.end);
  }
}

TEST_CASE("how an answer of Cohere is cut decides nothing") {
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    CHECK(cut_difference(options_for(*how), answer_stream) == "");
  }
}

TEST_CASE("a body of Cohere has the texts and citations and records of the stream") {
  for (const style* how : {&keep_style, &strip_style, &numeric_style, &label_style}) {
    INFO(how->name);
    const client_view streamed = view_of(run_whole(options_for(*how), answer_stream).out);
    session one(options_for(*how));
    std::string body;
    REQUIRE_FALSE(one.rewrite_body(answer_body, body));
    const client_view seen = view_of_body(body);
    CHECK(seen.texts == streamed.texts);
    CHECK(seen.quotes == streamed.quotes);
    CHECK(seen.records == streamed.records);
  }
}

TEST_CASE("the end of a citation does not release held text") {
  const client_view before = view_of(answer_stream);
  const client_view after = view_of(run_whole(options_for(strip_style), answer_stream).out);
  std::vector<std::string> types = before.types;
  // The end of the last block is in a delta of its own.
  const auto last = std::find(types.rbegin(), types.rend(), "content-end");
  types.insert(last.base() - 1, "content-delta");
  CHECK(after.types == types);
}

TEST_CASE("how late Cohere cites words changes no text") {
  const std::string received = "Sales [A](https://a.example/x) rose by 20% [B](doc:1) in May. [x";
  const std::vector<std::string> words{"Sales", "rose", "by 20%", "in May"};
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < received.size(); at += 5) pieces.push_back(received.substr(at, 5));
  // After how many more deltas a citation comes; the last one is mode `accurate`: after the whole text.
  for (const std::size_t late : {0U, 1U, 2U, 3U, 5U, 100U}) {
    std::string deltas;
    std::size_t number = 0;
    const auto cite_until = [&](std::size_t limit) {
      for (; number < words.size(); ++number) {
        const std::size_t from = received.find(words[number]);
        const std::size_t to = from + words[number].size();
        if (to > limit) return;
        deltas +=
            cited(static_cast<int>(number), cite(static_cast<int>(from), static_cast<int>(to), words[number],
                                                 in_second, number == 0 ? "doc:0" : "doc:1"));
      }
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      deltas += text(1, pieces[i]);
      if (i + 1 > late) cite_until((i + 1 - late) * 5);
    }
    cite_until(received.size());
    const std::string stream = message(block(1, deltas));
    for (const style* how : {&strip_style, &footnote_style}) {
      INFO(how->name << ", " << late << " deltas late");
      session one(options_for(*how));
      const std::string whole = run(one, {stream}).out;
      const client_view seen = view_of(whole);
      const bool lists = how == &footnote_style;
      CHECK(seen.texts.at(1).starts_with(lists ? "Sales[^1] rose by 20%[^2] in May. [x\n\n[^1]: "
                                               : "Sales rose by 20% in May. [x"));
      CHECK((seen.texts.at(1).find("[^2]: ") != std::string::npos) == lists);
      CHECK(seen.quotes == words);
      for (std::size_t cut = 1; cut < stream.size(); cut += 7) {
        one.reset();
        const std::string_view bytes = stream;
        REQUIRE(run(one, {bytes.substr(0, cut), bytes.substr(cut)}).out == whole);
      }
    }
  }
}

TEST_CASE("held text that a citation of Cohere quotes is sent before it") {
  struct cited_words {
    const char* before;  // in a delta of its own
    const char* last;    // the last delta before the citation
    const char* words;
    const char* after;
  };
  const cited_words all[] = {{"It grew [An", "na", "[An", " said."},
                             {"see ", "[important note]", "[important note]", " now"},
                             {"Version ", "[1.0]", "Version [1.0]", " is here"},
                             {"🐍 [", "Yukihiro", "Yukihiro", " M.] made it"},
                             {"<co>", "Yukihiro", "Yukihiro", " made it"},
                             {"Rates 5", " <", "5 <", " 6"},
                             {"Ruby", " (", "Ruby (", "2020) rocks"},
                             {"Ruby", " ", "Ruby ", "rocks"}};
  for (const auto& [before, last, words, after] : all) {
    INFO(before << last);
    indexed_text received;
    received.append(std::string(before) + last);
    const std::size_t at = received.text().rfind(words);
    const auto start = static_cast<int>(received.offset_at(at).codepoint);
    const auto stop = static_cast<int>(received.offset_at(at + std::string_view(words).size()).codepoint);
    const std::string stream = message(block(
        0, text(0, before) + text(0, last) + cited(0, cite(start, stop, words, in_first)) + text(0, after)));
    const client_view seen = view_of(run_whole(options_for(strip_style), stream).out);  // checks the words
    CHECK(seen.texts.at(0) == std::string(received.text()) + after);
    CHECK(seen.quotes == std::vector<std::string>{words});
  }
}

TEST_CASE("a complete marker in the words of a Cohere citation is removed in place") {
  const std::string stream =
      message(block(0, text(0, "It grew [doc:0") + text(0, "]") +
                           cited(0, cite(3, 15, "grew [doc:0]", in_first)) + text(0, " fast.")));
  const client_view seen = view_of(run_whole(options_for(strip_style), stream).out);
  CHECK(seen.texts.at(0) == "It grew fast.");
  CHECK(seen.quotes == std::vector<std::string>{"grew"});
}

TEST_CASE("markers with the ids of documents of Cohere resolve") {
  const std::string cites = cited(0, cite(0, 3, "One", "")) + cited(1, cite(0, 3, "One", "", "mine"));
  const std::string words = "One [doc:0] two [doc:1, doc:0] <co>three</co: 0> [a](mine).";
  const stream_run seen = run_whole(options_for(numeric_style), message(block(0, text(0, words) + cites)));
  CHECK(seen.counts.resolved == 4);
  CHECK(seen.counts.unresolved == 1);  // doc:1
  CHECK(view_of(seen.out).texts.at(0) == "One [1] two [2][1] three[1] [3].");
  session_options options = options_for(numeric_style);
  for (const char* const id : {"mine", "other"}) {
    reference& known = options.references.emplace_back();
    known.id = known.title = id;
    known.number = static_cast<std::int64_t>(options.references.size());
  }
  const stream_run given =
      run_whole(options, message(block(0, text(0, "One <co: 0>two</co: 0> <co>three</co: 1> [doc:0] [1]."))));
  CHECK(given.counts.resolved == 4);
  CHECK(view_of(given.out).texts.at(0) == "One two[1] three[2] [1] [1].");
}

TEST_CASE("citations of several texts in a body of Cohere are in one list") {
  session_options options = options_for(strip_style);
  for (const char* const id : {"f-1", "f-2"}) {
    reference& known = options.references.emplace_back();
    known.id = known.title = id;
  }
  for (const std::string list : {"", R"(,"citations":null)", R"(,"citations":[])"}) {
    session one(options);
    std::string body;
    REQUIRE_FALSE(one.rewrite_body(
        R"~({"id":"m","message":{"role":"assistant","content":[{"type":"text","text":"One [T](f-1)."},)~"
        R"~({"type":"text","text":"Two."},{"type":"text","text":"Three [U](f-2) and [T](f-1)."}])~" +
            list + R"(},"finish_reason":"COMPLETE"})",
        body));
    CHECK(view_of_body(body).quotes == std::vector<std::string>{"One", "Three", "and"});
    CHECK(body.find("\"citations\":") == body.rfind(",\"citations\":[{\"start\":") + 1);
  }
}

TEST_CASE("citations of thinking and plans pass unchanged and bring references") {
  const std::string thought = cited(0, cite(0, 2, "Hm", R"(,"type":"THINKING_CONTENT","content_index":0)"));
  const std::string plan = cited(1, cite(0, 3, "I w", R"(,"type":"PLAN")", "doc:1"));
  const std::string stream =
      message(thought + plan + block(0, text(0, "So [T](doc:1) [U](https://a.example/x)")));
  const stream_run seen = run_whole(options_for(strip_style), stream);
  CHECK(seen.out.find(thought + plan) != std::string::npos);
  CHECK(view_of(seen.out).texts.at(0) == "So");
  CHECK(seen.counts.resolved == 2);
}

TEST_CASE("citations of ours have numbers after those of thinking and plans") {
  session_options options = options_for(strip_style);
  reference& known = options.references.emplace_back();
  known.url = known.title = "https://b.example/";
  for (const char* const kind : {"PLAN", "THINKING_CONTENT"}) {
    const std::string before = cited(0, cite(0, 2, "Hm", R"(,"type":")" + std::string(kind) + "\""));
    const std::string stream = message(before + block(0, text(0, "So [T](https://b.example/)")) +
                                       block(1, text(1, "Two")) + cited(1, cite(0, 3, "Two", in_second)));
    std::vector<std::string> numbers;
    for (const std::string& payload : payloads(run_whole(options, stream).out)) {
      if (payload.find("citation-start") != std::string::npos)
        numbers.emplace_back(parsed(payload).root()["index"].raw());
    }
    CHECK(numbers == std::vector<std::string>{"0", "1", "2"});
  }
}

TEST_CASE("a citation of words that are not those of the text stays as it is") {
  const auto words_of = [](const session_options& options, const std::string& words) {
    const std::string stream =
        message(block(0, text(0, "A [T](u) fact.") + cited(0, cite(9, 13, words, R"(,"type":"PLAN0")")) +
                             cited(1, cite(9, 13, words, ""))));
    const std::string out = run_whole(options, stream).out;
    std::vector<std::string> found;
    for (const std::string& payload : payloads(out)) {
      if (payload.find("citation-start") == std::string::npos) continue;
      const document one = parsed(payload);
      const json_value native = one.root()["delta"]["message"]["citations"];
      found.push_back(std::string(native["start"].raw()) + ".." + std::string(native["end"].raw()) + " " +
                      std::string(native["text"].string()));
    }
    return found;
  };
  session_options options = options_for(strip_style);
  CHECK(words_of(options, "fact") == std::vector<std::string>{"9..13 fact", "2..6 fact"});
  CHECK(words_of(options, "lies") == std::vector<std::string>{"9..13 lies", "9..13 lies"});
  options.egress = egress_mode::enforce;
  const std::string image = "![a](https://b.example/)";
  CHECK(words_of(options, image).at(1).find(image) == std::string::npos);
}

TEST_CASE("a citation without a type or index is one of the last text") {
  const std::string stream = message(block(0, delta(0, R"("thinking":"Hm")"), "thinking") +
                                     block(1, text(1, "A [T](u) fact.") + cited(0, cite(9, 13, "fact", ""))));
  const std::string out = run_whole(options_for(strip_style), stream).out;
  CHECK(out.find(R"({"start":2,"end":6,"text":"fact",)") != std::string::npos);
}

TEST_CASE("a source that Cohere has not cited gets a citation and later ones move on") {
  const std::string first = block(0, text(0, "One.") + cited(0, cite(0, 3, "One", "", "doc:7")));
  const std::string second = text(1, "🐍 Two [T](doc:7) three [U](doc:8).");
  const std::string late = R"(,"type":"TEXT_CONTENT","content_index":1)";
  const std::string stream = message(first + block(1, second) + cited(1, cite(0, 5, "🐍 Two", late, "doc:7")));
  const std::string source =
      R"("sources":[{"type":"document","id":"doc:7","document":{"id":"doc:7",)"
      R"("title":"Facts","text":"","url":"https://a.example/x"}}],"type":"TEXT_CONTENT",)"
      R"("content_index":1,"citestream":true})";
  const std::string own = R"({"start":0,"end":5,"text":"🐍 Two",)" + source;
  const std::string out = run_whole(options_for(strip_style), stream).out;
  CHECK(out.find(text(1, "🐍 Two three.") + cited(1, own) + event("content-end", at(1)) +
                 cited(2, cite(0, 5, "🐍 Two", late, "doc:7"))) != std::string::npos);
  session one(options_for(strip_style));
  std::string body;
  REQUIRE_FALSE(one.rewrite_body(
      R"~({"id":"m","message":{"role":"assistant","content":[{"type":"text","text":"One."},{"type":"text",)~"
      R"~("text":"🐍 Two [T](doc:7) three [U](doc:8)."}],"citations":[)~" +
          cite(0, 3, "One", R"(,"content_index":0)", "doc:7") + R"(]},"finish_reason":"COMPLETE"})",
      body));
  CHECK(body.find(R"(,"content_index":0},)" + own + "]") != std::string::npos);
}

TEST_CASE("sources are listed after a text that follows another block") {
  const client_view seen = view_of(run_whole(options_for(footnote_style), answer_stream).out);
  CHECK(seen.texts.at(1).ends_with("[^1]\n\n[^1]: [**T**](https://a.example/x)\n[^2]: **B**\n"));
}

TEST_CASE("a failed answer of Cohere ends with the form of this API") {
  const std::string cut = begin + block(0, text(0, "So [T"));
  const stream_run seen = run_whole(options_for(strip_style), cut);
  CHECK(seen.end.code == errc::upstream_incomplete);
  CHECK(seen.out.ends_with(event("message-end", R"(,"delta":{"finish_reason":"ERROR","error":)"
                                                R"("the upstream ended inside the answer"})")));
  const std::string failed = event("message-end", R"(,"delta":{"finish_reason":"ERROR","error":"Full"})");
  const std::string stream = begin + event("content-start", at(0)) + text(0, "So [T") + failed;
  const stream_run reported = run_whole(options_for(strip_style), stream);
  CHECK_FALSE(reported.end);
  CHECK(reported.out.ends_with(text(0, " [T") + failed));
}

TEST_CASE("an answer of Cohere without markers passes unchanged") {
  session_options options = options_for(strip_style);
  options.add = additions::never;
  const std::string plain =
      message(block(0, text(0, "One") + cited(0, cite(0, 3, "One", "")) + text(0, " two")));
  CHECK(run_whole(options, plain).out == plain);
}

TEST_CASE("recorded answers of Cohere keep their texts and citations") {
  if (!have_data("recordings/providers/cohere")) return;
  std::size_t streams = 0;
  session_options options = options_for(strip_style);
  options.add = additions::never;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "recordings/providers/cohere")) {
    if (entry.path().extension() != ".sse") continue;
    INFO(entry.path().string());
    const std::string bytes = read_file(entry.path());
    const stream_run seen = run_whole(options, bytes);
    const client_view after = view_of(seen.out);
    const client_view before = view_of(bytes);
    CHECK(after.texts == before.texts);
    CHECK(after.quotes == before.quotes);
    CHECK(seen.counts.passed_through == 0);
    CHECK_FALSE(seen.end);
    ++streams;
  }
  CHECK(streams >= 4);
}

TEST_CASE("citations of a body of Cohere keep their order in each text") {
  std::string list;
  for (int i = 0; i < 40; ++i)
    list += (i == 0 ? "" : ",") + cite(i, i + 1, "x", i % 2 == 0 ? in_second : in_third);
  document body;
  REQUIRE_FALSE(
      body.parse(R"({"id":"m","finish_reason":"COMPLETE","message":{"role":"assistant","content":[)"
                 R"({"type":"text","text":""},{"type":"text","text":"A"},{"type":"text","text":"B"}],)"
                 R"("citations":[)" +
                 list + "]}}"));
  dialect_event found;
  REQUIRE(find_dialect("cohere")->read(body.root(), payload_kind::body, found));
  REQUIRE(found.annotations.size() == 40);
  for (std::size_t i = 1; i < 40; ++i) {
    const native_annotation& before = found.annotations[i - 1];
    const native_annotation& after = found.annotations[i];
    CHECK((before.unit < after.unit || before.start < after.start));
  }
}

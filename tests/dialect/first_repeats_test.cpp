// Answers in one piece: the text comes only in events that repeat it, without a delta before them.
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dialect/client_view.hpp"
#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::string marked = "🐍 It [A](https://a.example/x) grew [B](https://b.example/y).";
const std::string sent = "🐍 It grew.";
const std::string marked_next = "See [A](https://a.example/x) or [C](c).";
const std::string sent_next = "See or.";

session_options known_page() {
  session_options options = options_for(strip_style);
  options.typed_events = true;
  reference& page = options.references.emplace_back();
  page.type = source_type::web;
  page.url = "https://a.example/x";
  page.title = "Page A";
  return options;
}

std::string event(std::string_view type, const std::string& members) {
  return "data: {\"type\":\"response." + std::string(type) + "\"," + members + "}\n\n";
}

/// The provider annotates B at `start` and `end`.
std::string part_of(const std::string& text, const std::string& span) {
  const std::string list =
      span.empty() ? ""
                   : R"({"type":"url_citation",)" + span + R"(,"url":"https://b.example/y","title":"B"})";
  return R"({"type":"output_text","annotations":[)" + list + R"(],"text":")" + text + "\"}";
}

std::string item_of(const std::string& id, const std::string& part) {
  return R"({"id":")" + id + R"(","type":"message","role":"assistant","content":[)" + part + "]}";
}

/// The events that repeat the first of two texts, and the one that ends the answer.
std::vector<std::string> repeats() {
  const std::string at = R"("item_id":"m","output_index":0,"content_index":0,)";
  const std::string part = part_of(marked, R"("start_index":35,"end_index":59)");
  const std::string item = item_of("m", part);
  return {event("output_text.done", at + R"("text":")" + marked + "\""),
          event("content_part.done", at + R"("part":)" + part),
          event("output_item.done", R"("output_index":0,"item":)" + item),
          event("completed", R"("response":{"id":"r","object":"response","output":[)" + item + "," +
                                 item_of("n", part_of(marked_next, "")) + "]}")};
}

const std::string created = event("created", R"("response":{"id":"r","object":"response","output":[]})");
const std::string added = event(
    "content_part.added", R"("item_id":"m","output_index":0,"content_index":0,"part":)" + part_of("", ""));

}  // namespace

TEST_CASE("a Responses text that is only in its repeats is clean at every cut") {
  const std::vector<std::string> given = repeats();
  for (std::size_t from = 0; from < given.size(); ++from) {
    for (const std::string& before : {std::string(), added}) {
      std::string stream = created + before;
      for (std::size_t i = from; i < given.size(); ++i) stream += given[i];
      INFO(stream);
      const stream_run got = run_whole(known_page(), stream);
      CHECK_FALSE(got.end);
      CHECK(text_of(got) == sent + sent_next);
      CHECK(got.counts.resolved == 3);
      CHECK(got.counts.unconverted == 0);
      const auto last = paths_of(payloads(got.out).back());
      REQUIRE(last);
      CHECK(last->at("response.output.0.content.0.text") == "string " + sent);
      CHECK(last->at("response.output.1.content.0.text") == "string " + sent_next);
      CHECK(got.out.find(R"("annotations":[{"type":"url_citation","start_index":9,"end_index":9,)"
                         R"("url":"https://b.example/y","title":"B"},{"type":"url_citation",)"
                         R"("start_index":4,"end_index":4,"url":"https://a.example/x")") !=
            std::string::npos);
      CHECK(got.out.find(R"("path":{"output":0,"content":0,"item":"m"})") != std::string::npos);
      CHECK(got.out.find(R"("path":{"output":1,"content":0,"item":"n"})") != std::string::npos);
      CHECK(cut_difference(known_page(), stream) == "");
    }
  }
}

TEST_CASE("the text with which a part of Responses begins is not the whole text") {
  const std::string begun =
      event("content_part.added",
            R"("item_id":"m","output_index":0,"content_index":0,"part":)" + part_of("One [A](a)", ""));
  const std::string more = event(
      "output_text.delta", R"("item_id":"m","output_index":0,"content_index":0,"delta":" two [B](b).")");
  const std::string completed =
      event("completed", R"("response":{"id":"r","object":"response","output":[]})");
  const stream_run got = run_whole(known_page(), created + begun + more + completed);
  CHECK(got.out.starts_with(created + begun));
  CHECK(text_of(got) == " two.");
}

TEST_CASE("texts of an interaction that come only at its end are clean") {
  const auto text = [](const std::string& all) { return R"({"type":"text","text":")" + all + "\"}"; };
  const auto steps = [&](const std::string& first, const std::string& next, const std::string& last) {
    return R"({"type":"model_output","content":[)" + text(first) + R"(]},{"type":"thought"},)" +
           R"({"type":"model_output","content":[)" + text(next) + "," + text(last) + "]}";
  };
  const std::string head =
      R"(data: {"event_type":"interaction.created","interaction":{"id":"i","object":"interaction"}})"
      "\n\n";
  const std::string stopped = "data: {\"event_type\":\"step.stop\",\"index\":0}\n\n";
  for (const std::string& before : {std::string(), stopped}) {
    const std::string stream =
        head + before + R"(data: {"event_type":"interaction.completed","interaction":{"id":"i",)" +
        R"("object":"interaction","steps":[)" + steps(marked, marked_next, "End [cite: 1].") + "]}}\n\n";
    INFO(stream);
    const stream_run got = run_whole(known_page(), stream);
    CHECK_FALSE(got.end);
    CHECK(text_of(got) == sent + sent_next + "End.");
    const auto last = paths_of(payloads(got.out).back());
    REQUIRE(last);
    CHECK(last->at("interaction.steps.0.content.0.text") == "string " + sent);
    CHECK(last->at("interaction.steps.2.content.0.text") == "string " + sent_next);
    CHECK(last->at("interaction.steps.2.content.1.text") == "string End.");
    CHECK(got.out.find(R"("start_index":0,"end_index":7,"url":"https://a.example/x")") != std::string::npos);
    CHECK(cut_difference(known_page(), stream) == "");
  }
}

// Additions to an answer are limited, however often a marker of a few bytes cites a long reference.

#include <citestream/chunk/document.hpp>
#include <citestream/session/answer.hpp>
#include <citestream/session/session.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"
#include "support/stream_runs.hpp"

namespace {

using namespace citestream;

std::string delta_event(const std::string& text) {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":")" + text +
         R"(","graph_data":null},"finish_reason":null}]})" + "\n\n";
}

std::string source(const std::string& url, const std::string& snippet) {
  return R"({"url":")" + url + R"(","title":"T","text":")" + snippet + R"(","score":0.5})";
}

std::string finish_event(const std::string& sources) {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":null,)"
         R"("graph_data":{"references":{"files":[],"web":[)" +
         sources + R"(]}}},"finish_reason":"stop"}]})" + "\n\n";
}

/// The output for an answer with \p count markers for one reference.
std::string cited(std::size_t count, std::size_t snippet_bytes, std::size_t max_addition_bytes) {
  session_options options;
  options.bounds.max_addition_bytes = max_addition_bytes;
  session work(options);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += " [a](http://u/)";
  std::string out;
  CHECK_FALSE(work.write(
      delta_event("x" + text) + finish_event(source("http://u/", std::string(snippet_bytes, 's'))), out));
  CHECK_FALSE(work.finish(out));
  return out;
}

std::string last_payload(const std::string& stream) {
  const std::size_t at = stream.rfind("data: ") + 6;
  return stream.substr(at, stream.size() - at - 2);
}

std::string output_of(const session_options& options, const std::string& stream) {
  session work(options);
  std::string out;
  CHECK_FALSE(work.write(stream, out));
  CHECK_FALSE(work.finish(out));
  return out;
}

/// The number of citations in each object that was added to a stream.
std::vector<std::size_t> counts_of_records(std::string_view stream) {
  std::vector<std::size_t> out;
  for (const std::string& payload : citestream_tests::payloads(stream)) {
    document event;
    if (event.parse(payload)) continue;
    const json_value added = event.root()["citestream"] ? event.root()["citestream"] : event.root()["data"];
    if (!added) continue;
    std::size_t& count = out.emplace_back();
    for (json_value one = added["citations"].first(); one; one = one.next()) ++count;
  }
  return out;
}

}  // namespace

TEST_CASE("every citation has its record below the limit on additions") {
  document payload;
  REQUIRE_FALSE(payload.parse(last_payload(cited(50, 100, limits{}.max_addition_bytes))));
  const json_value added = payload.root()["citestream"];
  std::size_t records = 0;
  for (json_value one = added["citations"].first(); one; one = one.next()) ++records;
  CHECK(records == 50);
  CHECK_FALSE(added["omitted"]);
}

// Sources are cited repeatedly, in turn and at random. Some of them are unknown.
TEST_CASE("records of citations that share sources equal separate records") {
  constexpr std::size_t sources = 24;
  std::mt19937 random(91);
  std::string text;
  for (std::size_t i = 0; i < 200; ++i) {
    text += " [a](http://u/" + std::to_string(i < 50 ? i % sources : random() % sources) + ")";
  }
  std::string web;
  for (std::size_t i = 0; i < sources; i += i % 3 == 0 ? 1 : 2) {
    web += (web.empty() ? "" : ",") + source("http://u/" + std::to_string(i), "S");
  }
  session work;
  std::string out;
  CHECK_FALSE(work.write(delta_event("x" + text) + finish_event(web), out));
  CHECK_FALSE(work.finish(out));
  std::string expected;
  for (const citation& one : work.cites(0).all()) {
    if (!expected.empty()) expected += ',';
    append_citation_json(one, work.cites(0), 0, offset_unit::utf16, expected);
  }
  REQUIRE(work.cites(0).all().size() == 200);
  CHECK(out.find("\"citations\":[" + expected + "],\"uncited\":[") != std::string::npos);
}

TEST_CASE("records over the limit on additions are counted and not written") {
  constexpr std::size_t count = 20'000;
  constexpr std::size_t snippet_bytes = 4'000;
  const std::string out = cited(count, snippet_bytes, 100'000);
  CHECK(out.size() < 500'000);
  document payload;
  REQUIRE_FALSE(payload.parse(last_payload(out)));
  const json_value added = payload.root()["citestream"];
  std::int64_t records = 0;
  for (json_value one = added["citations"].first(); one; one = one.next()) ++records;
  CHECK(records > 10);
  REQUIRE(added["omitted"].integer());
  CHECK(records + *added["omitted"].integer() == static_cast<std::int64_t>(count));
}

TEST_CASE("uncited references of several choices have the choice") {
  session_options options;
  options.references.resize(2);
  options.references[0].id = "a";
  options.references[1].id = "b";
  const std::string stream =
      R"j(data: {"choices":[{"index":0,"delta":{"content":"x [A](a)"},"finish_reason":"stop"},)j"
      R"({"index":1,"delta":{"content":"y"},"finish_reason":"stop"}]})"
      "\n\ndata: [DONE]\n\n";
  CHECK(output_of(options, stream)
            .find(R"("uncited":[{"type":"document","id":"b"},{"choice":1,"type":"document","id":"a"},)"
                  R"({"choice":1,"type":"document","id":"b"}]})") != std::string::npos);
}

TEST_CASE("a stream that settles often has records of limited size") {
  constexpr int rounds = 40;
  const std::string text = "x [a](http://u/)";
  std::string chat;      // a choice settles with each event
  std::string messages;  // one choice settles with each message
  for (int i = 0; i < rounds; ++i) {
    const std::string number = std::to_string(i);
    chat += R"(data: {"object":"chat.completion.chunk","choices":[{"index":)" + number +
            R"(,"delta":{"content":")" + text + R"("},"finish_reason":"stop"}]})" + "\n\n";
    messages += R"(data: {"type":"text-start","id":")" + number + R"("})" + "\n\n" +
                R"(data: {"type":"text-delta","id":")" + number + R"(","delta":")" + text + R"("})" + "\n\n" +
                R"(data: {"type":"text-end","id":")" + number + R"("})" + "\n\n" +
                R"(data: {"type":"finish"})" + "\n\n";
  }
  session_options options;
  options.references.emplace_back().url = "http://u/";
  for (const std::string& stream : {chat + "data: [DONE]\n\n", messages + "data: [DONE]\n\n"}) {
    options.bounds.max_addition_bytes = limits{}.max_addition_bytes;
    const std::string all = output_of(options, stream);
    CHECK(counts_of_records(all).size() == rounds);
    CHECK(all.size() > stream.size() + 100'000);
    options.bounds.max_addition_bytes = 20'000;
    const std::string limited = output_of(options, stream);
    CHECK(limited.size() < stream.size() + 60'000);
    const std::vector<std::size_t> counts = counts_of_records(limited);
    CHECK(counts.size() > 5);
    if (stream.starts_with(chat)) {
      CHECK(counts.back() == rounds);
    } else {
      CHECK(limited.find("\"omitted\":" + std::to_string(rounds)) != std::string::npos);
    }
  }
}

TEST_CASE("markers over the limit on citation bytes remain text") {
  session_options options;
  options.bounds.max_citation_bytes = 100;
  answer text(options);
  std::string in;
  for (int i = 0; i < 40; ++i) in += " [label](http://u/)";
  std::string out;
  text.push(in, out);
  text.finish(out);
  const std::size_t taken = text.cites().all().size();
  CHECK(taken > 0);
  std::size_t bytes = 0;
  for (const citation& one : text.cites().all()) {
    bytes += one.label.size() + one.identifier.size() + one.marker.size();
  }
  CHECK(bytes <= 100);
  CHECK(out.size() == (40 - taken) * std::string(" [label](http://u/)").size());
}

TEST_CASE("references over the limit on their bytes are dropped and counted") {
  limits bounds;
  bounds.max_reference_bytes = 100;
  citations cites(bounds);
  for (int i = 0; i < 10; ++i) {
    reference one;
    one.id = std::to_string(i);
    one.text = std::string(19, 't');
    one.uses = std::string(10, 'u');
    CHECK(cites.add_reference(one) == (i < 3));
  }
  CHECK(cites.references().size() == 3);
  CHECK(cites.dropped_references() == 7);
}

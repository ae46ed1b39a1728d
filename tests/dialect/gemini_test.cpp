// Google Gemini: whole streams. Its payloads are in golden/gemini.md; recordings with planted markers are in
// gemini_planted_test.py.
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/json_paths.hpp"
#include "support/parsed_json.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::string tail = R"(,"usageMetadata":{"totalTokenCount":4},"modelVersion":"m","responseId":"r"})";

std::string chunk(std::string_view parts, std::string_view more = {}) {
  return R"({"candidates":[{"content":{"parts":[)" + std::string(parts) + R"(],"role":"model"})" +
         std::string(more) + "}]" + tail;
}

std::string text(std::string_view words) {
  return "{\"text\":\"" + std::string(words) + "\"}";
}

std::string event(std::string_view payload) {
  return "data: " + std::string(payload) + "\r\n\r\n";
}

const std::string stop = R"(,"finishReason":"STOP")";
const std::string chunks = R"("groundingChunks":[{"web":{"uri":"https://a.example/x","title":"A"}}])";

/// The last payload of a stream.
std::map<std::string, std::string> last_of(std::string_view out) {
  const auto all = payloads(out);
  REQUIRE_FALSE(all.empty());
  const auto paths = paths_of(all.back());
  REQUIRE(paths);
  return *paths;
}

}  // namespace

TEST_CASE("supports of Gemini keep their words in bytes of UTF-8") {
  // The second support begins after a marker and the start of the first is left out.
  const std::string grounding =
      stop + R"(,"groundingMetadata":{)" + chunks +
      R"(,"groundingSupports":[{"segment":{"endIndex":17,"text":"Größe [cite: 1]"},"groundingChunkIndices":[0]},)" +
      R"({"segment":{"startIndex":18,"endIndex":22,"text":"grew"},"groundingChunkIndices":[0]},)" +
      R"({"segment":{"startIndex":1,"endIndex":5,"text":"none"},"groundingChunkIndices":[0]}]})";
  const std::string stream = event(chunk(text("Größe [cite"))) + event(chunk(text(": 1] grew."), grounding));
  const stream_run got = run_whole({}, stream);
  auto last = last_of(got.out);
  const std::string at = "candidates.0.groundingMetadata.groundingSupports.";
  CHECK(last.at(at + "0.segment.text") == "string Größe");
  CHECK(last.at(at + "0.segment.endIndex") == "7");
  CHECK(last.at(at + "1.segment.startIndex") == "8");
  CHECK(last.at(at + "1.segment.endIndex") == "12");
  CHECK(last.at(at + "1.segment.text") == "string grew");
  CHECK(last.at(at + "2.segment.startIndex") == "1");  // not its words: unchanged
  CHECK(last.count(at + "3.segment.text") == 0);       // the page has citations of Gemini
  CHECK(last.at("citestream.citations.0.status") == "string resolved");
}

TEST_CASE("positions with a part index of a body of Gemini are in that part") {
  // Parts: a thought, a text with a marker, a call, two more texts; a marker goes on from part 3 to 4.
  const std::vector<std::string> parts{"Größe [A](https://a.example/x) grew.", "So [A](https://a.exam",
                                       "ple/x) die Länge."};
  const std::string body = chunk(
      R"({"text":"thinking","thought":true},)" + text(parts[0]) +
          R"(,{"functionCall":{"name":"f","args":{}}},)" + text(parts[1]) + "," + text(parts[2]),
      stop + R"(,"groundingMetadata":{)" + chunks +
          R"(,"groundingSupports":[)"
          R"({"segment":{"partIndex":1,"endIndex":7,"text":"Größe"},"groundingChunkIndices":[0]},)"
          R"({"segment":{"partIndex":1,"startIndex":33,"endIndex":37,"text":"grew"},"groundingChunkIndices":[0]},)"
          R"({"segment":{"partIndex":3,"startIndex":0,"endIndex":2,"text":"So"},"groundingChunkIndices":[0]},)"
          R"({"segment":{"partIndex":4,"startIndex":11,"endIndex":17,"text":"Länge"},"groundingChunkIndices":[0]},)"
          R"({"segment":{"partIndex":0,"startIndex":0,"endIndex":7,"text":"Größe"},"groundingChunkIndices":[0]},)"
          R"({"segment":{"partIndex":2,"startIndex":0,"endIndex":7,"text":"Größe"},"groundingChunkIndices":[0]},)"
          R"({"segment":{"partIndex":9,"startIndex":0,"endIndex":7,"text":"Größe"},"groundingChunkIndices":[0]},)"
          R"({"segment":{"partIndex":-1,"startIndex":0,"endIndex":7,"text":"Größe"},"groundingChunkIndices":[0]}]})");
  session one{session_options{}};
  std::string out;
  REQUIRE_FALSE(one.rewrite_body(body, out));
  const auto paths = paths_of(out);
  REQUIRE(paths);
  const auto text_at = [&](const std::string& path) {
    const std::string value = paths->at("candidates.0." + path);
    return value.starts_with("string ") ? value.substr(7) : value;
  };
  CHECK(text_at("content.parts.1.text") == "Größe grew.");
  CHECK(text_at("content.parts.4.text") == " die Länge.");
  const std::vector<std::string> words{"Größe", "grew", "So", "Länge", "Größe"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string at = "groundingMetadata.groundingSupports." + std::to_string(i) + ".segment.";
    CHECK(text_at(at + "text") == words[i]);
    if (i == 4) continue;  // part 0 is a thought: counted from the start of the text
    const auto start =
        paths->contains("candidates.0." + at + "startIndex") ? std::stoul(text_at(at + "startIndex")) : 0;
    const auto end = std::stoul(text_at(at + "endIndex"));
    CHECK(text_at("content.parts." + text_at(at + "partIndex") + ".text").substr(start, end - start) ==
          words[i]);
  }
  for (const std::string unread : {"5", "6", "7"})
    CHECK(text_at("groundingMetadata.groundingSupports." + unread + ".segment.endIndex") == "7");
}

TEST_CASE("positions with a part index of a stream of Gemini stay") {
  const std::string support =
      R"({"segment":{"partIndex":1,"startIndex":33,"endIndex":37,"text":"grew"},"groundingChunkIndices":[0]})";
  const std::string stream = event(
      chunk(text("It [A](https://a.example/x) grew."),
            stop + R"(,"groundingMetadata":{)" + chunks + R"(,"groundingSupports":[)" + support + "]}"));
  CHECK(run_whole({}, stream).out.find(support) != std::string::npos);
}

TEST_CASE("citations of ours are supports in the finish chunk") {
  const std::string stream = event(chunk(text("It grew [cite: 1]. Tom [B](https://b.example/)")));
  const std::string at = "candidates.0.groundingMetadata.";
  for (const std::string& data :
       {std::string("{" + chunks + "}"), std::string("{" + chunks + R"(,"groundingSupports":[]})")}) {
    const auto last =
        last_of(run_whole({}, stream + event(chunk(text(""), stop + ",\"groundingMetadata\":" + data))).out);
    CHECK(last.at(at + "groundingSupports.0.segment.text") == "string It grew");
    CHECK(last.at(at + "groundingSupports.0.segment.endIndex") == "7");
    CHECK(last.at(at + "groundingSupports.0.groundingChunkIndices.0") == "0");
    CHECK(last.count(at + "groundingChunks.1.web.uri") == 0);
  }
  session_options known;
  reference ref;
  ref.id = "f-1";
  ref.title = "Report";
  ref.type = source_type::web;
  ref.url = "https://b.example/";
  known.references.push_back(ref);
  const auto last =
      last_of(run_whole(known, event(chunk(text("It grew [R](f-1)."))) + event(chunk("", stop))).out);
  CHECK(last.at(at + "groundingChunks.0.web.uri") == "string https://b.example/");
  CHECK(last.at(at + "groundingSupports.0.groundingChunkIndices.0") == "0");
}

TEST_CASE("sources of ours follow those that an earlier chunk of Gemini lists") {
  const std::string listed =
      R"(,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://e.example/","title":"E"}},)"
      R"({"image":{"imageUri":"i"}}]})";
  const std::string finish =
      R"(,"groundingMetadata":{"groundingSupports":[{"segment":{"endIndex":2,"text":"It"},)"
      R"("groundingChunkIndices":[0]}]})";
  session_options known;
  reference ref;
  ref.id = "f-1";
  ref.title = "Report";
  ref.type = source_type::web;
  ref.url = "https://b.example/";
  known.references.push_back(ref);
  const std::string at = "candidates.0.groundingMetadata.";
  const std::string body = event(chunk(text("It grew [R](f-1). Tom [E](https://e.example/)"), listed));
  const std::string last_chunk = event(chunk(text("."), stop + finish));
  // A chunk may repeat the list: then it is not another one.
  for (const std::string& stream : {body + last_chunk, body + event(chunk(text(""), listed)) + last_chunk}) {
    const auto last = last_of(run_whole(known, stream).out);
    CHECK(last.at(at + "groundingChunks.0.web.uri") == "string https://b.example/");
    CHECK(last.count(at + "groundingChunks.1.web.uri") == 0);
    CHECK(last.at(at + "groundingSupports.0.groundingChunkIndices.0") == "0");
    CHECK(last.at(at + "groundingSupports.1.groundingChunkIndices.0") == "2");
    CHECK(last.count(at + "groundingSupports.2.groundingChunkIndices.0") == 0);  // Gemini cites this page
  }
  // The finish chunk has a list of its own, and no support refers to an earlier one.
  const auto own = last_of(
      run_whole(known, body + event(chunk(text("."), stop + ",\"groundingMetadata\":{" + chunks + "}"))).out);
  CHECK(own.at(at + "groundingChunks.1.web.uri") == "string https://b.example/");
  CHECK(own.at(at + "groundingSupports.0.groundingChunkIndices.0") == "1");
}

TEST_CASE("supports of Gemini that quote other words are counted") {
  const std::string data = stop + R"(,"groundingMetadata":{)" + chunks +
                           R"(,"groundingSupports":[{"segment":{"endIndex":2,"text":"It"}},)"
                           R"({"segment":{"endIndex":3,"text":"Tom"}}]})";
  CHECK(run_whole({}, event(chunk(text("It grew."), data))).counts.unconverted == 1);
}

TEST_CASE("a support of Gemini that is a few bytes off has the position of its words") {
  const auto body_of = [](std::string_view words, int start, int end, std::string_view quote) {
    return chunk(text(words), stop + R"(,"groundingMetadata":{)" + chunks +
                                  R"(,"groundingSupports":[{"segment":{"startIndex":)" +
                                  std::to_string(start) + ",\"endIndex\":" + std::to_string(end) +
                                  ",\"text\":\"" + std::string(quote) +
                                  R"("},"groundingChunkIndices":[0]}]})");
  };
  for (const int drift : {-5, -2, 0, 2, 8}) {
    const int start = 5 + drift;
    const std::string marked = body_of("Rain today [cite: 1] and sun.", start, start + 15, "today [cite: 1]");
    std::string sent;
    session one(session_options{});
    REQUIRE_FALSE(one.rewrite_body(marked, sent));
    const auto paths = paths_of(sent);
    REQUIRE(paths);
    const std::string segment = "candidates.0.groundingMetadata.groundingSupports.0.segment.";
    CHECK(paths->at(segment + "startIndex") == "5");
    CHECK(paths->at(segment + "endIndex") == "10");
    CHECK(paths->at(segment + "text") == "string today");
    // Before the marker, too. A text that is sent unchanged keeps the positions of the provider.
    for (const std::string_view words : {"Rain today [cite: 1]", "Rain today."}) {
      sent.clear();
      one.reset();
      REQUIRE_FALSE(one.rewrite_body(body_of(words, start, start + 5, "today"), sent));
      const bool edited = words.ends_with(']');
      CHECK(paths_of(sent)->at(segment + "startIndex") == std::to_string(edited ? 5 : start));
      CHECK(paths_of(sent)->at(segment + "endIndex") == std::to_string(edited ? 10 : start + 5));
    }
  }
}

TEST_CASE("a support of Gemini that is off and has no start passes unchanged") {
  const std::string data = stop + R"(,"groundingMetadata":{)" + chunks +
                           R"(,"groundingSupports":[{"segment":{"endIndex":2,"text":"It"}}]})";
  const stream_run got = run_whole({}, event(chunk(text("🐍 It grew [cite: 1]."), data)));
  auto last = last_of(got.out);
  CHECK(last.at("candidates.0.groundingMetadata.groundingSupports.0.segment.endIndex") == "2");
  CHECK(last.at("candidates.0.groundingMetadata.groundingSupports.0.segment.text") == "string It");
  CHECK(got.counts.unconverted == 1);
}

TEST_CASE("an array that breaks off in an element over the limit gets no error") {
  session_options small;
  small.bounds.max_event_bytes = 400;
  const ending aborted{stream_end::aborted, "reset", "upstream_failed"};
  const std::string first = "[" + chunk(text("a [B"));
  const std::string large = chunk(text(std::string(500, 'x')));
  const std::string cut = first + "\n,\r\n" + large.substr(0, 450);
  const std::string whole = first + "\n,\r\n" + large;
  // Text that is held is sent before the element.
  const stream_run got = run_whole(small, cut, aborted);
  CHECK(got.out.find("\"text\":\" [B\"") < got.out.find("xxx"));
  CHECK(got.out.ends_with(large.substr(0, 450)));
  CHECK(got.end.code == errc::upstream_incomplete);
  // After the whole element, an error can follow.
  const stream_run after = run_whole(small, whole, aborted);
  CHECK(paths_of(after.out));
  CHECK(after.out.find("\"error\"") != std::string::npos);
}

TEST_CASE("text that Gemini's finish chunk has no place for is sent before it") {
  const stream_run got = run_whole({}, event(chunk(text("a [B"))) + event(chunk("", stop)));
  const auto all = payloads(got.out);
  REQUIRE(all.size() == 3);
  CHECK(all[1].find("\"text\":\" [B\"") != std::string::npos);
  CHECK(all[1].find("\"usageMetadata\":null") != std::string::npos);
  const stream_run placed = run_whole({}, event(chunk(text("a [B"))) + event(chunk(text(""), stop)));
  CHECK(payloads(placed.out).size() == 2);
}

TEST_CASE("held text of Gemini is sent before a part of another kind") {
  const std::string call = R"({"functionCall":{"name":"f","args":{}}})";
  const std::string stream = event(chunk(text("Größe [B"))) + event(chunk(call)) +
                             event(chunk(text("](https://b.example/) so ") + "," + call)) +
                             event(chunk(call + "," + text("[C](https://c.example/) no"))) +
                             event(chunk(text("."), stop));
  const stream_run got = run_whole({}, stream);
  std::string order;
  for (const std::string& one : payloads(got.out)) {
    const document seen = parsed(one);
    for (json_value part = seen.root()["candidates"][0]["content"]["parts"].first(); part; part = part.next())
      order += part["text"] ? std::string(part["text"].string()) + "|" : "f|";
  }
  CHECK(order == "Größe| [B|f|](https://b.example/) so |f|f| no|.|");
  CHECK(cut_difference({}, stream) == "");
  const std::string body = chunk(text("One [p](ht") + "," + call + "," + text("tps://b.example/) x"), stop);
  session one;
  std::string out;
  REQUIRE_FALSE(one.rewrite_body(body, out));
  CHECK(out.starts_with(body.substr(0, body.find(stop))));
}

TEST_CASE("a chunk that is added to a stream of Gemini does not repeat a thought signature") {
  const std::string_view part = R"({"text":"a [B","thoughtSignature":"c2ln"})";
  const auto all = payloads(run_whole({}, event(chunk(part)) + event(chunk("", stop))).out);
  REQUIRE(all.size() == 3);
  CHECK(all[0].find(R"("thoughtSignature":"c2ln")") != std::string::npos);
  CHECK(all[1].find(R"({"text":" [B","thoughtSignature":null})") != std::string::npos);
}

TEST_CASE("each candidate of Gemini is a text of its own") {
  const auto both = [](std::string_view first, std::string_view second, const std::string& end) {
    return R"({"candidates":[{"content":{"parts":[)" + text(first) + "]}" + end +
           R"(},{"index":1,"content":{"parts":[)" + text(second) + "]}" + end + "}]" + tail;
  };
  const stream_run got =
      run_whole({}, event(both("a [B", "c", "")) + event(both("](https://b.example/).", "d.", stop)));
  const auto last = last_of(got.out);
  CHECK(last.at("candidates.0.content.parts.0.text") == "string .");
  CHECK(last.at("candidates.1.content.parts.0.text") == "string d.");
}

TEST_CASE("a failure is reported in the form of Gemini") {
  const ending aborted{stream_end::aborted, "reset", "upstream_failed"};
  const std::string error = R"({"error":{"code":502,"message":"reset","status":"UNAVAILABLE"}})";
  CHECK(run_whole({}, event(chunk(text("a"))), aborted).out.ends_with("\r\n\r\ndata: " + error + "\r\n\r\n"));
  CHECK(run_whole({}, "[" + chunk(text("a")) + "\n,\r\n", aborted).out.ends_with(",\r\n" + error + "\n]"));
  CHECK(run_whole({}, event(chunk(text("a")))).end.code == errc::upstream_incomplete);
}

TEST_CASE("every chunk that a support of Gemini points to is a source whatever its members") {
  const std::vector<std::string> kinds{
      R"({"retrievedContext":{"text":"Paris.","fileSearchStore":"fileSearchStores/a"}})",
      R"({"retrievedContext":{"documentName":"d-1","fileSearchStore":"fileSearchStores/a","pageNumber":3}})",
      R"({"retrievedContext":{"customMetadata":[{"key":"k","stringValue":"v"}]}})",
      R"({"retrievedContext":{"uri":"gs://b/a.pdf","title":"A"}})",
      R"({"image":{"sourceUri":"https://i.example/","imageUri":"https://i.example/i.png"}})",
      R"({"image":{"domain":"i.example"}})",
      R"({"maps":{"placeId":"places/p","text":"A square."}})",
      R"({"unknown":{"name":"n"}})",
      "{}"};
  std::string list;
  std::string supports;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    list += (i == 0 ? "" : ",") + kinds[i];
    supports += std::string(i == 0 ? "" : ",") + R"({"segment":{"endIndex":7,"text":"It grew"},)" +
                R"("groundingChunkIndices":[)" + std::to_string(i) + "]}";
  }
  const std::string finish = stop + R"(,"groundingMetadata":{"groundingChunks":[)" + list +
                             R"(],"groundingSupports":[)" + supports + "]}";
  const std::string stream = event(chunk(text("It gr"))) + event(chunk(text("ew."), finish));
  session one{session_options{}};
  std::string body;
  REQUIRE_FALSE(one.rewrite_body(chunk(text("It grew."), finish), body));
  const auto in_body = paths_of(body);
  REQUIRE(in_body);
  for (const auto& seen : {last_of(run_whole({}, stream).out), *in_body}) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      INFO(kinds[i]);
      const std::string at = "citestream.citations." + std::to_string(i) + ".";
      CHECK(seen.at(at + "origin") == "string provider");
      CHECK(seen.at(at + "number") == std::to_string(i + 1));
      CHECK(seen.at(at + "end") == "7");
    }
    CHECK(seen.count("citestream.citations." + std::to_string(kinds.size()) + ".number") == 0);
    CHECK(seen.count("citestream.uncited.0.type") == 0);
    CHECK(seen.at("citestream.citations.0.references.0.container") == "string fileSearchStores/a");
    CHECK(seen.at("citestream.citations.0.references.0.text") == "string Paris.");
    CHECK(seen.at("citestream.citations.1.references.0.id") == "string d-1");
    CHECK(seen.at("citestream.citations.1.references.0.page") == "3");
    CHECK(seen.at("citestream.citations.4.references.0.url") == "string https://i.example/");
  }
  CHECK(cut_difference({}, stream) == "");
}

TEST_CASE("a recorded answer of Gemini has a record for each index of each support") {
  if (!have_data("recordings/providers/gemini")) return;
  std::size_t all = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "recordings/providers/gemini")) {
    if (entry.path().extension() != ".sse") continue;
    INFO(entry.path().string());
    const std::string bytes = read_file(entry.path());
    std::size_t expected = 0;
    for (const std::string& payload : payloads(bytes)) {
      const document one = parsed(payload);
      const json_value data = one.root()["candidates"].first()["groundingMetadata"];
      for (json_value each = data["groundingSupports"].first(); each; each = each.next()) {
        for (json_value index = each["groundingChunkIndices"].first(); index; index = index.next())
          ++expected;
      }
    }
    std::size_t records = 0;
    for (const std::string& payload : payloads(run_whole({}, bytes).out)) {
      const document one = parsed(payload);
      for (json_value each = one.root()["citestream"]["citations"].first(); each; each = each.next())
        records += each["origin"].string() == "provider" ? 1U : 0U;
    }
    CHECK(records == expected);
    all += expected;
  }
  CHECK(all > 3);
}

TEST_CASE("a marker that cites a listed source without an address points to that chunk") {
  const std::string list =
      R"("groundingChunks":[{"web":{"uri":"https://a.example/x","title":"A"}},)"
      R"({"retrievedContext":{"text":"P","title":"Doc"}},{"retrievedContext":{"text":"Q"}},)"
      R"({"retrievedContext":{"documentName":"d","title":"Doc"}}])";
  const std::string words = "One [cite: 2]. Two [cite: 3]. Three [cite: 4]. Four [cite: 3]";
  const std::string listed = ",\"groundingMetadata\":{" + list + "}";
  const std::string at = "candidates.0.groundingMetadata.";
  for (const std::string& stream :
       {event(chunk(text(words))) + event(chunk(text(""), stop + listed)),
        event(chunk(text(words), listed)) + event(chunk(text(""), stop)),
        event(chunk(text("One [cite"), listed)) + event(chunk(text(words.substr(9)), listed)) +
            event(chunk(text(""), stop))}) {
    const auto last = last_of(run_whole({}, stream).out);
    const std::vector<std::string> expected{"1", "2", "3", "2"};
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(last.at(at + "groundingSupports." + std::to_string(i) + ".groundingChunkIndices.0") ==
            expected[i]);
    CHECK(last.count(at + "groundingChunks.4.retrievedContext.title") == 0);
    CHECK(last.count(at + "groundingChunks.0.retrievedContext.title") == 0);
  }
  const std::string supported =
      stop + R"(,"groundingMetadata":{)" + list +
      R"(,"groundingSupports":[{"segment":{"endIndex":3,"text":"One"},"groundingChunkIndices":[1]}]})";
  const auto last =
      last_of(run_whole({}, event(chunk(text("One [cite: 2]"))) + event(chunk("", supported))).out);
  CHECK(last.count(at + "groundingSupports.1.segment.endIndex") == 0);  // Gemini cites it
}

TEST_CASE("sources of Gemini after its finish chunk resolve the markers before them") {
  const std::string words = "It grew [A](https://a.example/x). Tom [cite: 1] left [B](gone).";
  const std::string support =
      R"(,"groundingSupports":[{"segment":{"endIndex":7,"text":"It grew"},"groundingChunkIndices":[0]}])";
  for (const std::string& supports : {support, std::string()}) {
    const std::string stream = event(chunk(text(words.substr(0, 20)))) +
                               event(chunk(text(words.substr(20)), stop)) +
                               event(chunk("", ",\"groundingMetadata\":{" + chunks + supports + "}"));
    session one{session_options{}};
    const stream_run whole = run(one, {stream});
    CHECK_FALSE(whole.end);
    CHECK(whole.counts.resolved == 2);
    CHECK(whole.counts.unresolved == 1);
    const auto last = last_of(whole.out);
    const std::string at = "citestream.citations.";
    CHECK(last.at(at + "0.status") == "string resolved");
    CHECK(last.at(at + "0.origin") == (supports.empty() ? "string marker" : "string both"));
    CHECK(last.at(at + "1.status") == "string resolved");
    CHECK(last.at(at + "1.references.0.url") == "string https://a.example/x");
    CHECK(last.at(at + "2.status") == "string unresolved");
    CHECK(last.count(at + "3.status") == 0);
    CHECK(last.count("citestream.uncited.0.url") == 0);
    for (std::size_t cut = 1; cut < stream.size(); cut += cut_step) {
      one.reset();
      const std::string_view bytes = stream;
      const stream_run seen = run(one, {bytes.substr(0, cut), bytes.substr(cut)});
      REQUIRE(seen.out == whole.out);
      REQUIRE(seen.counts.resolved == 2);
    }
    session_options typed;
    typed.typed_events = true;
    std::size_t resolved = 0;
    session typing(typed);  // reads the events as they come
    for (const owned_event& each : run(typing, cut_every(stream, 1)).events)
      resolved +=
          each.type == session_event_type::resolved && each.status == citation_status::resolved ? 1 : 0;
    CHECK(resolved == 2);
  }
}

TEST_CASE("answers of other protocols that have candidates are not taken for Gemini's") {
  const auto is_gemini = [](std::string_view payload) {
    document doc;
    REQUIRE_FALSE(doc.parse(payload));
    return find_dialect("gemini")->recognise(doc.root(), payload_kind::event);
  };
  CHECK(is_gemini(R"({"candidates":[{"content":{"parts":[{"text":"a"}]}}]})"));
  for (const std::string other : {R"("answer":"a")", R"("choices":[{"delta":{"content":"a"}}])",
                                  R"("object":"chat.completion.chunk")"}) {
    CHECK_FALSE(is_gemini("{" + other + R"(,"candidates":[{"content":{"parts":[{"text":"a"}]}}]})"));
  }
}

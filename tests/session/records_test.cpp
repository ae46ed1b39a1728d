// When records and held text are sent, and which references they know.
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/chat_events.hpp"
#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// An event of a chat completion. \p rest: further members of the delta, after a comma.
std::string delta(std::string_view content, std::string_view finish = "null", std::string_view rest = {},
                  int choice = 0) {
  return event_of(R"({"object":"chat.completion.chunk","choices":[{"index":)" + std::to_string(choice) +
                  R"(,"delta":{"content":)" + std::string(content) + std::string(rest) +
                  R"(},"finish_reason":)" + std::string(finish) + "}]}");
}

const std::string done = event_of("[DONE]");

/// The same output at every cut in two.
std::string output_of(std::string_view input) {
  const std::string whole = run_whole({}, input).out;
  session reused;
  for (std::size_t at = 1; at < input.size(); ++at) {
    const std::string got = run(reused, {input.substr(0, at), input.substr(at)}).out;
    reused.reset();
    if (got != whole) FAIL_CHECK("cut at " << at << ": " << got);
  }
  return whole;
}

/// The newest records in a stream, or those in a body.
std::string records_in(std::string_view out) {
  return std::string(out.substr(std::min(out.rfind(R"("citestream":{)"), out.size())));
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// An event of a graph question, or its body.
std::string question(std::string_view answer, std::string_view sources, std::string_view references) {
  return R"({"question":"q","answer":")" + std::string(answer) + R"(","sources":[)" + std::string(sources) +
         R"(],"subqueries":[],"references":{"files":[)" + std::string(references) + "]}}";
}

/// A chat event of Writer.
std::string graph_event(std::string_view content, std::string_view finish, std::string_view sources,
                        std::string_view references) {
  return delta(content, finish,
               R"(,"graph_data":{"sources":[)" + std::string(sources) + R"(],"references":{"files":[)" +
                   std::string(references) + "]}}");
}

}  // namespace

TEST_CASE("an event without a choice passes while a marker is incomplete") {
  const std::string head = R"(data: {"object":"chat.completion.chunk","choices":[])";
  for (const std::string& between :
       {head + "}\n\n", head + ",\"usage\":null}\n\n", head + ",\"usage\":{\"total_tokens\":3}}\n\n",
        std::string("event: ping\ndata: {}\n\n"), std::string(": ping\n\n")}) {
    INFO(between);
    const std::string out =
        output_of(delta(R"("a [b](")") + between + delta(R"("c) d")") + delta("null", R"("stop")") + done);
    CHECK(out.starts_with(delta(R"("a")") + between + delta(R"(" d")")));
    CHECK(contains(records_in(out), R"~("marker":"[b](c)")~"));
    const std::string cut = output_of(delta(R"("a [b](")") + between + done);
    CHECK(cut.starts_with(delta(R"("a")") + between));
    CHECK(contains(cut, R"("content":" [b](")"));
  }
}

TEST_CASE("an empty object passes while a marker is incomplete in all protocols") {
  const auto text = [](std::string_view before, std::string_view content, std::string_view after) {
    return event_of(std::string(before) + std::string(content) + std::string(after));
  };
  const std::pair<std::string, std::string> forms[] = {
      {R"({"choices":[{"index":0,"delta":{"graph_data":null,"content":")", R"("},"finish_reason":null}]})"},
      {R"({"question":"q","sources":[],"subqueries":[],"answer":")", R"("})"},
      {R"({"candidates":[{"content":{"role":"model","parts":[{"text":")",
       R"("}]},"index":0}],"modelVersion":"g"})"}};
  for (const auto& [before, after] : forms) {
    const std::string head = text(before, "a [b](", after);
    const std::string out = output_of(head + event_of("{}") + text(before, "c) d", after));
    INFO(out);
    CHECK(out.starts_with(text(before, "a", after) + event_of("{}") + text(before, " d", after)));
  }
}

TEST_CASE("a source of Writer is a reference if none in its event is to its file") {
  const std::string brief = R"({"file_id":"f-1","snippet":"short"},null)";
  const std::string full = R"({"fileId":"f-1","text":"whole","score":0.5,"cite":"c-1"})";
  const std::string other = R"({"fileId":"f-2","text":"other","score":0.5})";
  const std::string marked = "A [x](f-1) b";
  const auto references = [](std::string_view records) {
    const std::size_t begin = records.find(R"("references":)");
    return std::string(records.substr(begin, records.find(']', begin) - begin));
  };
  const std::string short_one = R"("references":[{"type":"file","id":"f-1","text":"short"})";
  const std::string full_one =
      R"("references":[{"type":"file","id":"f-1","cite":"c-1","text":"whole","score":0.5})";
  for (const bool early : {false, true}) {
    for (const std::string& more : {std::string(), other}) {
      const auto first = early ? brief : "";
      const std::string stream = event_of(question(marked, first, "")) +
                                 event_of(question("", early ? "" : brief, more)) +
                                 event_of(question("", brief, ""));
      CHECK(references(records_in(output_of(stream))) == short_one);
      const std::string chat = graph_event('"' + marked + '"', "null", first, "") +
                               graph_event("null", R"("stop")", early ? "" : brief, more) + done;
      CHECK(references(records_in(output_of(chat))) == short_one);
    }
    const std::string stream = event_of(question(early ? marked : "", brief, full)) +
                               event_of(question(early ? "" : marked, "", ""));
    CHECK(references(records_in(output_of(stream))) == full_one);
    const std::string chat = graph_event(early ? R"("")" : '"' + marked + '"', "null", "", "") +
                             graph_event(early ? '"' + marked + '"' : "null", R"("stop")", brief, full) +
                             done;
    CHECK(references(records_in(output_of(chat))) == full_one);
  }
  const std::string top = ",\"graph_data\":{\"sources\":[" + brief + "]}}";
  std::string chat = delta('"' + marked + '"', R"("stop")") + done;
  chat.replace(chat.find("}\n\n"), 1, top);
  CHECK(references(records_in(output_of(chat))) == short_one);
  std::string body;
  session one;
  REQUIRE_FALSE(one.rewrite_body(question(marked, brief, other), body));
  CHECK(references(records_in(body)) == short_one);
}

TEST_CASE("references after the records complete those that are not cited") {
  const std::string first = R"({"fileId":"f-1","text":"t"})";
  const std::string later = R"({"fileId":"f-3","text":"t3"})";
  const std::string start = graph_event(R"("A [x](f-1).")", "null", "", "");
  const std::string finish = graph_event("null", R"("stop")", "", first);
  const std::string out = output_of(start + finish + graph_event("null", "null", "", later) +
                                    graph_event("null", "null", "", later) + done);
  CHECK(contains(records_in(out), R"("uncited":[{"type":"file","id":"f-3","text":"t3"}]})"));
  CHECK(payloads(out).size() == 6);
  CHECK(payloads(output_of(start + finish + graph_event("null", "null", "", first) + done)).size() == 4);
}

TEST_CASE("a choice with nothing left to send gets no added event") {
  const std::string out =
      output_of(delta(R"("A [x](u) b")") + delta(R"("B [y](v) c")", "null", {}, 1) +
                delta(R"("C")", "null", {}, 2) + delta("null", R"("stop")") +
                delta("null", R"("stop")", {}, 1) + delta("null", R"("stop")", {}, 2) + done);
  CHECK(payloads(out).size() == 8);
  CHECK(contains(records_in(out), R"~("marker":"[x](u)")~"));
  CHECK(contains(records_in(out), R"~("marker":"[y](v)")~"));
}

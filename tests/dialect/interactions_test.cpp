// Gemini's Interactions: whole streams and bodies. Payloads are in golden/interactions.md.
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/json_paths.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string event(std::string_view type, std::string_view members) {
  return "event: " + std::string(type) + "\ndata: {" + std::string(members) + ",\"event_type\":\"" +
         std::string(type) + "\"}\n\n";
}

const std::string created =
    event("interaction.created", R"("interaction":{"id":"i","status":"in_progress","object":"interaction"})");
const std::string completed =
    event("interaction.completed", R"("interaction":{"id":"i","status":"completed","object":"interaction"})");

std::string delta(std::string_view text, int step = 1) {
  return event("step.delta", "\"index\":" + std::to_string(step) + R"(,"delta":{"text":")" +
                                 std::string(text) + R"(","type":"text"},"event_id":"e")");
}

std::string start(int step = 1) {
  return event("step.start", "\"index\":" + std::to_string(step) + R"(,"step":{"type":"model_output"})");
}

std::string stop(int step = 1) {
  return event("step.stop", "\"index\":" + std::to_string(step));
}

std::string annotated(std::string_view list) {
  return event("step.delta", R"("index":1,"delta":{"annotations":[)" + std::string(list) +
                                 R"(],"type":"text_annotation_delta"})");
}

const std::string done = "event: done\ndata: [DONE]\n\n";

/// The text of all deltas of a step.
std::string text_of(std::string_view out, const std::string& step = "1") {
  std::string all;
  for (const std::string& one : payloads(out)) {
    const auto paths = paths_of(one);
    if (!paths || paths->count("index") == 0 || paths->at("index") != step) continue;
    if (paths->count("delta.text") != 0) all += paths->at("delta.text").substr(7);
  }
  return all;
}

/// The members of the event before the last one, which is `interaction.completed`.
json_paths completed_in(const std::string& out) {
  const auto all = payloads(out);
  const auto paths = paths_of(all.at(all.size() - 2));
  REQUIRE(paths);
  return *paths;
}

const std::string stream =
    created + start() + delta("Größe [A](https://a") + delta(".example/). It [cite") + delta(": 1] grew [x") +
    annotated(R"({"start_index":33,"end_index":35,"url":"https://a.example/","title":"A",)"
              R"("type":"url_citation"})") +
    stop() + completed + done;

}  // namespace

TEST_CASE("annotations of an interaction quote the same words in bytes at every cut") {
  const stream_run whole = run_whole({}, stream);
  CHECK(text_of(whole.out) == "Größe. It grew [x");
  CHECK(whole.out.find(R"("start_index":9,"end_index":11,)") != std::string::npos);  // "It"
  CHECK(whole.out.ends_with(done));
  CHECK(whole.end.code == errc::ok);
  CHECK(cut_difference({}, stream) == "");
}

TEST_CASE("pages that a step cites are annotated before its end and records name the step") {
  session_options known;
  reference ref;
  ref.id = "f-1";
  ref.title = "Report";
  ref.type = source_type::web;
  ref.url = "https://b.example/";
  known.references.push_back(ref);
  const std::string text = created + start() + delta("Größe. It grew [R](f-1).") + stop() + start(2) +
                           delta("Tom [R](f-1)", 2) + stop(2) + completed + done;
  const stream_run got = run_whole(known, text);
  CHECK(text_of(got.out) == "Größe. It grew.");
  CHECK(text_of(got.out, "2") == "Tom");
  const std::string own =
      R"(data: {"index":1,"delta":{"annotations":[{"type":"url_citation","start_index":9,)"
      R"("end_index":16,"url":"https://b.example/","title":"Report"}],)"
      R"("type":"text_annotation_delta"},"event_type":"step.delta"})";
  const std::size_t at = got.out.find("event: step.delta\n" + own + "\n\n" + stop());
  CHECK(at != std::string::npos);
  CHECK(got.out.find(R"("path":{"step":1})") != std::string::npos);
  CHECK(got.out.find(R"("path":{"step":2})") != std::string::npos);
}

TEST_CASE("a body of an interaction is rewritten like its stream") {
  const std::string body =
      R"x({"id":"i","steps":[{"type":"thought","summary":"[A](https://a.example/)"},{"content":[{"text":)x"
      R"x("Größe [A](https://a.example/). It grew","type":"text","annotations":[{"start_index":33,)x"
      R"x("end_index":35,"url":"https://a.example/","title":"A","type":"url_citation"}]}],)x"
      R"x("type":"model_output"}],"object":"interaction"})x";
  session one;
  std::string out;
  CHECK_FALSE(one.rewrite_body(body, out));
  const auto paths = paths_of(out);
  REQUIRE(paths);
  CHECK(paths->at("steps.0.summary") == "string [A](https://a.example/)");
  CHECK(paths->at("steps.1.content.0.text") == "string Größe. It grew");
  CHECK(paths->at("steps.1.content.0.annotations.0.start_index") == "9");
  CHECK(paths->at("steps.1.content.0.annotations.0.end_index") == "11");
  CHECK(paths->count("steps.1.content.0.annotations.1.url") == 0);
  CHECK(paths->at("citestream.citations.0.status") == "string resolved");
}

TEST_CASE("a failure of an interaction and one resumed in the middle") {
  const stream_run cut = run_whole({}, created + start() + delta("a [x"));
  CHECK(cut.end.code == errc::upstream_incomplete);
  CHECK(cut.out.find(R"(data: {"event_type":"error","error":{"code":"upstream_incomplete","message":)") !=
        std::string::npos);
  CHECK(text_of(cut.out) == "a [x");
  const std::string middle = delta("a [A](https://a.example/)") + stop() + completed + done;
  CHECK(run_whole({}, middle).out == middle);
}

TEST_CASE("texts and annotations of an interaction are clean wherever they are repeated") {
  const std::string words = "Größe [A](https://a.example/). It grew";
  const std::string cited =
      R"([{"start_index":36,"end_index":40,"url":"https://a.example/","title":"A","type":"url_citation"}])";
  const std::string parts = R"({"text":")" + words + R"(","type":"text","annotations":)" + cited + "}";
  const auto ended = [](const std::string& step) {
    return event(
        "interaction.completed",
        R"x("interaction":{"id":"i","object":"interaction","steps":[{"type":"thought","summary":"[A](b)"},)x" +
            step + "]}");
  };
  const std::string output = R"({"type":"model_output","content":[)";
  const std::string annotation = event(
      "step.delta", R"("index":1,"delta":{"annotations":)" + cited + R"(,"type":"text_annotation_delta"})");
  for (const std::string& bytes :
       {created + start() + delta(words) + annotation + stop() + ended(output + parts + "]}"),
        created + event("step.start", R"("index":1,"step":)" + output + parts + "]}") + stop() +
            ended(output + parts + "]}")}) {
    const stream_run got = run_whole({}, bytes + done);
    CHECK(got.out.find("Größe [A]") == std::string::npos);
    CHECK(got.out.find(R"x("summary":"[A](b)")x") != std::string::npos);
    const json_paths last = completed_in(got.out);
    const std::string at = "interaction.steps.1.content.0.";
    CHECK(last.at(at + "text") == "string Größe. It grew");
    CHECK(last.at(at + "annotations.0.start_index") == "12");
    CHECK(last.at(at + "annotations.0.end_index") == "16");
    CHECK(last.count(at + "annotations.1.url") == 0);
    const std::string record = "interaction.citestream.citations.";
    CHECK(last.at(record + "0.origin") == "string marker");
    CHECK(last.at(record + "1.origin") == "string provider");
    CHECK(last.at(record + "1.anchor") == "string claim");
    CHECK(last.count(record + "2.origin") == 0);
    for (std::size_t cut = 1; cut < bytes.size(); cut += cut_step) {
      session one;
      REQUIRE(run(one, {bytes.substr(0, cut), bytes.substr(cut) + done}).out == got.out);
    }
  }
  // A repeat that differs stays as it is.
  const std::string other = ended(output + R"x({"text":"Other [A](https://a.example/)","type":"text"}]})x");
  CHECK(run_whole({}, created + start() + delta("One.") + stop() + other + done)
            .out.find("Other [A](https://a.example/)") != std::string::npos);
}

TEST_CASE("annotations of the second text that starts a step count from its start") {
  const std::string bytes =
      created +
      event("step.start",
            R"x("index":1,"step":{"type":"model_output","content":[{"text":"Größe [A](u).","type":"text"},)x"
            R"x({"text":" It [B](v) grew","type":"text","annotations":[{"start_index":11,"end_index":15,)x"
            R"x("url":"https://b.example/","title":"B","type":"url_citation"}]}]})x") +
      stop() + completed + done;
  const stream_run got = run_whole({}, bytes);
  CHECK(got.out.find(R"("text":" It grew")") != std::string::npos);
  CHECK(got.out.find(R"("start_index":4,"end_index":8)") != std::string::npos);
  const json_paths last = completed_in(got.out);
  CHECK(last.at("interaction.citestream.citations.2.url") == "string https://b.example/");
  CHECK(last.at("interaction.citestream.citations.2.start") == "10");
  CHECK(last.at("interaction.citestream.citations.2.end") == "14");
}

TEST_CASE("positions in a repeated step that does not begin with text count from it") {
  const std::string first = R"({"type":"model_output","content":[{"type":"text","text":"One two."}]})";
  const std::string second =
      R"x({"type":"model_output","content":[{"type":"image"},{"text":"Foo [A](https://a.example/) bar.",)x"
      R"x("type":"text","annotations":[{"start_index":28,"end_index":31,"url":"https://b.example/",)x"
      R"x("title":"B","type":"url_citation"}]}]})x";
  const std::string bytes =
      created + event("step.start", R"("index":0,"step":)" + first) + event("step.stop", R"("index":0)") +
      event("step.start", R"("index":1,"step":)" + second) + stop() +
      event("interaction.completed",
            R"("interaction":{"id":"i","object":"interaction","steps":[)" + first + "," + second + "]}") +
      done;
  const json_paths last = completed_in(run_whole({}, bytes).out);
  CHECK(last.at("interaction.steps.1.content.1.text") == "string Foo bar.");
  CHECK(last.at("interaction.steps.1.content.1.annotations.0.start_index") == "4");
  CHECK(last.at("interaction.steps.1.content.1.annotations.0.end_index") == "7");
  CHECK(last.at("interaction.citestream.citations.1.origin") == "string provider");
  CHECK(last.count("interaction.citestream.citations.2.origin") == 0);
}

TEST_CASE("a reference of an interaction has the page of its file") {
  const std::string bytes =
      created + start() + delta("It grew.") +
      annotated(R"({"type":"file_citation","document_uri":"files/a","file_name":"a.pdf","page_number":7,)"
                R"("start_index":0,"end_index":7})") +
      stop() + completed + done;
  const json_paths last = completed_in(run_whole({}, bytes).out);
  CHECK(last.at("interaction.citestream.citations.0.references.0.page") == "7");
}

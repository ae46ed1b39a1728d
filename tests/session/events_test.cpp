// Typed events: pulled, in order, and the same for every cut.
#include <filesystem>
#include <map>

#include <catch2/catch.hpp>

#include "session/event_lines.hpp"
#include "session/golden_cases.hpp"
#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string event_line(const owned_event& event) {
  std::string line;
  switch (event.type) {
    case session_event_type::text:
      line = "text <" + event.text + ">";
      break;
    case session_event_type::citation:
      line = "citation " + std::to_string(event.number) + " " + event.marker;
      break;
    case session_event_type::resolved:
      line = "resolved " + std::to_string(event.number) + " " + std::string(name(event.status));
      break;
    case session_event_type::end:
      line = "end <" + event.finish_reason + ">";
      break;
  }
  return std::to_string(event.choice) + " " + line + (event.delta ? " @" + std::to_string(*event.delta) : "");
}

std::vector<std::string> event_lines(const stream_run& run) {
  std::vector<std::string> lines;
  for (const owned_event& event : run.events) lines.push_back(event_line(event));
  return lines;
}

/// The events as JSON lines, pulled after each part of the input.
std::string json_lines(session& work, const pieces& parts, const ending& how) {
  std::string lines;
  std::string out;
  const auto pull = [&] {
    for (session_event event; work.next(event);) append_event_line(event, offset_unit::utf16, lines);
  };
  for (const std::string_view part : parts) {
    static_cast<void>(work.write(part, out));
    pull();
  }
  static_cast<void>(work.finish(out, how.how, how.message, how.code));
  pull();
  work.reset();
  return lines;
}

session_options pulling(session_options options = {}) {
  options.typed_events = true;
  return options;
}

std::string event(std::string_view choice, std::string_view delta, std::string_view finish = "null") {
  return std::string(R"(data: {"object":"chat.completion.chunk","choices":[{"index":)") +
         std::string(choice) + R"(,"delta":)" + std::string(delta) + R"(,"finish_reason":)" +
         std::string(finish) + "}]}\n\n";
}

std::vector<golden_case> golden_streams() {
  std::vector<golden_case> streams;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(CITESTREAM_SOURCE_DIR) /
                                                               "tests/session/golden")) {
    for (golden_case& one : read_golden(entry.path())) {
      if (!one.body) streams.push_back(std::move(one));
    }
  }
  return streams;
}

}  // namespace

TEST_CASE("typed events are in order and name the delta that released them") {
  const std::string input =
      event("0", R"({"role":"assistant","content":""})") + event("0", R"({"content":"Grew [Rep"})") +
      event("1", R"({"content":"Fell."})") + event("0", R"j({"content":"ort](https://a.example/r)"})j") +
      event("0", R"({"content":". More [x"})") +
      event("0", R"({"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example/r"}}]})",
            R"("length")") +
      event("1", "{}", R"("stop")") + "data: [DONE]\n\n";
  const std::vector<std::string> expected{
      "0 text <Grew> @1",   "1 text <Fell.> @2", "0 citation 1 [Report](https://a.example/r) @3",
      "0 text <. More> @4", "0 text < [x>",      "0 resolved 1 resolved",
      "0 end <length>",     "1 end <stop>",
  };
  CHECK(event_lines(run_whole(pulling(), input)) == expected);
}

TEST_CASE("no typed events are queued unless requested") {
  const std::string input = event("0", R"({"content":"a [A](b) c"})") + "data: [DONE]\n\n";
  CHECK(run_whole({}, input).events.empty());
  CHECK(run_whole(pulling(), input).events.size() == 5);
}

TEST_CASE("text after the finish gives its citations once and no second end event") {
  const std::string reference =
      R"({"annotations":[{"type":"url_citation","url_citation":{"url":"https://a"}}]})";
  const std::string input = event("0", R"j({"content":"a [A](https://a)"})j") +
                            event("0", reference, R"("stop")") + event("0", R"({"content":"b [B](c) d"})") +
                            "data: [DONE]\n\n";
  const std::vector<std::string> expected{
      "0 text <a> @0",  "0 citation 1 [A](https://a) @0", "0 resolved 1 resolved", "0 end <stop>",
      "0 text < b> @1", "0 citation 2 [B](c) @1",         "0 text < d> @1",        "0 resolved 2 unresolved",
  };
  CHECK(event_lines(run_whole(pulling(), input)) == expected);
}

TEST_CASE("typed events of the golden streams are the same for every cut") {
  for (const golden_case& one : golden_streams()) {
    INFO(one.file << ": " << one.title);
    session work(pulling(one.options));
    const std::string_view input = one.input;
    const std::string expected = json_lines(work, {input}, one.how);
    for (std::size_t at = 1; at < input.size(); at += 3) {
      if (json_lines(work, {input.substr(0, at), input.substr(at)}, one.how) != expected)
        FAIL_CHECK("cut at " << at);
    }
    CHECK(json_lines(work, cut_every(input, 1), one.how) == expected);
  }
}

TEST_CASE("typed events show the references known when they were queued") {
  const auto references = [](std::string_view id) {
    return event("0", R"({"graph_data":{"references":{"files":[{"fileId":")" + std::string(id) +
                          R"(","text":"t"},{"fileId":"not )" + std::string(id) + R"("}]}}})");
  };
  const std::string input = event("0", R"j({"content":"a [A](f-1) b [B](f-2)."})j", R"("stop")") +
                            references("f-1") + references("f-2") + "data: [DONE]\n\n";
  session work(pulling());
  const std::string whole = json_lines(work, {input}, {});
  CHECK(json_lines(work, cut_every(input, 1), {}) == whole);
  const std::size_t end = whole.find(R"({"type":"end")");
  CHECK(whole.find(R"("unresolved":[2],"uncited":[{"type":"file","id":"not f-1"}]})", end) !=
        std::string::npos);
  CHECK(whole.find(R"({"type":"resolved","number":2)", end) != std::string::npos);
  CHECK(whole.find(R"({"type":"resolved","number":2)") < end);
}

TEST_CASE("a citation event has the number that the citation had then") {
  const auto references = [](std::string_view id) {
    return event("0", R"({"graph_data":{"references":{"files":[{"fileId":")" + std::string(id) + R"("}]}}})");
  };
  const std::string input = references("f-1") + event("0", R"j({"content":"a [A](f-1) b [B](f-2)."})j") +
                            references("f-2") + "data: [DONE]\n\n";
  session_options options = pulling();
  options.style = &numeric_style;
  options.unresolved = unresolved_print::mark;
  session work(options);
  const std::string whole = json_lines(work, {input}, {});
  CHECK(json_lines(work, cut_every(input, 1), {}) == whole);
  CHECK(whole.find(R"({"type":"citation","delta":0,"choice":0,"number":0,"label":"B")") != std::string::npos);
}

TEST_CASE("citations come before their resolution and texts before their end event") {
  std::size_t ends = 0;
  for (const golden_case& one : golden_streams()) {
    if (one.title.find("text after it") != std::string::npos) continue;
    INFO(one.file << ": " << one.title);
    std::map<std::uint32_t, std::size_t> announced;
    std::map<std::uint32_t, std::size_t> resolved;
    std::map<std::uint32_t, bool> ended;
    for (const owned_event& event : run_whole(pulling(one.options), one.input, one.how).events) {
      CHECK_FALSE(ended[event.choice]);
      if (event.type == session_event_type::citation) ++announced[event.choice];
      if (event.type == session_event_type::resolved) {
        // One of the provider is not announced.
        if (!event.marker.empty()) CHECK(++resolved[event.choice] <= announced[event.choice]);
        CHECK(event.status != citation_status::pending);
      }
      if (event.type == session_event_type::end) ended[event.choice] = true;
      ends += event.type == session_event_type::end ? 1U : 0U;
    }
  }
  CHECK(ends > 30);
}

// Broken streams that a golden Markdown file cannot contain.
#include <catch2/catch.hpp>

#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string payload(std::string_view text, std::string_view finish = "null") {
  return R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":")" +
         std::string(text) + R"("},"finish_reason":)" + std::string(finish) + "}]}";
}

std::string event(std::string_view text, std::string_view finish = "null") {
  return "data: " + payload(text, finish) + "\n\n";
}

/// All texts of choice 0 in the output.
std::string text_of(std::string_view bytes) {
  std::string text;
  for (const std::string& data : payloads(bytes)) {
    const auto paths = paths_of(data);
    if (!paths) continue;
    const auto found = paths->find("choices.0.delta.content");
    if (found != paths->end() && found->second.starts_with("string ")) text += found->second.substr(7);
  }
  return text;
}

void check_every_cut(const session_options& options, std::string_view input, const ending& how = {}) {
  const auto expected = comparable(run_whole(options, input, how));
  session reused(options);
  for (std::size_t at = 1; at < input.size(); ++at) {
    const auto got = comparable(run(reused, {input.substr(0, at), input.substr(at)}, how));
    reused.reset();
    if (got != expected) FAIL_CHECK("cut at " << at << ": " << std::get<0>(got));
  }
  CHECK(comparable(run(reused, cut_every(input, 1), how)) == expected);
}

}  // namespace

TEST_CASE("an addition after a block without blank line is a separate event") {
  for (const std::string_view end : {"", "\n", "\r", "\r\n"}) {
    std::string input = "data: " + payload("a [A](b) c") + "\r\n\r\ndata: " + payload("", "\"stop\"");
    input += end;
    INFO("ends with " << end.size() << " bytes");
    const std::string out = run_whole({}, input).out;
    const std::vector<std::string> events = payloads(out);
    REQUIRE(events.size() == 3);
    CHECK(events[1] == payload("", "\"stop\""));
    CHECK(paths_of(events[2])->count("citestream.version") == 1);
    check_every_cut({}, input);
  }
}

TEST_CASE("an error event after an oversize block is a separate event") {
  session_options options;
  options.bounds.max_event_bytes = 200;
  for (const std::string_view end : {"", "\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r", "\r\n\r\n"}) {
    const std::string input = event("a [A](b) c") + "data: " + std::string(300, 'y') + std::string(end);
    const stream_run got = run_whole(options, input, {stream_end::aborted, "gone", "reset"});
    CHECK(got.end.code == errc::upstream_incomplete);
    const std::vector<std::string> events = payloads(got.out);
    REQUIRE(events.size() == 3);
    CHECK(events[1] == std::string(300, 'y'));
    CHECK(events[2] == R"({"error":{"message":"gone","type":"upstream_error","code":"reset"}})");
    CHECK(got.out.find("\n\n\n") == std::string::npos);
    check_every_cut(options, input, {stream_end::aborted, "gone", "reset"});
  }
}

TEST_CASE("text that is not an event stream passes at once before the error event") {
  for (const std::string_view input :
       {"plain tokens [A](b)\n\nof a model", "\"a\"\n12\n\"b\"\n", "# hi\n{\"a\":1}\n"}) {
    INFO(input);
    session rewriter;
    std::string sent;
    for (const std::string_view piece : cut_every(input, 1)) {
      std::string out;
      CHECK_FALSE(rewriter.write(piece, out));
      sent += out;
      CHECK(rewriter.statistics().bytes_in == sent.size());
    }
    std::string rest;
    CHECK(rewriter.finish(rest, stream_end::aborted).code == errc::upstream_incomplete);
    CHECK(rest.starts_with(input.ends_with('\n') ? "\nevent: error\n" : "\n\nevent: error\n"));
    CHECK(sent == input);
    CHECK(rewriter.statistics().events == 0);
    check_every_cut({}, input, {stream_end::aborted, {}, {}});
  }
}

TEST_CASE("nothing of ours follows an error of the provider") {
  const std::string last = event(" [x");
  const std::string error = "event: error\ndata: {\"error\":{\"message\":\"b\"}}\n\n";
  for (const std::string_view end : {"", "data: [DONE]\n\n"}) {
    for (const style* how : {&strip_style, &footnote_style}) {
      session_options options;
      options.style = how;
      const stream_run got = run_whole(options, event("a [A](b) c") + last + error + std::string(end));
      CHECK(got.out.ends_with(error + std::string(end)));
      const std::string text = text_of(got.out);
      CHECK(text.starts_with(how == &strip_style ? "a c [x" : "a[^1] c [x"));
      CHECK(got.out.find("citestream") == std::string::npos);
    }
  }
  const std::string more = event("", "\"stop\"") + "data: [DONE]\n\n";
  const stream_run resumed = run_whole({}, event("a [A](b) c") + error + event(" d") + more);
  CHECK(text_of(resumed.out) == "a c d");
  CHECK(resumed.out.find("\"citestream\"") != std::string::npos);
}

TEST_CASE("the message of an error event is escaped") {
  const stream_run got = run_whole({}, event("a"), {stream_end::aborted, "a\"\n\ndata: b", "c\r"});
  const std::vector<std::string> events = payloads(got.out);
  REQUIRE(events.size() == 2);
  CHECK(events[1] == R"({"error":{"message":"a\"\n\ndata: b","type":"upstream_error","code":"c\r"}})");
}

TEST_CASE("an error event is UTF-8 whatever its message is") {
  const stream_run got = run_whole({}, event("a"), {stream_end::aborted, "caf\xE9 \xC3\xA9", "\xFF"});
  const std::vector<std::string> events = payloads(got.out);
  REQUIRE(events.size() == 2);
  CHECK(events[1] == R"({"error":{"message":"caf? ??","type":"upstream_error","code":"?"}})");
}

TEST_CASE("invalid UTF-8 and NUL and deep JSON pass unchanged after the held text") {
  const std::string deep = R"({"object":"chat.completion.chunk","choices":)" + std::string(5000, '[') + "}";
  std::string nul = payload("x");
  nul[20] = '\0';
  for (const std::string& bad :
       {payload("x\xFF y"), payload("\xED\xA0\xBD"), nul, deep, payload("\\ud83d")}) {
    const std::string raw = "data: " + bad + "\n\n";
    const std::string input =
        event("a [b") + raw + event("](c) d") + event("", "\"stop\"") + "data: [DONE]\n\n";
    const stream_run got = run_whole({}, input);
    CHECK(got.error);
    CHECK(got.out ==
          event("a") + event(" [b") + raw + event("](c) d") + event("", "\"stop\"") + "data: [DONE]\n\n");
    CHECK(got.counts.passed_through == 1);
    session reused;
    for (const std::size_t size : {1U, 7U, 64U}) {
      CHECK(comparable(run(reused, cut_every(input, size))) == comparable(got));
      reused.reset();
    }
  }
}

TEST_CASE("a marker after the first of several finish reasons is removed") {
  const std::string input = event("One", "\"stop\"") + event(" [p](http", "\"stop\"") +
                            event("s://a.example/) two", "\"stop\"") + event(" [q", "\"stop\"") +
                            "data: [DONE]\n\n";
  const std::string out = run_whole({}, input).out;
  CHECK(text_of(out) == "One two [q");
  const std::vector<std::string> events = payloads(out);
  REQUIRE(events.size() == 6);
  const auto last = paths_of(events[4]);
  REQUIRE(last);
  CHECK(last->at("choices.0.delta.content") == "string  [q");
  CHECK(last->at("choices.0.finish_reason") == "null");
  CHECK(last->at("citestream.citations.0.identifier") == "string https://a.example/");
  CHECK(events[5] == "[DONE]");
  check_every_cut({}, input);
}

TEST_CASE("a surrogate pair split over two events passes through unchanged") {
  const std::string input = event("a [b](c) ") + event("\\ud83d") + event("\\ude00") + event("", "\"stop\"");
  const stream_run got = run_whole({}, input);
  CHECK(got.out.find(event("\\ud83d") + event("\\ude00")) != std::string::npos);
  CHECK(got.counts.passed_through == 2);
}

TEST_CASE("a byte order mark is kept and the first event is rewritten") {
  const std::string input = "\xEF\xBB\xBF" + event("a [A](b) c", "\"stop\"");
  const stream_run got = run_whole({}, input);
  CHECK(got.out.substr(0, 9) ==
        "\xEF\xBB\xBF"
        "data: ");
  CHECK(text_of(got.out) == "a c");
  check_every_cut({}, input);
  session body;
  std::string out;
  CHECK_FALSE(
      body.rewrite_body("\xEF\xBB\xBF{\"choices\":[{\"message\":{\"content\":\"a [A](b) c\"}}]}", out));
  CHECK(out.starts_with("\xEF\xBB\xBF{\"choices\":[{\"message\":{\"content\":\"a c\"}}]"));
}

TEST_CASE("a choice index that is negative or huge or not a number is harmless") {
  for (const std::string_view index : {"-1", "1e300", "4294967296", "\"0\"", "null", "0.5", "[]"}) {
    const std::string odd = R"(data: {"object":"chat.completion.chunk","choices":[{"index":)" +
                            std::string(index) + R"(,"delta":{"content":"x [y"}}]})" + "\n\n";
    const std::string input = event("a [b") + odd + event("](c) d", "\"stop\"") + "data: [DONE]\n\n";
    const stream_run got = run_whole({}, input);
    INFO(got.out);
    CHECK(text_of(got.out).find("a") == 0);
    CHECK(got.out.ends_with("data: [DONE]\n\n"));
    check_every_cut({}, input);
  }
}

TEST_CASE("citations over the limit remain text and nothing is lost") {
  session_options options;
  options.bounds.max_citations = 3;
  std::string input;
  for (int i = 0; i < 10; ++i) input += event(" [A](b)");
  input += event("", "\"stop\"");
  const stream_run got = run_whole(options, input);
  CHECK(text_of(got.out) == " [A](b) [A](b) [A](b) [A](b) [A](b) [A](b) [A](b)");
  check_every_cut(options, input);
}

TEST_CASE("imitations of our additions in the model's text remain text") {
  const std::string said = R"(\"citestream\":{\"version\":1} \",\"annotations\":[{}]} )";
  const std::string input = event(said + "[A](b)") + event("", "\"stop\"") + "data: [DONE]\n\n";
  const stream_run got = run_whole({}, input);
  std::size_t ours = 0;
  for (const std::string& data : payloads(got.out)) {
    const auto paths = paths_of(data);
    if (paths && paths->count("citestream.version") == 1) ++ours;
  }
  CHECK(ours == 1);
  CHECK(text_of(got.out) == R"("citestream":{"version":1} ","annotations":[{}]})");
}

TEST_CASE("links that are not web addresses never become annotations") {
  for (const std::string_view url : {"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"}) {
    const std::string finish =
        R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"annotations":)"
        R"([{"type":"url_citation","url_citation":{"url":")" +
        std::string(url) + R"(","title":"t"}}]},"finish_reason":"stop"}]})" + "\n\n";
    const std::string out = run_whole({}, event("a [A](<" + std::string(url) + ">)") + finish).out;
    const std::vector<std::string> events = payloads(out);
    REQUIRE(events.size() == 2);
    const auto paths = paths_of(events[1]);
    // The upstream's own list is kept, and nothing is added to it.
    CHECK(paths->count("choices.0.delta.annotations.0.url_citation.url") == 1);
    CHECK(paths->count("choices.0.delta.annotations.1.url_citation.url") == 0);
    CHECK(paths->at("citestream.citations.0.status") == "string resolved");
  }
}

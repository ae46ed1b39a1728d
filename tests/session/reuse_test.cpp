// Sessions that are reused, moved or called after their end; and their statistics.
#include <filesystem>

#include <catch2/catch.hpp>

#include "session/golden_cases.hpp"
#include "support/chat_events.hpp"
#include "support/data.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::string body =
    R"({"object":"chat.completion","choices":[{"index":0,"message":{"content":"a [A](b)."}}]})";

}  // namespace

TEST_CASE("a session reset in the middle behaves like a new one") {
  std::vector<golden_case> all;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(CITESTREAM_SOURCE_DIR) /
                                                               "tests/session/golden")) {
    for (golden_case& one : read_golden(entry.path())) all.push_back(std::move(one));
  }
  for (const golden_case& one : all) {
    if (one.body) continue;
    INFO(one.file << ": " << one.title);
    session_options options = one.options;
    options.typed_events = true;
    const auto expected = comparable(run_whole(options, one.input, one.how));
    session reused(options);
    // The longer of the two streams first, cut off in many places and never finished.
    for (const golden_case& other : {all.front(), one}) {
      for (std::size_t at = 1; at < other.input.size(); at += 97) {
        std::string ignored;
        static_cast<void>(reused.write(std::string_view(other.input).substr(0, at), ignored));
        reused.reset();
        CHECK(reused.statistics().events == 0);
        CHECK(reused.statistics().held == 0);
        CHECK(reused.choices() == 0);
      }
    }
    CHECK(comparable(run(reused, {one.input}, one.how)) == expected);
  }
}

TEST_CASE("a session reset after any protocol reads any other like a new one") {
  std::vector<std::string> streams;
  for (const auto& entry : std::filesystem::directory_iterator(client_streams())) {
    streams.push_back(read_file(entry.path()));
  }
  session_options chosen;
  chosen.style = &numeric_style;
  chosen.grammars = {&link_grammar, &numeric_grammar};
  for (const session_options& options : {session_options(), chosen}) {
    for (const std::string& before : streams) {
      session reused(options);
      for (const std::string& stream : streams) {
        INFO(before.substr(0, 200) << "\nthen\n" << stream.substr(0, 200));
        static_cast<void>(run(reused, {before}, {}));
        reused.reset();
        CHECK(run(reused, {stream}, {}).out == run_whole(options, stream).out);
        reused.reset();
      }
    }
  }
}

TEST_CASE("a session moved in the middle of a stream continues") {
  const std::string input =
      chat_event("a [A](") + chat_event("b) c [d") + chat_event("", "\"stop\"") + "data: [DONE]\n\n";
  session_options options;
  options.typed_events = true;
  const stream_run expected = run_whole(options, input);
  for (std::size_t at = 1; at < input.size(); ++at) {
    session first(options);
    std::string out;
    CHECK_FALSE(first.write(std::string_view(input).substr(0, at), out));
    session second(std::move(first));
    session third(options);
    third = std::move(second);
    CHECK_FALSE(third.write(std::string_view(input).substr(at), out));
    CHECK_FALSE(third.finish(out));
    CHECK(out == expected.out);
    std::size_t events = 0;
    for (session_event pulled; third.next(pulled);) ++events;
    CHECK(events == expected.events.size());
  }
}

TEST_CASE("no input is accepted after the end until reset") {
  session one;
  std::string out;
  CHECK_FALSE(one.write(chat_event("a", "\"stop\""), out));
  CHECK_FALSE(one.finish(out));
  out.clear();
  CHECK(one.write(chat_event("b"), out).code == errc::finished);
  CHECK(one.finish(out).code == errc::finished);
  CHECK(out.empty());
  CHECK(one.rewrite_body(body, out).code == errc::finished);
  CHECK(out == body);
  one.reset();
  out.clear();
  CHECK_FALSE(one.rewrite_body(body, out));
  CHECK(out != body);
}

TEST_CASE("a second body without reset passes through unchanged with an error") {
  session one;
  std::string first;
  std::string second;
  CHECK_FALSE(one.rewrite_body(body, first));
  CHECK(one.rewrite_body(body, second).code == errc::finished);
  CHECK(second == body);
  one.reset();
  second.clear();
  CHECK_FALSE(one.rewrite_body(body, second));
  CHECK(second == first);
}

TEST_CASE("a body over the limit passes through unchanged") {
  session_options options;
  options.bounds.max_body_bytes = body.size() - 1;
  session one(options);
  std::string out;
  const status error = one.rewrite_body(body, out);
  CHECK(error.code == errc::body_too_large);
  CHECK(error.offset == body.size() - 1);
  CHECK(out == body);
  CHECK(one.statistics().passed_through == 1);
}

TEST_CASE("the sums of statistics are consistent") {
  session_options options;
  options.references.push_back({});
  options.references.back().id = "b";
  session one(options);
  std::string out;
  CHECK_FALSE(one.write(chat_event("a [A](b) [B](c) d [ee"), out));
  CHECK(one.statistics().held == 4);
  CHECK(one.statistics().pending == 2);
  CHECK(one.write("data: {\n\n: comment\n\n", out).code == errc::invalid_json);
  CHECK(one.statistics().held == 0);
  CHECK_FALSE(one.write(
      chat_event("[" + std::string(5000, 'x')) + chat_event("x", "\"stop\"") + "data: [DONE]\n\n", out));
  CHECK_FALSE(one.finish(out));
  const session_statistics counts = one.statistics();
  CHECK(counts.events == 5);
  CHECK(counts.deltas == 3);
  CHECK(counts.passed_through == 1);
  CHECK(counts.resolved == 1);
  CHECK(counts.unresolved == 1);
  CHECK(counts.pending == 0);
  CHECK(counts.held == 0);
  CHECK(counts.held_max >= 4);
}

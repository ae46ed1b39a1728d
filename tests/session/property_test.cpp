// Properties of every stream, checked with random streams.
#include <citestream/session/answer.hpp>

#include <catch2/catch.hpp>

#include "support/composed_streams.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

constexpr std::size_t streams = citestream_tests::scaled(150);

std::vector<const style*> all_styles() {
  return {styles().begin(), styles().end()};
}

std::string unescaped(std::string_view token) {
  document doc;
  REQUIRE_FALSE(doc.parse(token));
  return std::string(doc.root().string());
}

/// The JSON string or null at the start of \p bytes.
std::string_view token_at(std::string_view bytes) {
  if (bytes.starts_with("null")) return bytes.substr(0, 4);
  REQUIRE(bytes.starts_with('"'));
  std::size_t at = 1;
  while (bytes[at] != '"') at += bytes[at] == '\\' ? 2U : 1U;
  return bytes.substr(0, at + 1);
}

/// Checks that the output differs from the input only in the texts. \return the texts by choice
std::vector<std::string> checked_texts(const composed_stream& in, std::string_view out) {
  std::vector<std::string> texts(in.texts.size());
  for (const composed_event& event : in.events) {
    std::vector<std::string> here(in.texts.size());
    for (std::size_t i = 0; i < event.fixed.size(); ++i) {
      REQUIRE(out.starts_with(event.fixed[i]));
      out.remove_prefix(event.fixed[i].size());
      if (i == event.tokens.size()) break;
      const std::string_view token = token_at(out);
      const std::string text = unescaped(token);
      // An unchanged text keeps its bytes.
      if (text == unescaped(event.tokens[i])) CHECK(token == event.tokens[i]);
      std::string& said = here[event.choices[i]];
      if (!said.empty()) CHECK(said == text);  // its repetition
      said = text;
      out.remove_prefix(token.size());
    }
    for (std::size_t i = 0; i < here.size(); ++i) texts[i] += here[i];
  }
  CHECK(out.empty());
  return texts;
}

/// The output text by choice.
std::vector<std::string> joined_texts(std::string_view out, std::size_t choices) {
  std::vector<std::string> texts(choices);
  for (const std::string& payload : payloads(out)) {
    document doc;
    if (payload.empty() || payload == "[DONE]") continue;
    REQUIRE_FALSE(doc.parse(payload));
    for (json_value one = doc.root()["choices"].first(); one; one = one.next()) {
      texts.at(static_cast<std::size_t>(*one["index"].integer())) += one["delta"]["content"].string();
    }
  }
  return texts;
}

std::string answered(const session_options& options, const std::string& text) {
  answer whole(options);
  std::string out;
  whole.push(text, out);
  whole.finish(out);
  whole.resolve();
  whole.append_list(out);
  return out;
}

}  // namespace

TEST_CASE("only texts change in a random stream and they equal those of an answer") {
  for (const style* chosen : all_styles()) {
    session_options options;
    options.style = chosen;
    options.add = additions::never;
    for (std::uint32_t seed = 0; seed < streams; ++seed) {
      const composed_stream in = compose(seed);
      INFO("style " << chosen->name << " seed " << seed << "\n" << in.raw());
      const stream_run got = run_whole(options, in.raw());
      CHECK_FALSE(got.end);
      CHECK_FALSE(got.error);
      CHECK(got.counts.passed_through == 0);
      // A list of sources is sent in separate events after the received ones.
      const std::vector<std::string> texts =
          chosen->list != nullptr ? joined_texts(got.out, in.texts.size()) : checked_texts(in, got.out);
      for (std::size_t i = 0; i < texts.size(); ++i) CHECK(texts[i] == answered(options, in.texts[i]));
    }
  }
}

TEST_CASE("a random stream is the same for every read size and as typed events") {
  for (const style* chosen : all_styles()) {
    session_options options;
    options.style = chosen;
    options.typed_events = true;
    session reused(options);
    for (std::uint32_t seed = 0; seed < streams; ++seed) {
      const composed_stream in = compose(seed);
      const std::string raw = in.raw();
      INFO("style " << chosen->name << " seed " << seed << "\n" << raw);
      const stream_run expected = run_whole(options, raw);
      for (const std::size_t size : {1U, 2U, 3U, 5U, 17U, 64U, 1000U}) {
        const stream_run got = run(reused, cut_every(raw, size));
        reused.reset();
        CHECK(comparable(got) == comparable(expected));
        CHECK(got.events.size() == expected.events.size());
      }
      std::vector<std::string> texts(in.texts.size());
      for (const owned_event& event : expected.events) texts.at(event.choice) += event.text;
      for (std::size_t i = 0; i < texts.size(); ++i) CHECK(texts[i] == answered(options, in.texts[i]));
    }
  }
}

TEST_CASE("a random stream cut off anywhere loses no text and ends with the error") {
  for (std::uint32_t seed = 0; seed < scaled(20); ++seed) {
    const composed_stream in = compose(seed);
    const std::string raw = in.raw();
    session reused;
    for (std::size_t at = 0; at < raw.size(); at += 29) {
      INFO("seed " << seed << " cut at " << at << "\n" << raw);
      const stream_run got =
          run(reused, {std::string_view(raw).substr(0, at)}, {stream_end::aborted, {}, {}});
      const session_statistics counts = reused.statistics();
      reused.reset();
      CHECK(counts.held == 0);
      if (got.out.find("[DONE]") != std::string::npos) continue;
      CHECK(got.end.code == errc::upstream_incomplete);
      if (counts.deltas == 0) continue;
      CHECK(got.out.find("data: {\"error\"", got.out.find("event: error")) != std::string::npos);
    }
  }
}

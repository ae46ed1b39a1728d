// The requirements of a grammar for every grammar alone and for thirty combinations, in every style, in
// answers and in the bytes of streams.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"
#include "rewrite/json.hpp"
#include "session/answer_harness.hpp"
#include "support/chat_events.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// Thirty different combinations of two or more grammars, one of them with all grammars.
std::vector<grammar_list> thirty() {
  const std::span<const grammar* const> all = grammars();
  std::vector<grammar_list> made{{all.begin(), all.end()}};
  std::set<std::size_t> seen;
  for (random_source random(41); made.size() < 30;) {
    const std::size_t mask = below(random, std::size_t{1} << all.size());
    grammar_list some;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((mask >> i & 1U) != 0) some.push_back(all[i]);
    }
    if (some.size() > 1 && some.size() < all.size() && seen.insert(mask).second) made.push_back(some);
  }
  return made;
}

/// The same, and each grammar alone.
std::vector<grammar_list> all_choices() {
  std::vector<grammar_list> made = thirty();
  for (const grammar* one : grammars()) made.push_back({one});
  return made;
}

std::string names(const grammar_list& on) {
  std::string all;
  for (const grammar* one : on) all.append(one->name).append(" ");
  return all;
}

session_options options_for(const grammar_list& on, const style& chosen) {
  session_options options;
  options.grammars = on;
  options.style = &chosen;
  return options;
}

/// A text whose markers the reference can decide.
std::string certain_text(random_source& random, const grammar_list& on, std::size_t pieces) {
  for (;;) {
    std::string text = pieces_text(random, on, pieces);
    if (!is_contested(text, on)) return text;
  }
}

std::string without_records(const answered& got) {
  std::string text = got.text;
  for (auto cite = got.citations.rbegin(); cite != got.citations.rend(); ++cite) {
    text.erase(cite->start.utf8, cite->end.utf8 - cite->start.utf8);
  }
  return text;
}

std::string without_markers(std::string text, const std::vector<grammar_marker>& markers) {
  for (auto marker = markers.rbegin(); marker != markers.rend(); ++marker) {
    // Cited text inside the marker is kept.
    const bool inner = marker->cited_begin < marker->cited_end;
    const std::size_t begin = inner ? marker->cited_begin : marker->end;
    const std::size_t end = inner ? marker->cited_end : marker->end;
    text.erase(end, marker->end - end).erase(marker->begin, begin - marker->begin);
  }
  return text;
}

/// Removes the characters that styles may remove or insert, and separators between citations.
std::string squashed(std::string text, const style& as) {
  std::string free(as.separator);
  free += as.space == spacing::tidy ? " \t(),;" : as.space == spacing::trimmed ? " \t" : "";
  std::erase_if(text, [&](char byte) { return free.find(byte) != std::string_view::npos; });
  return text;
}

/// \p text as events, without dividing characters.
std::vector<std::string> events_of(const std::string& text, random_source& random) {
  std::vector<std::string> made;
  std::string part;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool inside = (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
    if (!inside && below(random, 4) == 0) {
      made.push_back(chat_event(part, "null"));
      part.clear();
    }
    part += text[at];
  }
  made.push_back(chat_event(part, "null"));
  made.push_back(chat_event("", "\"stop\""));
  return made;
}

bool is_utf8(std::string_view text) {
  document doc;
  return !doc.parse(json_string(text));
}

}  // namespace

TEST_CASE("thirty combinations of grammars meet the requirements") {
  unsigned seed = 2000;
  for (const grammar_list& on : thirty()) {
    INFO(names(on));
    check_invariance(on, 60, ++seed);
    if (on.size() < 4)
      check_holds(on, 1, ++seed);  // tries all continuations, which is slow with many grammars
    check_bounds(on, 6, ++seed);
    check_lossless(on, 20, ++seed);
  }
}

TEST_CASE("every style gives the same for every cut and combination of grammars") {
  random_source random(42);
  for (const grammar_list& on : all_choices()) {
    for (const style* chosen : styles()) {
      INFO(names(on) << "as " << chosen->name);
      answer one(options_for(on, *chosen));
      for (std::size_t round = 0; round < scaled(40); ++round) {
        const std::string text = pieces_text(random, on, 1 + below(random, 12));
        CAPTURE(text);
        const answered whole = run(one, {text});
        REQUIRE(same(run(one, single_bytes(text)), whole));
        REQUIRE(same(run(one, cut(text, random, 5)), whole));
        for (std::size_t i = 0; i < text.size(); ++i) {
          REQUIRE(
              same(run(one, {std::string_view(text).substr(0, i), std::string_view(text).substr(i)}), whole));
        }
      }
    }
  }
}

TEST_CASE("each byte removed with a marker is in its record for all grammars and styles") {
  random_source random(43);
  for (const grammar_list& on : all_choices()) {
    for (const style* chosen : styles()) {
      INFO(names(on) << "as " << chosen->name);
      answer one(options_for(on, *chosen));
      for (std::size_t round = 0; round < scaled(150); ++round) {
        const std::string text = certain_text(random, on, 1 + below(random, 12));
        CAPTURE(text);
        const answered got = run(one, {text});
        const std::vector<grammar_marker> markers = find_grammar_markers(text, on);
        std::vector<std::string> expected;
        for (const grammar_marker& marker : markers) {
          const std::string bytes = text.substr(marker.begin, marker.end - marker.begin);
          expected.insert(expected.end(), marker.keys.size(), bytes);
        }
        std::vector<std::string> recorded;
        for (const citation& cite : got.citations) recorded.push_back(cite.marker);
        REQUIRE(recorded == expected);
        if (chosen->space == spacing::untouched) {
          REQUIRE(got.text == text);
        } else {
          REQUIRE(squashed(without_records(got), *chosen) ==
                  squashed(without_markers(text, markers), *chosen));
        }
      }
    }
  }
}

TEST_CASE("a stream releases at each event the same text as a plain answer") {
  random_source random(44);
  for (const grammar_list& on : all_choices()) {
    for (const style* chosen : styles()) {
      INFO(names(on) << "as " << chosen->name);
      session_options options = options_for(on, *chosen);
      options.typed_events = true;
      answer alone(options);
      for (std::size_t round = 0; round < scaled(12); ++round) {
        const std::string text = pieces_text(random, on, 1 + below(random, 12));
        if (!is_utf8(text)) continue;
        CAPTURE(text);
        const std::vector<std::string> events = events_of(text, random);
        std::string stream;
        for (const std::string& event : events) stream += event;
        session one(options);
        const stream_run got = run(one, {stream});
        std::string said = run(alone, {text}).text;
        alone.resolve();
        alone.append_list(said);
        CHECK(text_of(got) == said);
        CHECK(one.cites(0).all().size() == alone.cites().all().size());
        if (chosen->space == spacing::untouched) CHECK(got.out == stream);
        one.reset();
        CHECK(comparable(run(one, cut_every(stream, 1))) == comparable(got));
        one.reset();
        const stream_run by_event = run(one, {events.begin(), events.end()});
        CHECK(by_event.out == got.out);
        CHECK(by_event.counts.held_max == got.counts.held_max);
      }
    }
  }
}

TEST_CASE("a stream holds at each event the same text as a plain answer") {
  random_source random(45);
  for (const grammar_list& on : all_choices()) {
    session_options options = options_for(on, strip_style);
    for (const std::size_t bound : {8U, 40U, 4096U}) {
      options.bounds.max_marker_bytes = bound;
      answer alone(options);
      for (std::size_t round = 0; round < scaled(30); ++round) {
        const std::string text = pieces_text(random, on, 1 + below(random, 12));
        if (!is_utf8(text)) continue;
        INFO(names(on) << bound);
        CAPTURE(text);
        session one(options);
        alone.reset();
        std::string spoken;
        for (const std::string& event : events_of(text, random)) {
          std::string left;
          static_cast<void>(one.write(event, left));
          document doc;
          REQUIRE_FALSE(doc.parse(payloads(event).at(0)));
          alone.push(doc.root()["choices"][0]["delta"]["content"].string(), spoken);
          if (doc.root()["choices"][0]["finish_reason"].is_string()) alone.finish(spoken);
          REQUIRE(one.statistics().held == alone.held());
          REQUIRE(alone.held() <= bound);
        }
        CHECK(one.statistics().abandoned == alone.abandoned());
      }
    }
  }
}

// No more text is held than the limit, and text is released at the same byte for every cut.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/texts.hpp"
#include "session/answer_harness.hpp"

namespace {

using citestream::answer;
using citestream::citation;
using citestream::grammar_options;
using namespace citestream_tests;

grammar_options bounded(std::size_t bytes) {
  grammar_options out;
  out.bounds.max_marker_bytes = bytes;
  return out;
}

/// The length of the released text after each byte, from 0 bytes.
std::vector<std::size_t> lengths_by_byte(answer& a, std::string_view text, std::size_t bound,
                                         answered& whole) {
  std::vector<std::size_t> out{0};
  a.reset();
  whole = {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    a.push(text.substr(i, 1), whole.text);
    out.push_back(whole.text.size());
    REQUIRE(a.held() <= bound);
    REQUIRE(a.held() <= a.held_max());
  }
  REQUIRE(a.held_max() <= bound);
  a.finish(whole.text);
  REQUIRE(a.held() == 0);
  whole.citations.assign(a.cites().all().begin(), a.cites().all().end());
  return out;
}

void check_cut(answer& a, const std::vector<std::string_view>& deltas,
               const std::vector<std::size_t>& lengths, const answered& whole) {
  answered got;
  std::size_t at = 0;
  a.reset();
  for (const std::string_view delta : deltas) {
    a.push(delta, got.text);
    at += delta.size();
    CAPTURE(at);
    REQUIRE(got.text.size() == lengths[at]);
  }
  const std::uint64_t abandoned = a.abandoned();
  a.finish(got.text);
  got.citations.assign(a.cites().all().begin(), a.cites().all().end());
  REQUIRE(same(got, whole));
  REQUIRE(a.abandoned() == abandoned);
}

/// Checks that every byte of \p text is in the output or in the record of a citation.
void check_lossless(std::string_view text, const answered& got) {
  std::string input;
  std::size_t next = 0;
  for (const char c : got.text) {
    if (c == '\x01') {
      input += got.citations.at(next++).marker;
    } else {
      input += c;
    }
  }
  REQUIRE(input == text);
  REQUIRE(next == got.citations.size());
}

/// Difficult texts with long runs that may be held, so that they reach the limits.
std::string long_holds(random_source& random) {
  std::string out = difficult_text(random, 1 + below(random, 30));
  for (std::size_t i = below(random, 3); i > 0; --i) {
    static constexpr std::string_view runs[] = {" ",  "\t",        "[", "[x](",      "[y",
                                                "( ", "[z](w) , ", "a", "[a](b \"c", "[a](<b "};
    const std::string_view run = runs[below(random, std::size(runs))];
    for (std::size_t n = below(random, 30); n > 0; --n) out += run;
    out += difficult_text(random, 1 + below(random, 20));
  }
  return out;
}

/// Feeds \p text byte by byte with a limit. Checks how often held text was abandoned. \return the output
std::string printed_within(std::size_t bound, std::string_view text, std::uint64_t abandoned) {
  answer a(options_for(printing::mark_stays, bounded(bound)));
  answered whole;
  lengths_by_byte(a, text, bound, whole);
  CHECK(a.abandoned() == abandoned);
  return whole.text;
}

}  // namespace

TEST_CASE("the limit takes effect at the same byte for every cut") {
  random_source random(41);
  for (const std::size_t bound : {1U, 8U, 16U, 40U, 100U}) {
    for (const printing how :
         {printing::strip, printing::keep, printing::numeric, printing::mark_stays, printing::mark_goes}) {
      answer a(options_for(how, bounded(bound)));
      for (std::size_t i = 0; i < scaled(800); ++i) {
        const std::string text = long_holds(random);
        CAPTURE(bound, style_of(how).name, text);
        answered whole;
        const std::vector<std::size_t> lengths = lengths_by_byte(a, text, bound, whole);
        check_cut(a, {text}, lengths, whole);
        check_cut(a, cut(text, random, 4), lengths, whole);
        check_cut(a, cut(text, random, 40), lengths, whole);
        if (how == printing::mark_stays) check_lossless(text, whole);
        if (how == printing::keep) REQUIRE(whole.text == text);
      }
    }
  }
}

TEST_CASE("below the limit text is released at the same byte for every cut") {
  random_source random(42);
  for (const printing how : {printing::strip, printing::numeric, printing::mark_goes}) {
    answer a(options_for(how));
    for (std::size_t i = 0; i < scaled(3000); ++i) {
      const std::string text = difficult_text(random, 1 + below(random, 60));
      CAPTURE(style_of(how).name, text);
      answered whole;
      const std::vector<std::size_t> lengths = lengths_by_byte(a, text, 4096, whole);
      REQUIRE(a.abandoned() == 0);
      check_cut(a, {text}, lengths, whole);
      check_cut(a, cut(text, random, 9), lengths, whole);
    }
  }
}

TEST_CASE("text held at the limit is released and scanning restarts after it") {
  CHECK(printed_within(8, "[abc](d)", 0) == "\x01");
  CHECK(printed_within(8, "[abcdefgh](x)", 1) == "[abcdefgh](x)");
  CHECK(printed_within(8, "[abcdefg[h](x)", 1) == "[abcdefg\x01");
  CHECK(printed_within(8, "[[[[[[[[[a](b)", 1) == "[[[[[[[[\x01");
  CHECK(printed_within(8, "[a](bcdefghi) [a](b)", 1) == "[a](bcdefghi) \x01");
}

TEST_CASE("held text is released with the first byte over the limit") {
  answer a(options_for(printing::mark_stays, bounded(8)));
  std::string left;
  a.push("x[abcdefg", left);
  CHECK(left == "x");
  CHECK(a.held() == 8);
  a.push("h", left);
  CHECK(left == "x[abcdefgh");
  CHECK(a.held() == 0);
  CHECK(a.abandoned() == 1);
}

#include "base/text_edits.hpp"

#include <array>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

using citestream::edit_side;
using citestream::offset_unit;
using citestream::text_edits;
using citestream::text_offset;

namespace {

text_offset size_of(std::string_view text) {
  text_offset size;
  size.advance(text);
  return size;
}

text_offset ascii(std::uint64_t bytes) {
  return {bytes, bytes, bytes};
}

constexpr std::array units{offset_unit::utf8, offset_unit::utf16, offset_unit::codepoint};

/// One piece of a text: unchanged, or replaced by `after`.
struct piece {
  std::string before;
  std::string after;
  bool replaced{};
};

std::vector<piece> random_pieces(std::mt19937& random) {
  static const std::vector<std::string> texts{"a",      "bc",         " ",   "\u00e9",
                                              "\u20ac", "\U0001F600", "[1]", "x\U0001F600y"};
  const auto pick = [&] { return texts[random() % texts.size()]; };
  std::vector<piece> out;
  for (unsigned i = 0; i < 30; ++i) {
    if (random() % 2 == 0) {
      const std::string same = pick();
      out.push_back({same, same, false});
    } else {
      out.push_back({random() % 4 == 0 ? "" : pick(), random() % 3 == 0 ? "" : pick(), true});
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a text without edits keeps its positions") {
  text_edits edits;
  edits.pass("a\U0001F600b");
  CHECK(edits.empty());
  CHECK(edits.output() == size_of("a\U0001F600b"));
  CHECK(edits.place(5, offset_unit::utf8, edit_side::before) == 5);
}

TEST_CASE("text after a replacement moves by the difference in each unit") {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 500; ++round) {
    text_edits edits;
    std::string input;
    std::string output;
    for (const piece& one : random_pieces(random)) {
      const text_offset in = size_of(input);
      const text_offset out = size_of(output);
      one.replaced ? edits.replace(one.before, one.after) : edits.pass(one.before);
      input += one.before;
      output += one.after;
      REQUIRE(edits.input() == size_of(input));
      REQUIRE(edits.output() == size_of(output));
      if (one.replaced) continue;
      // An unchanged character keeps its position, on either side.
      REQUIRE(edits.place(in, edit_side::after) == out);
      REQUIRE(edits.place(size_of(input), edit_side::before) == size_of(output));
      for (const offset_unit unit : units) {
        REQUIRE(edits.place(in.in(unit), unit, edit_side::after) == out.in(unit));
        REQUIRE(edits.place(size_of(input).in(unit), unit, edit_side::before) == size_of(output).in(unit));
      }
    }
  }
}

TEST_CASE("a position inside a replacement is its start or its end") {
  text_edits edits;
  edits.pass("foo ");
  edits.replace("[A](x)", "[1]");
  edits.pass(" bar");
  CHECK(edits.place(ascii(4), edit_side::before) == ascii(4));
  CHECK(edits.place(ascii(4), edit_side::after) == ascii(4));
  CHECK(edits.place(ascii(6), edit_side::before) == ascii(4));
  CHECK(edits.place(ascii(6), edit_side::after) == ascii(7));
  CHECK(edits.place(ascii(10), edit_side::before) == ascii(7));
}

TEST_CASE("an insertion at a position is on the requested side of it") {
  text_edits edits;
  edits.pass("ab");
  edits.replace("", "--");
  edits.pass("cd");
  CHECK(edits.place(ascii(2), edit_side::before) == ascii(2));
  CHECK(edits.place(ascii(2), edit_side::after) == ascii(4));
  CHECK(edits.place(ascii(3), edit_side::before) == ascii(5));
}

TEST_CASE("a removal and what directly follows it are one replacement") {
  text_edits edits;
  edits.replace(ascii(3), ascii(4), ascii(0));   // the space of "foo [X](id)bar"
  edits.replace(ascii(4), ascii(11), ascii(0));  // its marker
  CHECK(edits.place(ascii(4), edit_side::before) == ascii(3));
  edits.replace(ascii(11), ascii(11), ascii(1));  // the space that is inserted again
  CHECK(edits.place(ascii(4), edit_side::before) == ascii(3));
  CHECK(edits.place(ascii(11), edit_side::before) == ascii(4));
}

TEST_CASE("beyond the maximum neighbours are merged and text after them stays exact") {
  text_edits edits(8);
  for (unsigned i = 0; i < 1000; ++i) {
    edits.pass("text");
    edits.replace("<", "&lt;");
    REQUIRE(edits.output() == ascii(8 * (i + 1)));
  }
  CHECK(edits.place(ascii(5 * 1000), edit_side::before) == ascii(8 * 1000));
  CHECK(edits.place(ascii(0), edit_side::before) == ascii(0));
  // Inside what was merged a position maps to one of its ends, never outside the text.
  std::uint64_t last = 0;
  for (std::uint64_t at = 0; at <= 5000; ++at) {
    const std::uint64_t place = edits.place(at, offset_unit::utf8, edit_side::before);
    REQUIRE(place >= last);
    REQUIRE(place <= 8000);
    last = place;
  }
}

TEST_CASE("reset forgets every edit") {
  text_edits edits;
  edits.replace("abc", "");
  edits.reset();
  CHECK(edits.empty());
  CHECK(edits.place(ascii(2), edit_side::before) == ascii(2));
}

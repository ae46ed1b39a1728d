// Positions found without the text, against counting in it.
#include "base/wide_index.hpp"

#include <random>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

const std::string_view characters[] = {
    "a", " ", "\xC3\xA9", "\xD0\xB6", "\xE2\x80\x94", "\xE5\x85\xAC", "\xF0\x9F\x98\x80", "\xF0\x90\x8D\x88"};

/// Runs of the same character, and characters in any order.
std::string random_text(std::mt19937& random, std::size_t size) {
  std::string out;
  while (out.size() < size) {
    const std::string_view one = characters[random() % std::size(characters)];
    for (std::size_t left = 1 + random() % 4; left > 0; --left) out += one;
  }
  return out;
}

}  // namespace

TEST_CASE("a position in one unit is found in all three") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::string text = random_text(random, random() % 60);
    wide_index index;
    text_offset at;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i + 1;
      while (end < text.size() &&
             (random() % 3 > 0 || (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U))
        ++end;
      const std::string_view piece = std::string_view(text).substr(i, end - i);
      index.add_all(at, piece);
      at.advance(piece);
      i = end;
    }
    text_offset expected;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
      expected = {};
      expected.advance(std::string_view(text).substr(0, i));
      for (const offset_unit unit : {offset_unit::utf8, offset_unit::utf16, offset_unit::codepoint})
        REQUIRE(index.find(expected.in(unit), unit) == expected);
      if (i < text.size() && static_cast<unsigned char>(text[i]) >= 0xF0U) {
        CHECK(index.find(expected.utf16 + 1, offset_unit::utf16) == expected);
        CHECK(index.find(expected.utf8 + 3, offset_unit::utf8) == expected);
      }
    }
  }
}

TEST_CASE("before the start only positions in ASCII are known") {
  wide_index index;
  index.start({3, 3, 3});
  index.add_all({3, 3, 3}, "\xC3\xA9 end");
  CHECK(index.find(2, offset_unit::utf16) == text_offset{2, 2, 2});
  CHECK(index.find(4, offset_unit::utf16) == text_offset{5, 4, 4});
  index.reset();
  index.start({4, 3, 3});
  CHECK_FALSE(index.find(2, offset_unit::utf16));
  CHECK(index.find(5, offset_unit::codepoint) == text_offset{6, 5, 5});
}

TEST_CASE("positions after the last kept run are not known") {
  wide_index index(2);
  const std::string text = "\xC3\xA9 \xC3\xA9 \xC3\xA9 end";
  index.add_all({}, text);
  CHECK(index.find(4, offset_unit::codepoint) == text_offset{6, 4, 4});
  CHECK_FALSE(index.find(5, offset_unit::codepoint));
  index.reset();
  CHECK(index.find(5, offset_unit::codepoint) == text_offset{5, 5, 5});
}

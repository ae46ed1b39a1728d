#include "base/indexed_text.hpp"

#include <random>
#include <string>

#include <catch2/catch.hpp>

using citestream::indexed_text;
using citestream::offset_unit;
using citestream::text_offset;

namespace {

/// The byte of a position, found by reading the text from its start.
std::size_t byte_of(std::string_view text, std::uint64_t position, offset_unit unit) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    text_offset before;
    before.advance(text.substr(0, at));
    const bool first = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U || unit == offset_unit::utf8;
    if (first && before.in(unit) >= position) return at;
  }
  return text.size();
}

}  // namespace

TEST_CASE("parts of a short text are those of a plain reading in each unit") {
  std::mt19937 random(3);
  const std::string pieces[] = {"a", "é", "€", "🐍", " "};
  for (int round = 0; round < 50; ++round) {
    std::string whole;
    indexed_text text;
    for (auto count = random() % 12; count > 0; --count) whole += pieces[random() % std::size(pieces)];
    for (std::size_t at = 0; at < whole.size();) {  // pieces may end inside a code point
      const std::size_t size = 1 + random() % 4;
      text.append(std::string_view(whole).substr(at, size));
      at += size;
    }
    REQUIRE(text.text() == whole);
    for (const offset_unit unit : {offset_unit::utf8, offset_unit::utf16, offset_unit::codepoint}) {
      for (std::uint64_t begin = 0; begin <= whole.size() + 1; ++begin) {
        for (std::uint64_t end = begin; end <= whole.size() + 1; ++end) {
          const std::size_t first = byte_of(whole, begin, unit);
          REQUIRE(text.part(begin, end, unit) ==
                  std::string_view(whole).substr(first, byte_of(whole, end, unit) - first));
        }
      }
    }
  }
}

TEST_CASE("a text that is asked for positions while it grows counts each byte once") {
  indexed_text text;
  std::string whole;
  for (int i = 0; i < 3000; ++i) {
    const std::string_view piece = i % 7 == 0 ? "🐍é" : "ab";
    text.append(piece);
    whole += piece;
    if (i % 100 != 0) continue;
    text_offset size;
    size.advance(whole);
    REQUIRE(text.size() == size);
    REQUIRE(text.offset_at(whole.size()) == size);
  }
}

TEST_CASE("parts of a long text are found at its marks too") {
  indexed_text text;
  std::string piece;
  for (int i = 0; i < 1000; ++i) piece += "é🐍x";  // 7 bytes, 4 units, 3 code points
  for (int i = 0; i < 10; ++i) text.append(piece);
  CHECK(text.size().codepoint == 30'000);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    REQUIRE(text.part(3 * i, 3 * i + 3, offset_unit::codepoint) == "é🐍x");
    REQUIRE(text.part(4 * i + 1, 4 * i + 3, offset_unit::utf16) == "🐍");
    REQUIRE(text.part(7 * i + 6, 7 * i + 7, offset_unit::utf8) == "x");
  }
  for (std::size_t at = 0; at <= text.text().size(); at += 509) {
    text_offset place;
    place.advance(std::string_view(text.text()).substr(0, at));
    REQUIRE(text.offset_at(at) == place);
  }
  CHECK(text.part(30'000, 40'000, offset_unit::codepoint).empty());
  CHECK(text.part(2, 1, offset_unit::codepoint).empty());
  text.clear();
  CHECK(text.part(0, 1, offset_unit::codepoint).empty());
}

#include <citestream/base/offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using citestream::offset_unit;
using citestream::text_offset;

/// Appends UTF-8 (RFC 3629). Independent of the code under test.
void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

struct sample {
  std::string text;
  std::vector<text_offset> at;  ///< the offset after each number of bytes, from 0
};

/// A text, and all offsets in it, counted from its code points.
sample make_sample(const std::vector<std::uint32_t>& codes) {
  sample made;
  made.at.push_back({});
  text_offset now;
  for (const std::uint32_t code : codes) {
    now.codepoint += 1;
    now.utf16 += code > 0xFFFF ? 2 : 1;
    append_utf8(code, made.text);
    while (now.utf8 < made.text.size()) {
      now.utf8 += 1;
      made.at.push_back(now);
    }
  }
  return made;
}

/// Code points at the edges of every encoded length, and of the surrogate gap.
std::vector<std::uint32_t> random_codes(std::mt19937& random, std::size_t size) {
  static constexpr std::uint32_t edges[] = {0,      0x41,   0x7F,   0x80,   0x7FF,   0x800,   0x201D,
                                            0xD7FF, 0xE000, 0xE200, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF};
  std::uniform_int_distribution<std::size_t> pick(0, std::size(edges) - 1);
  std::vector<std::uint32_t> codes(size);
  for (auto& code : codes) code = edges[pick(random)];
  return codes;
}

text_offset advanced(text_offset from, std::string_view text) {
  from.advance(text);
  return from;
}

}  // namespace

TEST_CASE("an offset counts bytes and UTF-16 units and code points") {
  text_offset offset;
  offset.advance("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");  // a, e acute, euro sign, a face outside the BMP
  CHECK(offset.in(offset_unit::utf8) == 10);
  CHECK(offset.in(offset_unit::utf16) == 5);
  CHECK(offset.in(offset_unit::codepoint) == 4);
}

TEST_CASE("an offset is the same for every cut of the text") {
  std::mt19937 random(20240229);
  for (int round = 0; round < 200; ++round) {
    const sample made = make_sample(random_codes(random, static_cast<std::size_t>(round) % 12 + 1));
    const std::string_view text = made.text;
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      const text_offset first = advanced({}, text.substr(0, cut));
      REQUIRE(first == made.at[cut]);
      for (std::size_t second = cut; second <= text.size(); ++second) {
        REQUIRE(advanced(first, text.substr(cut, second - cut)) == made.at[second]);
      }
    }
  }
}

TEST_CASE("an offset moves past bytes of any kind as it does past each of them") {
  static constexpr unsigned char edges[] = {0x00, 0x61, 0x7F, 0x80, 0xBF, 0xC0, 0xE2, 0xEF, 0xF0, 0xF7, 0xFF};
  std::mt19937 random(20240301);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 70, '\0');
    for (char& byte : text) {
      byte = static_cast<char>(round % 2 == 0 ? edges[random() % std::size(edges)] : random() % 256);
    }
    text_offset expected{3, 2, 1};
    for (const char& byte : text) expected.advance({&byte, 1});
    REQUIRE(advanced({3, 2, 1}, text) == expected);
  }
}

TEST_CASE("a code point counts at its first byte") {
  const std::string_view face = "\xF0\x9F\x98\x80";
  CHECK(advanced({}, face.substr(0, 1)) == text_offset{1, 2, 1});
  CHECK(advanced({}, face) == text_offset{4, 2, 1});
}

TEST_CASE("an empty text moves no offset") {
  CHECK(advanced({7, 5, 4}, {}) == text_offset{7, 5, 4});
}

TEST_CASE("an offset unit is found by its name and by no other") {
  for (const offset_unit unit : {offset_unit::utf8, offset_unit::utf16, offset_unit::codepoint}) {
    CHECK(citestream::offset_unit_from_name(name(unit)) == unit);
  }
  CHECK(name(offset_unit::utf8) == "utf8");
  CHECK(name(offset_unit::utf16) == "utf16");
  CHECK(name(offset_unit::codepoint) == "codepoint");
  for (const std::string_view wrong : {"", "UTF8", "utf-8", "utf", "utf88", "bytes"}) {
    CHECK_FALSE(citestream::offset_unit_from_name(wrong).has_value());
  }
}

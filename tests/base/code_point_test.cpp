#include "base/code_point.hpp"

#include <cstddef>
#include <iterator>
#include <string_view>

#include <catch2/catch.hpp>

using citestream::is_continuation;
using citestream::utf8_prefix;

TEST_CASE("code point: bytes 0x80 to 0xBF continue a code point") {
  for (int byte = 0; byte < 256; ++byte) {
    CHECK(is_continuation(static_cast<char>(byte)) == (byte >= 0x80 && byte <= 0xBF));
  }
}

TEST_CASE("code point: a prefix does not cut a code point in two") {
  constexpr std::string_view text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";  // 1, 2, 3, 4 and 1 bytes
  constexpr std::size_t lengths[]{0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (std::size_t most = 0; most < std::size(lengths); ++most) {
    CHECK(utf8_prefix(text, most) == text.substr(0, lengths[most]));
  }
  CHECK(utf8_prefix("", 5).empty());
  CHECK(utf8_prefix("\x80\x80\x80", 2).empty());  // no code point begins in it
}

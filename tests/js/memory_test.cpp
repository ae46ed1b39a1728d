// The functions that replace those of the C library in WebAssembly, compiled for this machine under other
// names.
#include <algorithm>
#include <cstddef>
#include <string>

#include <catch2/catch.hpp>

#define memcpy js_memcpy
#define memmove js_memmove
#define memcmp js_memcmp
#include "js/memory.cpp"
#undef memcpy
#undef memmove
#undef memcmp

namespace {

std::string different_bytes(std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<char>(i * 37 + i / 251));
  return out;
}

}  // namespace

TEST_CASE("memory of every size is copied correctly even if it overlaps") {
  const std::string before = different_bytes(1000);
  for (std::size_t size = 0; size <= 300; ++size) {
    for (std::size_t to = 300; to <= 640; ++to) {
      std::string expected = before;
      std::copy_n(before.data() + 330, size, expected.begin() + static_cast<std::ptrdiff_t>(to));
      std::string moved = before;
      bool right = js_memmove(&moved[to], &moved[330], size) == &moved[to] && moved == expected;
      if (to >= 330 + size || to + size <= 330) {
        std::string copied = before;
        right = right && js_memcpy(&copied[to], &copied[330], size) == &copied[to] && copied == expected;
      }
      if (!right) FAIL(size << " bytes to " << to);
    }
  }
}

TEST_CASE("memory is compared by its first different byte") {
  const std::string left = different_bytes(100);
  for (std::size_t size = 0; size <= left.size(); ++size) {
    CHECK(js_memcmp(left.data(), std::string(left).data(), size) == 0);
    for (std::size_t at = 0; at < size; ++at) {
      std::string right = left;
      right[at] = static_cast<char>(right[at] ^ 0x80);
      std::fill(right.begin() + static_cast<std::ptrdiff_t>(at) + 1, right.end(), '\0');
      const bool less = static_cast<unsigned char>(left[at]) < static_cast<unsigned char>(right[at]);
      const int result = js_memcmp(left.data(), right.data(), size);
      if (less ? result >= 0 : result <= 0) FAIL(size << " bytes, different at " << at);
    }
  }
}

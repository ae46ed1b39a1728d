// memcmp() for WebAssembly, eight bytes at a time: that of the C library compares single bytes, which took a
// fifth of the time, because events are compared with known shapes.
#include <cstddef>
#include <cstdint>

namespace {

std::uint64_t word_at(const unsigned char* from) {
  std::uint64_t word;  // NOLINT(cppcoreguidelines-init-variables)
  __builtin_memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace

extern "C" int memcmp(const void* a, const void* b, std::size_t size) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  for (; size >= 8 && word_at(left) == word_at(right); size -= 8) {
    left += 8;
    right += 8;
  }
  for (; size > 0 && *left == *right; --size) {
    ++left;
    ++right;
  }
  return size == 0 ? 0 : *left - *right;
}

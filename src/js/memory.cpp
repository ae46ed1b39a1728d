// memcpy(), memmove() and memcmp() for WebAssembly, eight bytes at a time. Those of the C library copy
// misaligned bytes in pieces and compare single bytes. The instruction that copies memory is a call out of
// WebAssembly in the engines, which takes longer than to copy a short text; most texts here are short.
#include <cstddef>
#include <cstdint>

namespace {

/// From this size on, the engine copies faster.
constexpr std::size_t long_copy = 256;

template <typename Word>
Word word_at(const unsigned char* from) {
  Word word;  // NOLINT(cppcoreguidelines-init-variables)
  __builtin_memcpy(&word, from, sizeof word);
  return word;
}

/// Copies `size` bytes, sizeof(Word) to twice that, which may overlap.
template <typename Word>
void copy_ends(unsigned char* to, const unsigned char* from, std::size_t size) {
  const auto first = word_at<Word>(from);
  const auto last = word_at<Word>(from + size - sizeof(Word));
  __builtin_memcpy(to, &first, sizeof first);
  __builtin_memcpy(to + size - sizeof(Word), &last, sizeof last);
}

void copy(unsigned char* to, const unsigned char* from, std::size_t size) {
  using word = std::uint64_t;
  if (size > 2 * sizeof(word)) {
    const auto distance = static_cast<std::size_t>(to > from ? to - from : from - to);
    if (size >= long_copy || distance < size) {
      __builtin_memmove(to, from, size);  // the instruction
      return;
    }
    for (; size > 2 * sizeof(word); size -= sizeof(word)) {
      const auto next = word_at<word>(from);
      __builtin_memcpy(to, &next, sizeof next);
      to += sizeof(word);
      from += sizeof(word);
    }
  }
  if (size >= sizeof(word)) return copy_ends<word>(to, from, size);
  if (size >= 4) return copy_ends<std::uint32_t>(to, from, size);
  if (size >= 2) return copy_ends<std::uint16_t>(to, from, size);
  if (size == 1) *to = *from;
}

}  // namespace

extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) {
  copy(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), size);
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) {
  copy(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), size);
  return to;
}

int memcmp(const void* a, const void* b, std::size_t size) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  const auto differ = [&](std::size_t at) {
    return word_at<std::uint64_t>(left + at) ^ word_at<std::uint64_t>(right + at);
  };
  for (; size >= 32 && (differ(0) | differ(8) | differ(16) | differ(24)) == 0; size -= 32) {
    left += 32;
    right += 32;
  }
  for (; size >= 8 && differ(0) == 0; size -= 8) {
    left += 8;
    right += 8;
  }
  for (; size > 0 && *left == *right; --size) {
    ++left;
    ++right;
  }
  return size == 0 ? 0 : *left - *right;
}

}  // extern "C"

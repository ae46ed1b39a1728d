// Reading over JSON values without a parser: each function accepts what the document accepts, or less, never
// more. Line breaks are nowhere accepted.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace citestream::json_scan {

// What a string is made of.
struct string_end {
  const char* quote{};  // the one that ends it; null: none before `end`, or not a valid string
  bool escaped{};
};

constexpr std::uint64_t every_byte(std::uint8_t byte) noexcept {
  return 0x0101010101010101U * byte;
}
inline constexpr std::uint64_t high_bits = every_byte(0x80);

// The high bit of each byte of `word` that is a quote, a backslash or a control character; of higher bytes
// perhaps too, of lower ones never.
[[nodiscard]] inline std::uint64_t stops_in(std::uint64_t word) noexcept {
  const std::uint64_t quote = word ^ every_byte('"');
  const std::uint64_t backslash = word ^ every_byte('\\');
  return (((quote - every_byte(1)) & ~quote) | ((backslash - every_byte(1)) & ~backslash) |
          ((word - every_byte(0x20)) & ~word)) &
         high_bits;
}

// Over bytes that stand for themselves: to the first quote, backslash or control character, or to `end`.
// `high` gets bits of bytes beyond ASCII.
[[nodiscard]] const char* skip_plain(const char* at, const char* end, std::uint64_t& high) noexcept;

[[nodiscard]] string_end skip_any_string(const char* at, const char* end) noexcept;

// Reads over a string's bytes from `at`, behind its first quote.
[[nodiscard]] inline string_end skip_string(const char* at, const char* end) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    const char* from = at;
    for (int words = 0; words < 2 && end - from >= 8; ++words) {  // most texts are short, and plain
      std::uint64_t word{};
      std::memcpy(&word, from, sizeof word);
      const std::uint64_t stops = stops_in(word);
      if ((word & high_bits & ((stops & (0 - stops)) - 1)) != 0) break;
      if (stops != 0) {
        const char* const stop = from + std::countr_zero(stops) / 8;
        if (*stop != '"') break;
        return {stop, false};
      }
      from += 8;
    }
  }
  return skip_any_string(at, end);
}

// Whether the same `size` bytes stand at `a` and `b`, two places in bytes that go on to `end`.
[[nodiscard]] inline bool same_bytes(const char* a, const char* b, std::size_t size,
                                     const char* end) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    const char* const last = a < b ? b : a;
    if (size < 8 && end - last >= 8) {
      std::uint64_t one{};
      std::uint64_t other{};
      std::memcpy(&one, a, sizeof one);
      std::memcpy(&other, b, sizeof other);
      return ((one ^ other) & ((std::uint64_t{1} << 8 * size) - 1)) == 0;
    }
  }
  return static_cast<std::size_t>(end - b) >= size && std::memcmp(a, b, size) == 0;
}

// These return where the value at `at` ends; null where there is none before `end`, or too long a number.
[[nodiscard]] const char* skip_number(const char* at, const char* end) noexcept;
// `levels`: arrays and objects that it may be nested in its own, itself included; at most 64 are read.
[[nodiscard]] const char* skip_value(const char* at, const char* end, std::size_t levels) noexcept;

// Whether bytes that are not a whole JSON text end inside a string, an array or an object: more of them may
// follow. Of bytes that are not JSON it only looks at quotes and brackets.
[[nodiscard]] bool is_unfinished(std::string_view json) noexcept;

// Appends what the bytes of a valid string, without its quotes, stand for.
void append_unescaped(std::string_view bytes, std::string& out);

}  // namespace citestream::json_scan

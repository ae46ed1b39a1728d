/// \file
/// Skips JSON values without a parser. No function accepts anything that `document` rejects, and none accepts
/// a line break.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace citestream::json_scan {

/// The end of a string.
struct string_end {
  const char* quote{};  ///< the closing quote; null if it is not before `end` or the string is invalid
  bool escaped{};       ///< the string has a backslash
};

constexpr std::uint64_t every_byte(std::uint8_t byte) noexcept {
  return 0x0101010101010101U * byte;
}
inline constexpr std::uint64_t high_bits = every_byte(0x80);

/// Returns a word with the high bit set for each quote, backslash and control character in `word`. Only the
/// lowest bit that is set is reliable; higher ones may be wrong.
[[nodiscard]] inline std::uint64_t stops_in(std::uint64_t word) noexcept {
  const std::uint64_t quote = word ^ every_byte('"');
  const std::uint64_t backslash = word ^ every_byte('\\');
  return (((quote - every_byte(1)) & ~quote) | ((backslash - every_byte(1)) & ~backslash) |
          ((word - every_byte(0x20)) & ~word)) &
         high_bits;
}

/// Returns the position of the first quote, backslash or control character, or `end`. Sets bits in `high` if
/// there are bytes outside ASCII.
[[nodiscard]] const char* skip_plain(const char* at, const char* end, std::uint64_t& high) noexcept;

/// skip_string() without its short way.
[[nodiscard]] string_end skip_any_string(const char* at, const char* end) noexcept;

/// Finds the end of a string. `at` is the position after its opening quote.
[[nodiscard]] inline string_end skip_string(const char* at, const char* end) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    const char* from = at;
    for (int words = 0; words < 2 && end - from >= 8; ++words) {  // most texts are short and plain
      std::uint64_t word{};
      std::memcpy(&word, from, sizeof word);
      const std::uint64_t stops = stops_in(word);
      const std::uint64_t high = word & high_bits;
      if (high != 0 && (high & ((stops & (0 - stops)) - 1)) != 0) break;  // not ASCII before the first stop
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

/// Returns true if `size` bytes at `a` and `b` are equal and `b` has that many before `end`. For few bytes, a
/// call of memcmp costs more than the comparison.
[[nodiscard]] inline bool same_bytes(const char* a, const char* b, std::size_t size,
                                     const char* end) noexcept {
  if (static_cast<std::size_t>(end - b) < size) return false;
  if (size > 32) return std::memcmp(a, b, size) == 0;
  const auto differ = [&](auto word, std::size_t at) {
    auto other = word;
    std::memcpy(&word, a + at, sizeof word);
    std::memcpy(&other, b + at, sizeof other);
    return word ^ other;
  };
  // Words at the front and at the back may overlap.
  if (size > 16) {
    return (differ(std::uint64_t{}, 0) | differ(std::uint64_t{}, 8) | differ(std::uint64_t{}, size - 16) |
            differ(std::uint64_t{}, size - 8)) == 0;
  }
  if (size >= 8) return (differ(std::uint64_t{}, 0) | differ(std::uint64_t{}, size - 8)) == 0;
  if (size >= 4) return (differ(std::uint32_t{}, 0) | differ(std::uint32_t{}, size - 4)) == 0;
  for (std::size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

/// skip_number() without its short way.
[[nodiscard]] const char* skip_any_number(const char* at, const char* end) noexcept;

/// Returns the end of the number at `at`; null if it is not before `end` or the number is too long.
[[nodiscard]] inline const char* skip_number(const char* at, const char* end) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t word{};
    if (end - at >= static_cast<std::ptrdiff_t>(sizeof word)) {  // most numbers are small integers
      std::memcpy(&word, at, sizeof word);
      const std::uint64_t value = word ^ every_byte('0');  // below 10 in the bytes of digits
      const std::uint64_t others = ((value + every_byte(0x76)) | value) & every_byte(0x80);
      const std::ptrdiff_t digits = std::countr_zero(others) / 8;  // only the lowest bit is reliable
      const bool integer = others != 0 && at[digits] != '.' && at[digits] != 'e' && at[digits] != 'E';
      if (integer && (digits == 1 || (digits > 1 && *at != '0'))) return at + digits;
    }
  }
  return skip_any_number(at, end);
}

/// Returns the end of the value at `at`; null if it is not before `end`. `levels`: maximum nesting depth
/// of the value, itself included; at most 64.
[[nodiscard]] const char* skip_value(const char* at, const char* end, std::size_t levels) noexcept;

/// Returns true if bytes that are not a complete JSON text may be the start of one: they are blank, or end
/// inside a value. Looks only at quotes and brackets, if there are any, so the bytes need not be valid JSON.
[[nodiscard]] bool is_unfinished(std::string_view json) noexcept;

[[nodiscard]] bool is_utf8(std::string_view bytes) noexcept;

/// Appends the text of a valid JSON string, given without its quotes.
void append_unescaped(std::string_view bytes, std::string& out);

}  // namespace citestream::json_scan

/// \file
/// Classes of ASCII bytes. A byte outside ASCII belongs to none of them.
#pragma once

#include <citestream/base/offsets.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::ascii {

/// `0` to `9`.
[[nodiscard]] constexpr bool is_digit(char byte) noexcept {
  return byte >= '0' && byte <= '9';
}

/// Returns false for a byte of a character outside ASCII.
[[nodiscard]] constexpr bool is_ascii(char byte) noexcept {
  return static_cast<unsigned char>(byte) < 0x80;
}

/// Returns \p byte, or its small letter if it is a capital letter.
[[nodiscard]] constexpr char lower(char byte) noexcept {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

/// Returns \p byte, or its capital letter if it is a small letter.
[[nodiscard]] constexpr char upper(char byte) noexcept {
  return byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : byte;
}

/// `A` to `Z` and `a` to `z`.
[[nodiscard]] constexpr bool is_letter(char byte) noexcept {
  return lower(byte) >= 'a' && lower(byte) <= 'z';
}

/// A letter or a digit.
[[nodiscard]] constexpr bool is_alphanumeric(char byte) noexcept {
  return is_digit(byte) || is_letter(byte);
}

/// The digits that append_hex() writes.
inline constexpr std::string_view hex_digits = "0123456789abcdef";

/// The value of a hexadecimal digit in either case; -1 for other bytes.
[[nodiscard]] constexpr int hex_value(char byte) noexcept {
  if (is_digit(byte)) return byte - '0';
  const char letter = lower(byte);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// A hexadecimal digit in either case.
[[nodiscard]] constexpr bool is_hex_digit(char byte) noexcept {
  return hex_value(byte) >= 0;
}

/// Appends the two digits of a byte.
inline void append_hex(char byte, std::string& out) {
  const auto value = static_cast<unsigned char>(byte);
  out += hex_digits[value >> 4U];
  out += hex_digits[value & 15U];
}

/// `!` to `~`.
[[nodiscard]] constexpr bool is_visible(char byte) noexcept {
  return byte > ' ' && byte < 0x7F;
}

/// A visible byte that is not alphanumeric: what a backslash escapes (CommonMark 0.31, 2.4).
[[nodiscard]] constexpr bool is_punctuation(char byte) noexcept {
  return is_visible(byte) && !is_alphanumeric(byte);
}

/// A space or a tab.
[[nodiscard]] constexpr bool is_blank(char byte) noexcept {
  return byte == ' ' || byte == '\t';
}

/// LF or CR.
[[nodiscard]] constexpr bool is_line_break(char byte) noexcept {
  return byte == '\n' || byte == '\r';
}

/// A space, a tab, LF or CR: the white space of JSON (RFC 8259, 2).
[[nodiscard]] constexpr bool is_space(char byte) noexcept {
  return is_blank(byte) || is_line_break(byte);
}

/// Below U+0020, or U+007F.
[[nodiscard]] constexpr bool is_control(char byte) noexcept {
  return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
}

/// Compares without regard to the case of letters.
[[nodiscard]] constexpr bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, &lower, &lower);
}

/// Returns true if one of \p names is \p name, without regard to the case of letters.
[[nodiscard]] constexpr bool is_one_of(const auto& names, std::string_view name) noexcept {
  return std::ranges::any_of(names, [name](std::string_view one) { return same_name(one, name); });
}

/// The distance between two positions with \p bytes of ASCII between them.
[[nodiscard]] constexpr text_offset size_of(std::size_t bytes) noexcept {
  return {bytes, bytes, bytes};
}

/// Returns true if \p text starts with \p prefix, which has no capital letters, in any case.
[[nodiscard]] constexpr bool starts_with_any_case(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), text.begin(),
                                                    [](char want, char byte) { return lower(byte) == want; });
}

}  // namespace citestream::ascii

/// \file
/// Classes of code points (Unicode 15). Ranges approximate them: complete tables would be about a hundred
/// times larger.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream {

/// Returns true if \p c is in the range from \p first to \p last, both included.
[[nodiscard]] constexpr bool within(std::uint32_t c, std::uint32_t first, std::uint32_t last) noexcept {
  return c >= first && c <= last;
}

/// Returns true for an ASCII letter and for every byte outside ASCII: most such characters are letters.
[[nodiscard]] constexpr bool is_letter_byte(char byte) noexcept {
  return ascii::is_letter(byte) || static_cast<unsigned char>(byte) >= 0x80;
}

/// Unicode's White_Space.
[[nodiscard]] constexpr bool is_white_space(std::uint32_t c) noexcept {
  if (c < 0x80) return c == ' ' || within(c, '\t', '\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || within(c, 0x2000, 0x200A) || within(c, 0x2028, 0x2029) ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Returns true if \p c separates words: white space, punctuation, symbols, emoji. Not `×` and `÷`: they are
/// encoded as the letters around them.
[[nodiscard]] constexpr bool is_separator(std::uint32_t c) noexcept {
  if (c < 0x80) return !within(c, '0', '9') && !within(c | 0x20U, 'a', 'z');
  if (c < 0xC0) return c != 0xAA && c != 0xB5 && c != 0xBA;
  return c == 0x37E || c == 0x387 || c == 0x60C || c == 0x61B || c == 0x61F || c == 0x6D4 ||
         within(c, 0x964, 0x965) || c == 0x1680 || within(c, 0x2000, 0x2BFF) || within(c, 0x2E00, 0x3004) ||
         within(c, 0x3008, 0x303F) || c == 0x30FB || within(c, 0xE000, 0xF8FF) || within(c, 0xFE00, 0xFE6F) ||
         c == 0xFEFF || within(c, 0xFF00, 0xFF0F) || within(c, 0xFF1A, 0xFF20) || within(c, 0xFF3B, 0xFF40) ||
         within(c, 0xFF5B, 0xFF65) || within(c, 0xFFE0, 0xFFFF) || within(c, 0x1F000, 0x1FBFF);
}

/// Returns true for a bullet of a list: one of Markdown, or one that models and documents have instead.
[[nodiscard]] constexpr bool is_bullet(std::uint32_t c) noexcept {
  return std::u32string_view(U"-*+•‣◦▪●–—").find(c) != std::u32string_view::npos;
}

}  // namespace citestream

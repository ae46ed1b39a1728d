/// \file
/// The characters with which sentences end and continue.
#pragma once

namespace citestream {

[[nodiscard]] constexpr bool is_full_stop(char32_t c) noexcept {
  return c == U'.' || c == U'\uFF0E';
}

/// Ends a sentence before white space.
[[nodiscard]] constexpr bool is_terminator(char32_t c) noexcept {
  return is_full_stop(c) || c == U'!' || c == U'?' || c == U'\u2026';
}

/// A lower-case letter: Latin up to Latin Extended-A, Greek and Cyrillic.
[[nodiscard]] constexpr bool is_lower(char32_t c) noexcept {
  if (c < 0x80) return c >= U'a' && c <= U'z';
  if (c < 0x100) return c >= 0xDF && c != 0xF7;
  if (c < 0x180) {  // capitals and small letters alternate; in two ranges, the small ones are even
    const bool even = (c >= 0x138 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
    return c == 0x149 || c == 0x17F || (c % 2 == (even ? 0 : 1) && c != 0x178);
  }
  return (c >= 0x3AC && c <= 0x3CE) || (c >= 0x430 && c <= 0x45F);
}

/// Ends a sentence anywhere: the ideographic full stop, also at half width, and the full-width `!` and `?`.
[[nodiscard]] constexpr bool is_wide_terminator(char32_t c) noexcept {
  return c == U'\u3002' || c == U'\uFF61' || c == U'\uFF01' || c == U'\uFF1F';
}

/// A closing quote, bracket or emphasis: allowed between a terminator and the end of its sentence.
[[nodiscard]] constexpr bool is_closer(char32_t c) noexcept {
  switch (c) {
    case U'"':
    case U'\'':
    case U')':
    case U']':
    case U'}':
    case U'*':
    case U'_':
    case U'\u00AB':  // « closes in German
    case U'\u00BB':  // »
    case U'\u2018':  // ‘ closes in German
    case U'\u2019':  // ’
    case U'\u201C':  // “ closes in German
    case U'\u201D':  // ”
    case U'\u203A':  // ›
    case U'\u3009':  // 〉
    case U'\u300B':  // 》
    case U'\u300D':  // 」
    case U'\u300F':  // 』
    case U'\u3011':  // 】
    case U'\u3015':  // 〕
    case U'\uFF09':  // ）
    case U'\uFF3D':  // ］
    case U'\uFF5D':  // ｝
      return true;
    default:
      return false;
  }
}

}  // namespace citestream

/// \file
/// Classifies and folds characters.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream::check_detail {

enum class letter_kind : std::uint8_t {
  separator,  ///< separates words: white space, punctuation, symbols, invalid UTF-8
  ignored,    ///< has no effect inside a word: combining marks, soft hyphens, joiners
  letter,     ///< a letter or digit
  ideograph,  ///< of a script without spaces between words, in which words are pairs of characters
};

struct letter {
  letter_kind kind{letter_kind::separator};
  bool capital{};
  std::uint8_t length{1};        ///< of the character, in bytes
  std::uint8_t size{};           ///< of `folded`, in bytes
  std::array<char, 4> folded{};  ///< lower case, Latin letters without accents, full-width forms as ASCII
};

/// Reads the first character of \p bytes, which is not empty. Invalid UTF-8 is a separator of one byte.
[[nodiscard]] letter first_letter(std::string_view bytes) noexcept;

/// Returns true for an ASCII letter and for the first byte of any character from U+00C0 on, except those of
/// U+2000 to U+2FFF, which are punctuation and signs such as `€`.
[[nodiscard]] constexpr bool starts_letter(char byte) noexcept {
  const auto value = static_cast<unsigned char>(byte);
  return ascii::is_letter(byte) || (value >= 0xC3 && value != 0xE2);
}

}  // namespace citestream::check_detail

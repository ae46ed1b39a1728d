/// \file
/// Classifies and folds characters for the score.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

}  // namespace citestream::check_detail

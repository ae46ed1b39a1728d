// Characters as the score sees them: folded letters, digits, and what stands between words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream::check_detail {

enum class letter_kind : std::uint8_t {
  separator,   ///< stands between words: white space, punctuation, symbols, bytes that are not UTF-8
  ignored,     ///< stands inside words and says nothing: combining marks, soft hyphens, joiners
  apostrophe,  ///< U+0027 or U+2019
  letter,
  ideograph,  ///< of a script that is written without spaces: words are then pairs of characters
};

struct letter {
  letter_kind kind{letter_kind::separator};
  bool capital{};
  std::uint8_t length{1};        ///< bytes read
  std::uint8_t size{};           ///< bytes in `folded`
  std::array<char, 4> folded{};  ///< lower case, Latin letters without accents, full-width forms narrow
};

/// The character that \p bytes (not empty) start with. What is not UTF-8 is a separator of one byte.
[[nodiscard]] letter first_letter(std::string_view bytes) noexcept;

}  // namespace citestream::check_detail

/// \file
/// The word at the end of a text that streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream {

/// The letters at the end of a text, in lower case. Words of more than eight bytes and words with characters
/// from U+0800 are not an abbreviation, so their letters are not kept.
class last_word {
 public:
  /// Adds a character of a word. A digit ends the letters.
  constexpr void add(char32_t c) noexcept {
    if (c < 0x80) return add_byte(static_cast<char>(c));
    if (c >= 0x800) {
      bytes_ = too_long;
      return;
    }
    add_byte(static_cast<char>(0xC0U | c >> 6U));
    add_byte(static_cast<char>(0x80U | (c & 0x3FU)));
  }

  /// Adds UTF-8, in which all separators are ASCII. Only its last bytes matter: nine letters are too many,
  /// and any other byte ends the word.
  constexpr void add(std::string_view text) noexcept {
    if (text.size() > max_bytes + 1) text.remove_prefix(text.size() - max_bytes - 1);
    for (const char byte : text) add_byte(byte);
  }

  /// Returns true for an abbreviation that a number follows: `p. 3`, `Art. 5`, `et al. 2020`, `Sept. 2024`.
  [[nodiscard]] bool is_abbreviation() const noexcept;

  [[nodiscard]] constexpr bool operator==(const last_word&) const noexcept = default;

 private:
  static constexpr std::size_t max_bytes = 8;
  static constexpr std::uint64_t too_long = ~std::uint64_t{0};

  [[nodiscard]] static constexpr bool is_part(char byte) noexcept {
    return ascii::is_letter(byte) || static_cast<unsigned char>(byte) >= 0x80;
  }

  constexpr void add_byte(char byte) noexcept {
    if (!is_part(byte)) {
      bytes_ = 0;
    } else if (bytes_ >> 56U != 0 || static_cast<unsigned char>(byte) >= 0xE0) {
      bytes_ = too_long;
    } else {
      bytes_ = bytes_ << 8U | static_cast<unsigned char>(ascii::lower(byte));
    }
  }

  std::uint64_t bytes_{};  ///< the last one lowest
};

}  // namespace citestream

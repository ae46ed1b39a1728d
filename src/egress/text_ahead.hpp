/// \file
/// Text as Markdown decodes it: the characters ahead, and the last characters read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream {

/// A character, which may be written with a backslash (`\:`) or as a character reference (`&#58;`).
struct character {
  char value{};        ///< '\0' for one byte of a character that is not ASCII
  std::size_t size{};  ///< number of bytes; 0 at the end of the text, which counts as a line end
  /// Returns true if it is written as itself.
  [[nodiscard]] bool is_plain() const noexcept { return size == 1; }
  /// Returns true if it is white space for every renderer: not written in another way, or the end of the
  /// text.
  [[nodiscard]] bool is_plain_space() const noexcept { return size <= 1 && ascii::is_space(value); }
};

/// What follows the bytes ahead.
enum class text_end : std::uint8_t {
  unknown,       ///< perhaps more text
  reached,       ///< the end of the text
  beyond_limit,  ///< more text, but a decision may not look at it
};

/// The bytes that a decision may look at.
struct text_ahead {
  std::string_view bytes;
  text_end end{};

  /// Returns true if a decision can wait for more text.
  [[nodiscard]] bool may_continue() const noexcept { return end == text_end::unknown; }
  /// The character at \p at; nothing if it ends after the bytes ahead.
  [[nodiscard]] std::optional<character> at(std::size_t at) const noexcept;
  /// The position of the first byte at or after \p from that is not in \p skipped, or `bytes.size()`.
  [[nodiscard]] std::size_t skip(std::string_view skipped, std::size_t from) const noexcept {
    return std::min(bytes.find_first_not_of(skipped, from), bytes.size());
  }
};

/// The last characters that were read, one byte each.
class recent_text {
 public:
  static constexpr std::size_t kept = 16;  ///< longer than the longest scheme and what may precede it

  /// Appends text in which nothing is escaped.
  void note(std::string_view text) noexcept;
  void note(character one) noexcept;
  /// The last character for 1, the one before for 2, and so on.
  [[nodiscard]] char back(std::size_t count) const noexcept { return text_[kept - count]; }
  /// The number of characters at the end that can be part of a scheme.
  [[nodiscard]] std::size_t scheme_size() const noexcept;
  /// Returns true if the text ends in the scheme \p word, in any case, and not in a longer scheme.
  [[nodiscard]] bool ends_in_scheme(std::string_view word) const noexcept;
  [[nodiscard]] bool ends_in_www() const noexcept;
  /// Returns true if the text ends inside the label of a footnote, `[^1`, of at most 14 characters.
  [[nodiscard]] bool ends_in_footnote() const noexcept;

 private:
  std::array<char, kept> text_{};
};

}  // namespace citestream

/// \file
/// Text as Markdown reads it: the characters ahead, decoded, and the last ones that were read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace citestream {

/// A character, which may be written with a backslash in front or as a character reference.
struct character {
  char value{};        ///< '\0' if it is not ASCII
  std::size_t size{};  ///< bytes it is written with; 0 at the end of the text, which reads as a line end
  [[nodiscard]] bool is_plain() const noexcept { return size == 1; }
};

/// What follows the end of the bytes that can be seen.
enum class text_end : std::uint8_t {
  unknown,  ///< more may come
  text,     ///< nothing
  bound,    ///< more than the stage holds back
};

/// The bytes that a decision may look at.
struct text_ahead {
  std::string_view bytes;
  text_end end{};

  /// The character at \p at; nothing if it is not known yet.
  [[nodiscard]] std::optional<character> at(std::size_t at) const noexcept;
  /// The first byte from \p from on that is none of \p skipped, or `bytes.size()`.
  [[nodiscard]] std::size_t skip(std::string_view skipped, std::size_t from) const noexcept {
    return std::min(bytes.find_first_not_of(skipped, from), bytes.size());
  }
};

/// The last characters that were read.
class recent_text {
 public:
  static constexpr std::size_t kept = 16;  // longer than the longest scheme and what may precede it

  void note(std::string_view text) noexcept;
  void note(character one) noexcept;
  /// The last one for 1, and so on.
  [[nodiscard]] char back(std::size_t count) const noexcept { return text_[kept - count]; }
  /// How many of the last characters are part of a scheme's name.
  [[nodiscard]] std::size_t scheme_size() const noexcept;
  /// Whether the text ends in \p word, in any case and spelling, and nothing that makes it a longer scheme.
  [[nodiscard]] bool ends_in_scheme(std::string_view word) const noexcept;
  [[nodiscard]] bool ends_in_www() const noexcept;

 private:
  std::array<char, kept> text_{};
};

}  // namespace citestream

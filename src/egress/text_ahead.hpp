/// \file
/// Text as Markdown decodes it: the characters ahead, and the last ones read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace citestream {

/// A character, which may be written with a backslash or as a character reference.
struct character {
  char value{};        ///< '\0' if it is not ASCII
  std::size_t size{};  ///< number of bytes; 0 at the end of the text, which counts as a line end
  [[nodiscard]] bool is_plain() const noexcept { return size == 1; }
};

/// What follows the bytes that can be seen.
enum class text_end : std::uint8_t {
  unknown,  ///< more text may come
  text,     ///< the end of the text
  bound,    ///< more bytes than the stage holds back
};

/// The bytes that a decision may look at.
struct text_ahead {
  std::string_view bytes;
  text_end end{};

  /// The character at \p at; nothing if more text is needed.
  [[nodiscard]] std::optional<character> at(std::size_t at) const noexcept;
  /// The position of the first byte from \p from on that is not in \p skipped, or `bytes.size()`.
  [[nodiscard]] std::size_t skip(std::string_view skipped, std::size_t from) const noexcept {
    return std::min(bytes.find_first_not_of(skipped, from), bytes.size());
  }
};

/// The last characters that were read.
class recent_text {
 public:
  static constexpr std::size_t kept = 16;  ///< longer than the longest scheme and what may precede it

  void note(std::string_view text) noexcept;
  void note(character one) noexcept;
  /// The last character for 1, the one before for 2, and so on.
  [[nodiscard]] char back(std::size_t count) const noexcept { return text_[kept - count]; }
  /// The number of characters at the end that can be part of a scheme.
  [[nodiscard]] std::size_t scheme_size() const noexcept;
  /// Returns true if the text ends in the scheme \p word, in any case and spelling, and not in a longer
  /// scheme.
  [[nodiscard]] bool ends_in_scheme(std::string_view word) const noexcept;
  [[nodiscard]] bool ends_in_www() const noexcept;

 private:
  std::array<char, kept> text_{};
};

}  // namespace citestream

/// \file
/// Finds code that every renderer treats as code. URLs in it are not made inert (`egress_code::exact`); line
/// ends may be added around a fence, and a zero-width space before a line that looks like its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text_ahead.hpp"

namespace citestream {

/// Some bytes of code, and what replaces them.
struct code_piece {
  std::size_t size{};       ///< number of bytes of the text; 0: more text is needed to decide
  std::string replacement;  ///< the bytes, perhaps with a line end, a zero-width space or less white space
};

/// Reads a text and finds the code in it that need not be changed.
class exact_code {
 public:
  /// Takes text that next() has not consumed.
  void read(std::string_view text) noexcept;
  /// Returns true if a fence is open. All text is then code: next() returns a piece.
  [[nodiscard]] bool in_fence() const noexcept { return fence_.length > 0; }
  /// Consumes and returns the code at the start of \p text, or nothing if renderers may disagree that it is
  /// code.
  [[nodiscard]] std::optional<code_piece> next(const text_ahead& text);

 private:
  /// Where renderers agree about code.
  enum class certainty : std::uint8_t {
    certain,
    not_in_paragraph,  ///< renderers may disagree up to the next blank line
    not_in_text,       ///< renderers may disagree up to the end of the text
  };
  /// The open fence; length 0: none.
  struct fence {
    char mark{};
    std::size_t length{};
  };
  /// The current line.
  struct line {
    bool blank{true};        ///< white space only so far
    bool at_start{true};     ///< empty so far
    bool after_blank{true};  ///< the line in front of it is blank, or it is the first
  };

  void read(char c) noexcept;
  void doubt(certainty how) noexcept;
  [[nodiscard]] std::optional<code_piece> open_fence(const text_ahead& text);
  [[nodiscard]] code_piece fence_line(const text_ahead& text);
  [[nodiscard]] std::optional<code_piece> span(const text_ahead& text);
  code_piece take(std::string_view bytes, std::string replacement);

  certainty certainty_{};
  fence fence_;
  line line_;
  std::size_t run_{};          ///< how many equal bytes are at the end of the text
  std::size_t environment_{};  ///< how many bytes of `\begin` are at the end of the text
  char last_{'\n'};
};

}  // namespace citestream

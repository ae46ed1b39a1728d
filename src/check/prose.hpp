/// \file
/// Separates the lines of prose in a Markdown answer from headings, code, tables and link definitions.
#pragma once

#include <cstddef>
#include <string_view>

namespace citestream::check_detail {

/// One line of a text.
struct text_line {
  std::string_view text;  ///< without its line feed
  bool ended{};           ///< a line feed follows
  /// False for headings (`## …`), fenced code, the head of a table and the row of dashes below it, and link
  /// definitions (`[1]: https://…`, even if the label was removed as a citation).
  bool prose{};
};

/// Reads a text line by line, in linear time. Lines are views of the text.
class prose_lines {
 public:
  explicit prose_lines(std::string_view text) noexcept : text_(text) {}
  /// \return false at the end
  [[nodiscard]] bool next(text_line& out) noexcept;

 private:
  [[nodiscard]] std::string_view line_at(std::size_t at) const noexcept;
  [[nodiscard]] bool in_code(std::string_view line) noexcept;

  std::string_view text_;
  std::size_t at_{};
  char fence_{};  ///< the character of the open fence; 0 if none is open
  std::size_t fence_count_{};
};

}  // namespace citestream::check_detail

// Which lines of an answer in Markdown are prose, and which name, quote or point to something instead.
#pragma once

#include <cstddef>
#include <string_view>

namespace citestream::check_detail {

struct text_line {
  std::string_view text;  ///< without the end of the line
  bool ended{};           ///< a line feed comes behind it
  /// False: it is a heading (`## …`), belongs to code between fences, is the head of a table or the row of
  /// dashes below it, or a link definition (`[1]: https://…`, also where its label was taken for a citation).
  bool prose{};
};

/// Reads a text line by line. Linear; views of the text.
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
  char fence_{};  ///< of the open fence; 0: none is
  std::size_t fence_count_{};
};

}  // namespace citestream::check_detail

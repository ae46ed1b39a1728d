/// \file
/// Separates the lines of prose in a Markdown answer from headings, code, tables, link definitions and lists
/// of references.
#pragma once

#include <citestream/cite/citation.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace citestream::check_detail {

/// What a line is.
enum class line_kind : std::uint8_t {
  prose,
  reference,  ///< in a list of references
  /// A heading (`## …`, or one that introduces a list of references), fenced code, the head of a table or the
  /// row of dashes below it, or the definition of a link or footnote (`[1]: https://…`, also after its label
  /// `[1]` was removed as a marker).
  other,
};

/// One line of a text.
struct text_line {
  std::string_view text;  ///< without its line feed
  bool ended{};           ///< a line feed follows
  line_kind kind{};
};

/// Reads a text line by line, in linear time. Lines are views of the text.
///
/// A list of references starts with a line that only introduces it (`## References`, `Verwendete Quellen:`).
/// The lines after it belong to it. After a blank line, only entries do: items, table rows, lines that start
/// with a marker, and lines with a year in parentheses or a URL.
class prose_lines {
 public:
  /// \param markers  of the text, in order
  prose_lines(std::string_view text, std::span<const citation> markers) noexcept
      : text_(text), markers_(markers) {}
  /// \return false at the end
  [[nodiscard]] bool next(text_line& out) noexcept;

 private:
  /// What the next line may continue.
  enum class list_state : std::uint8_t { none, entry, after_blank };

  [[nodiscard]] std::string_view line_at(std::size_t at) const noexcept;
  [[nodiscard]] bool update_fence(std::string_view line) noexcept;
  [[nodiscard]] line_kind classify(std::string_view line, std::size_t begin) noexcept;

  std::string_view text_;
  std::span<const citation> markers_;  ///< those that do not end before `at_`
  std::size_t at_{};
  char fence_{};  ///< the character of the open fence; 0 if none is open
  std::size_t fence_count_{};
  list_state list_{};
};

}  // namespace citestream::check_detail

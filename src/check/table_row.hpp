/// \file
/// Which lines are items of a list or rows of a table, and what separates their cells.
#pragma once

#include <cstddef>
#include <string_view>

namespace citestream::check_detail {

/// How much of a line is read.
inline constexpr std::size_t max_line_bytes = 512;

/// Returns the line of \p text that starts at \p at, or its first max_line_bytes.
[[nodiscard]] std::string_view line_from(std::string_view text, std::size_t at) noexcept;

/// Returns the size of the mark of a list at the start of \p line, with its blanks: `- `, `12. `, `b) `; 0
/// without one.
[[nodiscard]] std::size_t item_mark(std::string_view line) noexcept;

/// Returns true if the commas of the line with byte \p at of \p text separate fields:
/// - no comma is before a blank, and the line has no semicolon, bar or tab;
/// - the line before or after it has as many commas, also without blanks;
/// - a comma of one of both lines is not inside a number;
/// - the line is shorter than max_line_bytes.
[[nodiscard]] bool has_fields(std::string_view text, std::size_t at) noexcept;

/// Returns true if the line that starts at \p at of \p text is part of a table: it starts with a tag such as
/// `<tr>`, or has a bar or a tab, has_fields(), has as many commas or semicolons directly before a word as a
/// line next to it, or is an item of a list with a label (`- Monday: 8 to 16`).
[[nodiscard]] bool is_table_row(std::string_view text, std::size_t at) noexcept;

/// Returns what separates the cells of a row: a bar, tab, semicolon or comma; 0 in a list with labels.
[[nodiscard]] char cell_separator(std::string_view row) noexcept;

}  // namespace citestream::check_detail

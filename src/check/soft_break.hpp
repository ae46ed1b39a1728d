/// \file
/// Line breaks inside sentences: a text that is wrapped is read as one that is not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::check_detail {

/// Returns true if the line feed at \p at of \p text may be inside a sentence: a letter, digit, comma,
/// percent sign or closing quote or parenthesis is before it, and a lower-case letter or, after a letter, a
/// number or an opening parenthesis after it. Returns false
/// - before an item of a list, a label (`price: 5`) or a line with another indentation than the text of the
///   line before;
/// - after a heading, or a line after which the next word would have had room in 40 columns or in the
///   width of the next line;
/// - next to a row of a table or a line of max_line_bytes.
[[nodiscard]] bool is_soft_break(std::string_view text, std::size_t at) noexcept;

/// Copies \p text to \p out, and replaces soft breaks by blanks in paragraphs in which a sentence ends.
/// Positions are the same in both. Linear time.
void join_lines(std::string_view text, std::string& out);

}  // namespace citestream::check_detail

// What was found about a claim, for people.
#pragma once

#include <citestream/check/support.hpp>

#include <span>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Appends a paragraph: `0.83  The claim.`, then a line for the evidence and one for each kind of what is
/// missing, then an empty line. Control characters of the texts become blanks: they must not reach a
/// terminal.
void append_support_text(std::string_view claim, const support& found,
                         std::span<const std::string_view> references, std::string& out);

/// Appends \p text on one line, without control characters; what is over \p max_bytes is cut and ends in `…`.
void append_plain_line(std::string_view text, std::size_t max_bytes, std::string& out);

/// Appends the lines on what is missing of a claim, each indented by six blanks.
void append_missing_lines(const support& found, std::string& out);

/// `0.83`: two decimals.
void append_two_decimals(double share, std::string& out);

}  // namespace citestream::tools

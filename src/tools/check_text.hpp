/// \file
/// Formats the result of a claim check as readable text.
#pragma once

#include <citestream/check/support.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Appends a paragraph: `0.83  The claim.`, the verdict, the evidence, what was not compared, contradictions,
/// a line for each kind of missing word, and an empty line. Control characters in the texts are replaced by
/// blanks, so that they cannot control a terminal.
void append_support_text(std::string_view claim, const support& found,
                         std::span<const std::string_view> references, std::string& out);

/// Appends \p text as one line. Control characters are replaced by blanks. Text longer than \p max_bytes is
/// truncated and ends in `…`.
void append_plain_line(std::string_view text, std::size_t max_bytes, std::string& out);

/// Appends \p share with two decimals, such as `0.83`.
void append_two_decimals(double share, std::string& out);

}  // namespace citestream::tools

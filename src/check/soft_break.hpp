/// \file
/// Line breaks inside sentences: a text that is wrapped is read as one that is not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::check_detail {

/// Copies \p text to \p out, and replaces soft breaks by blanks in paragraphs in which a sentence ends.
/// Positions are the same in both. Linear time.
void join_lines(std::string_view text, std::string& out);

}  // namespace citestream::check_detail

// Text of others as Markdown that does nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Appends \p text (UTF-8) to \p out as one line of Markdown (CommonMark 0.31.2 and GFM 0.29) that shows the
/// text and nothing else: no link, image, emphasis, HTML or entity comes of it, wherever in a line it stands
/// but at its start. White space and line breaks become one blank, none at either end; control characters and
/// those that turn the direction of writing go, and so do bytes that are not UTF-8. What is longer than \p
/// max_bytes is cut between two code points and ends in `…`, counted before punctuation is escaped.
/// `Financial_Report.pdf` stays as it is. \return whether anything was appended
bool append_inert_markdown(std::string_view text, std::size_t max_bytes, std::string& out);

}  // namespace citestream::tools

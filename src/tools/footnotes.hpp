// Markdown footnotes: a mark where a source is cited, and the list of sources at the end.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/style/style.hpp>

#include <string>
#include <string_view>

namespace citestream::tools {

/// `[^1]`, with no white space before it.
extern const style footnote_marks;

/// Appends the list, one line a source: `[^1]: **Financial_Report.pdf** (p. 15) — _first 200 characters…_`,
/// page and text only where known. Titles (at most 1,024 bytes) and texts are made inert, see
/// append_inert_markdown().
void append_footnote_list(const citations& from, std::string& out);

/// Appends such a list to a text, with an empty line between them; nothing where the list is empty.
void append_footnotes(std::string_view list, std::string& text);

}  // namespace citestream::tools

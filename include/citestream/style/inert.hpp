/// \file
/// Untrusted text as inert Markdown and HTML. Labels come from the model, titles and snippets from documents;
/// neither can be trusted.
#pragma once

#include <citestream/base/language.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream {

/// Where inert text is placed.
enum class inert_place : std::uint8_t {
  inside_line,  ///< after trusted text on the same line
  anywhere,     ///< also at the start of a line, or directly after text of the answer
};

/// Appends \p text to \p out as one line of Markdown (CommonMark 0.31.2 and GFM 0.29) that shows the text and
/// nothing else: it contains no markup of a link or image, no emphasis, code, HTML or entity. A URL in it
/// stays as it is, and a renderer may make a link of it: what URLs may appear in an answer is decided by \ref
/// session_options::egress for all of its text. It is also plain text in HTML, because `<`, `>` and `&` are
/// written as entities. Runs of white space and line breaks become one blank and are removed at both ends.
/// Control characters, characters that change the direction of writing, invisible characters and invalid
/// UTF-8 are removed. Text longer than \p max_bytes, counted before escaping, is truncated between two code
/// points and ends in `…`. `Financial_Report.pdf` is not changed. Linear time; allocates only for \p out.
/// Returns whether anything was appended.
bool append_inert_markdown(std::string_view text, std::size_t max_bytes, std::string& out,
                           inert_place place = inert_place::inside_line);

/// Appends \p url as the destination of a Markdown link, without its parentheses: all bytes that could end it
/// or be read as something else are percent-encoded (RFC 3986, 2.1). Only `http://` and `https://` URLs with
/// a host and at most 8,000 bytes (RFC 9110, 4.1) are accepted. Returns false if \p url is not one; nothing
/// is appended then.
bool append_link_destination(std::string_view url, std::string& out);

}  // namespace citestream

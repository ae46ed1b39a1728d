/// \file
/// Writes untrusted text as inert Markdown and HTML. Labels come from the model, titles and snippets from
/// documents. Neither can be trusted.
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
/// nothing else: no link or image, no emphasis, code, HTML or entity. `Financial_Report.pdf` is not changed.
/// Returns true if anything was appended. Linear time; allocates only for \p out.
///
/// - A URL in the text is not changed, and a renderer may make a link of it. \ref session_options::egress
///   decides which URLs may appear in an answer.
/// - The line is also plain text in HTML: `<` and `>`, and `&` if it could start an entity, are written as
///   entities.
/// - White space and line breaks are joined to one blank, and removed at both ends.
/// - Control characters, invisible characters, characters that change the direction of writing, and bytes
///   that are not UTF-8 are removed.
/// - If what is left is longer than \p max_bytes, counted before escaping, it is truncated between two code
///   points and ends in `…`.
bool append_inert_markdown(std::string_view text, std::size_t max_bytes, std::string& out,
                           inert_place place = inert_place::inside_line);

/// Appends \p url as the destination of a Markdown link, without its parentheses. All bytes that could end it
/// or be read as something else are percent-encoded (RFC 3986, 2.1), and the `&` of an entity is written as
/// `&amp;`. Returns false and appends nothing unless \p url is an `http://` or `https://` URL with a host
/// that is not in brackets, and at most 8,000 bytes (RFC 9110, 4.1).
bool append_link_destination(std::string_view url, std::string& out);

}  // namespace citestream

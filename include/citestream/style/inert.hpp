/// \file
/// Text of others as Markdown and HTML that does nothing: labels are the model's, titles and snippets those
/// of documents, and nobody knows what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream {

/// Where inert text is going to stand.
enum class inert_place : std::uint8_t {
  inside_line,  ///< something of ours stands before it on its line
  anywhere,     ///< at the start of a line too, or directly behind text of the answer
};

/// Appends \p text to \p out as one line of Markdown (CommonMark 0.31.2 and GFM 0.29) that shows the text and
/// nothing else: no link, image, emphasis, code, HTML or entity comes of it; taken for HTML it is text too,
/// `<`, `>` and `&` being entities. White space and line breaks become one blank, none at either end; control
/// characters, those that turn the direction of writing and those that never show go, and so do bytes that
/// are not UTF-8. What is longer than \p max_bytes is cut between two code points and ends in `…`, counted
/// before anything is escaped. `Financial_Report.pdf` stays as it is. Linear; allocates only for \p out.
/// \return whether anything was appended
bool append_inert_markdown(std::string_view text, std::size_t max_bytes, std::string& out,
                           inert_place place = inert_place::inside_line);

/// Appends \p url as the destination of a Markdown link, without its parentheses: all bytes that could end it
/// or be read as something else are percent-encoded (RFC 3986, 2.1). Only `http://` and `https://`, with a
/// host and of 8,000 bytes at most (RFC 9110, 4.1), are links. \return whether it is one; if not, nothing was
/// appended
bool append_link_destination(std::string_view url, std::string& out);

}  // namespace citestream

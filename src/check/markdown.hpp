// Text of others in Markdown: it shows, and does nothing.
#pragma once

#include <string>
#include <string_view>

namespace citestream::check_detail {

/// Appends \p text (UTF-8) on one line with all punctuation that means something to Markdown escaped; control
/// characters and those that turn the direction of writing go, white space becomes one blank.
void append_markdown_text(std::string_view text, std::string& out);

/// Appends `[text](url)`. In \p url, which is http or https, bytes that would end it or that no URL holds are
/// percent-encoded (RFC 3986, 2.1).
void append_markdown_link(std::string_view text, std::string_view url, std::string& out);

}  // namespace citestream::check_detail

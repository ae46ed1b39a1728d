/// \file
/// Text that others chose, as ASCII: what is no visible character is written out as an escape.
#pragma once

#include <string>
#include <string_view>

namespace citestream {

/// Appends \p text as a JSON string with its quotes. Every byte outside 0x20–0x7E becomes `\u00XX`, whatever
/// it is part of: the result is valid JSON in ASCII, on one line, for any bytes.
void append_ascii_json(std::string_view text, std::string& out);

/// Appends \p text so that it is one word of a line: bytes outside 0x21–0x7E, `\` and `"` become `\xXX`.
/// Empty text becomes `-`.
void append_word(std::string_view text, std::string& out);

}  // namespace citestream

/// \file
/// Untrusted text as printable ASCII. Every other byte is written as an escape.
#pragma once

#include <string>
#include <string_view>

namespace citestream {

/// Appends \p text as a JSON string with quotes. Each byte outside 0x20–0x7E becomes `\u00XX`, so the result
/// is valid JSON in ASCII, on one line, for any input.
void append_ascii_json(std::string_view text, std::string& out);

/// Appends \p text as one word: bytes outside 0x21–0x7E, `\` and `"` become `\xXX`. Empty text becomes `-`.
void append_word(std::string_view text, std::string& out);

}  // namespace citestream

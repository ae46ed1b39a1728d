/// \file
/// Untrusted text as printable ASCII. Everything else is written as escapes.
#pragma once

#include <string>
#include <string_view>

namespace citestream {

/// Appends \p text as a JSON string with quotes. Each code point outside 0x20–0x7E becomes `\uXXXX`, a
/// surrogate pair or, for a byte that is not UTF-8, `\u00XX`. So the result is valid JSON in ASCII, on one
/// line, for any input.
void append_ascii_json(std::string_view text, std::string& out);

/// Appends \p text as one word: bytes outside 0x21–0x7E, `\` and `"` become `\xXX`. Empty text becomes `-`.
void append_word(std::string_view text, std::string& out);

}  // namespace citestream

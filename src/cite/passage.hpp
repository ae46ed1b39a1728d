/// \file
/// Finds the passage of a document that an answer's claim is about.
#pragma once

#include <citestream/base/byte_range.hpp>

#include <optional>
#include <string_view>

namespace citestream {

/// Returns the sentence of \p text with most of the distinct words of \p claim; of several, the shortest, and
/// then the first. Returns nothing if no sentence has at least half of the words.
///
/// Only the first 64 words of the claim are looked for. Words are compared without regard to ASCII case; each
/// character of a script without blanks is a word. A sentence also ends with its line, unless the next line
/// begins with a small letter, and after 400 bytes at the next blank. Linear time.
[[nodiscard]] std::optional<byte_range> find_passage(std::string_view claim, std::string_view text);

}  // namespace citestream

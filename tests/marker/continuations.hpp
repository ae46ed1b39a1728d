/// \file
/// Continuations of a text, and the output that is decided before them.
///
/// The smallest possible amount of held text is a property of the language, not of the scanner: the released
/// text can be the common prefix of all continuations. It is found here by running the reference with many
/// continuations, which are chosen so that everything that can still happen to the text happens in one of
/// them.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "marker/link_reference.hpp"

namespace citestream_tests {

struct continuation {
  std::string text;
  std::string kind;  ///< the purpose of this continuation
};

/// Continuations of \p text: closers of code, destinations, titles and labels, wrapping parentheses, further
/// markers and more text. Always holds the empty one.
std::vector<continuation> continuations(std::string_view text, const citestream::grammar_options& options);

/// How often continuations of a kind shortened the common prefix.
using decisive_kinds = std::map<std::string, std::size_t>;

/// The longest common prefix of all outputs that \p text can lead to, for each of \p styles. Counts decisive
/// continuations in \p decisive unless it is null.
std::vector<std::string> certain_text(std::string_view text, const citestream::grammar_options& options,
                                      const std::vector<printing>& styles,
                                      decisive_kinds* decisive = nullptr);

}  // namespace citestream_tests

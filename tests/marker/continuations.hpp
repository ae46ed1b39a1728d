/// \file
/// What may follow a text, and what is decided before it does.
///
/// The least hold-back that a scanner can reach is a property of the language, not of the scanner: the text
/// that every continuation has in common. Here it is found by asking the reference about many continuations,
/// chosen so that each thing that can still happen to the text happens in one of them.
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
  std::string kind;  ///< what it is there for
};

/// Continuations of \p text: closers of code, destinations, titles and labels, wrapping parentheses, further
/// markers and more text. Always holds the empty one.
std::vector<continuation> continuations(std::string_view text, const citestream::grammar_options& options);

/// How often continuations of a kind made the common text shorter than all others before.
using decisive_kinds = std::map<std::string, std::size_t>;

/// The longest common prefix of what \p text can become, for each of \p styles. Decisive continuations are
/// counted in \p decisive unless it is null.
std::vector<std::string> certain_text(std::string_view text, const citestream::grammar_options& options,
                                      const std::vector<printing>& styles,
                                      decisive_kinds* decisive = nullptr);

}  // namespace citestream_tests

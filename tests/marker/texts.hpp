/// \file
/// Random texts made from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/rounds.hpp"

namespace citestream_tests {

using random_source = std::mt19937;

/// A number below \p bound.
inline std::size_t below(random_source& random, std::size_t bound) {
  return random() % bound;
}

/// A text of \p pieces pieces from a small alphabet, so that most of them are near misses.
std::string hostile_text(random_source& random, std::size_t pieces);

/// A text of \p pieces whole markers, code, openers, closers and blanks.
std::string grammatical_text(random_source& random, std::size_t pieces);

/// A text of \p pieces pieces from a small random selection, so that combinations rare elsewhere are common
/// here.
std::string narrow_text(random_source& random, std::size_t pieces);

/// A text of about \p bytes bytes: one of the three kinds, or only titles that fail.
std::string difficult_text(random_source& random, std::size_t bytes);

/// An answer as a model writes it: prose, markers, code, images, lists, emoji, CJK.
std::string composed_answer(random_source& random, std::size_t pieces);

/// All examples in the documentation of markers.
const std::vector<std::string>& example_texts();

/// \p text cut at random places.
std::vector<std::string_view> cut(std::string_view text, random_source& random, std::size_t longest);

}  // namespace citestream_tests

/// \file
/// Finds what a claim says otherwise than its evidence.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "check/text_words.hpp"

namespace citestream::check_detail {

/// A word of the claim and the word of the evidence that contradicts it.
struct conflict {
  std::string_view rule;  ///< its name, with static storage
  std::size_t claim{};    ///< index in the words of the claim
  std::size_t evidence{};
};

/// Both texts, and whether they negate anything.
struct compared_texts {
  std::span<const text_word> claim;
  std::span<const text_word> evidence;
  bool claim_negates{};
  bool evidence_negates{};
  /// The vocabulary covers the language. Without it only numbers are compared.
  bool known_language{};
};

/// Appends what the rules find, at most one conflict for each word of the claim. Time is bounded by the
/// number of words: a constant for each pair of a word of the claim and one of the evidence.
void find_contradictions(const compared_texts& texts, std::vector<conflict>& out);

}  // namespace citestream::check_detail

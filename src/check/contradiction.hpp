/// \file
/// Finds contradictions between a claim and an excerpt of a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/text_pair.hpp"

namespace citestream::check_detail {

/// Returns the value of contradiction::rule, which has static storage.
[[nodiscard]] std::string_view name(contradiction_rule rule) noexcept;

/// A word of the claim and the word of the excerpt that contradicts it.
struct conflict {
  contradiction_rule rule{};
  std::size_t claim{};  ///< index in the words of the claim
  std::size_t excerpt{};
};

/// Appends what the rules find, at most one conflict for each word of the claim. For each pair of
/// words, both texts may be read again: time is bounded by their numbers of words.
/// In a language without a vocabulary, only the rules `number`, `scale` and `clause` are applied.
void find_contradictions(const text_pair& texts, std::vector<conflict>& out);

}  // namespace citestream::check_detail

/// \file
/// Finds contradictions between a claim and its evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/text_pair.hpp"

namespace citestream::check_detail {

/// Why two words contradict one another.
enum class contradiction_rule : std::uint8_t {
  negation,  ///< one text negates a word and the other never does
  number,    ///< another number of the same thing: before the same noun (also `one`), or, if no reference has
             ///< the claim's number, next to the same words (wrong_number.hpp)
  scale,     ///< the same digits at another scale: 5 million, 5 billion
  clause,    ///< a value in a clause or cell of a table, while the words around it fit another one better
  antonym,   ///< another member of the same class (lexicon.hpp); the same for the following six
  quantity,  ///< or the other side of a limit
  month,
  weekday,
  place,
  order,
  unit,
  direction,   ///< `by` for `to` or `from` before the same number
  comparison,  ///< the sides of `than` are exchanged
  roles,       ///< who does it and to whom it is done are exchanged
};

/// Returns the value of contradiction::rule, which has static storage.
[[nodiscard]] std::string_view name(contradiction_rule rule) noexcept;

/// A word of the claim and the word of the evidence that contradicts it.
struct conflict {
  contradiction_rule rule{};
  std::size_t claim{};  ///< index in the words of the claim
  std::size_t evidence{};
};

/// Appends what the rules find, at most one conflict for each word of the claim. For each pair of
/// words, both texts may be read again: time is bounded by their numbers of words.
/// \param text_language  if it is `other`, only the rules `number`, `scale` and `clause` are applied
void find_contradictions(const text_pair& texts, language text_language, std::vector<conflict>& out);

}  // namespace citestream::check_detail

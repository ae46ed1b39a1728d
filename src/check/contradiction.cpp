// The rules about contradictions.
//
// Each rule compares two words, one of the claim and one of the evidence, that exclude one another, and asks
// whether both texts speak of the same thing there. For most rules that is so if at least half of the content
// words around the one are around the other (context_at()).
//
// The rules about words are in word_contradictions.cpp, those about values in value_contradictions.cpp. A set
// of content words is a bit mask of the first 64.
#include "check/contradiction.hpp"

#include <bit>

#include "check/contradiction_finder.hpp"

namespace citestream::check_detail {

context context_at(word_list claim, std::size_t i, word_list evidence, std::size_t j,
                   std::size_t reach) noexcept {
  word_mask around = 0;
  for (std::size_t k = first_near(i, claim_reach); k < claim.size() && k <= i + claim_reach; ++k) {
    const bool same_kind =
        claim[i].sense.contrast.kind != 0 && claim[k].sense.contrast.kind == claim[i].sense.contrast.kind;
    if (k != i && claim[k].sentence == claim[i].sentence && !same_kind) around |= mask_of(claim[k]);
  }
  word_mask there = 0;
  for (std::size_t k = first_near(j, reach); k < evidence.size() && k <= j + reach; ++k) {
    if (k != j && evidence[k].sentence == evidence[j].sentence) there |= mask_of(evidence[k]);
  }
  return {static_cast<std::size_t>(std::popcount(around)),
          static_cast<std::size_t>(std::popcount(around & there))};
}

sides sides_of(word_list text, std::size_t at, int reach, std::size_t last) noexcept {
  const auto in_clause = [&](const text_word& each) { return each.clause == text[at].clause; };
  const auto other = [](const text_word& each) { return each.sense.stop || each.is_number; };
  return {words_beside(text, at, -1, reach, in_clause, other),
          words_beside(text, std::max(at, last), 1, reach, in_clause, other)};
}

std::string_view name(contradiction_rule rule) noexcept {
  static constexpr std::string_view names[] = {"negation", "number",    "scale",      "clause", "antonym",
                                               "quantity", "month",     "weekday",    "place",  "order",
                                               "unit",     "direction", "comparison", "roles"};
  return names[static_cast<std::size_t>(rule)];
}

void find_contradictions(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  if (text_language != language::other) find_other_words(texts, text_language, out);
  find_other_values(texts, text_language, out);
}

}  // namespace citestream::check_detail

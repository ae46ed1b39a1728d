// The rules about contradictions.
//
// Each rule compares two words, one of the claim and one of the evidence, that exclude one another, and asks
// whether both texts speak of the same thing there. For most rules that is so if at least half of the content
// words around the one are around the other (context_at()).
//
//   negation    a word that one text negates and the other never does
//   antonym, quantity, month, weekday, place, order, unit
//               another member of the same class (lexicon.hpp) is there instead; for quantity, too: the other
//               side of a limit
//   direction   `by` for `to` or `from` before the same number
//   scale       the same digits at another scale: 5 million, 5 billion
//   number      the evidence has another number before the same noun, and uses the number of the claim for
//               something else, or one of the two is the word for 1; wrong_number.hpp finds those that no
//               reference has
//   clause      the value is in one clause or cell of a table, and the words around it fit another one better
//   comparison  the sides of `than` are exchanged
//   roles       who does it and to whom it is done are exchanged
//
// Those about words are in word_contradictions.cpp, those about values in value_contradictions.cpp. A set of
// content words is a bit mask of the first 64.
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
          words_beside(text, last, 1, reach, in_clause, other)};
}

void find_contradictions(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  if (text_language != language::other) find_other_words(texts, text_language, out);
  find_other_values(texts, text_language, out);
}

}  // namespace citestream::check_detail

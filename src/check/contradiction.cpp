// The rules about contradictions.
//
// Each rule compares two words, one of the claim and one of the evidence, that exclude one another, and asks
// whether both texts speak of the same thing there. For most rules that is so if at least half of the content
// words around the one are around the other (context_at()). A set of content words is a bit mask of the first
// 64.
//
// negation_rules.cpp finds words that only one text negates, class_rules.cpp opposites and other members of a
// class, exchange_rules.cpp sides of a comparison and roles, number_rules.cpp other numbers, clause_rules.cpp
// values in another clause or cell. Each keeps the first conflict of a word of the claim. Two differences of
// one statement may cancel each other: "valid if it has not been opened" and "void if it is opened"
// (drop_cancelled()).
#include "check/contradiction.hpp"

#include <bit>

#include "check/contradiction_finder.hpp"

namespace citestream::check_detail {
namespace {

/// Returns up to \p reach words of the claim next to a word, before it (\p step -1) or after it (+1), without
/// those that \p skips. Stops at the first word that is not \p near.
template <typename Near, typename Skips>
[[nodiscard]] word_mask words_beside(word_list text, std::size_t at, int step, int reach, Near near,
                                     Skips skips) noexcept {
  word_mask out = 0;
  for (std::size_t k = at; reach > 0 && (step < 0 ? k > 0 : k + 1 < text.size());) {
    k = step < 0 ? k - 1 : k + 1;
    if (!near(text[k])) break;
    if (skips(text[k])) continue;
    out |= mask_of(text[k]);
    --reach;
  }
  return out;
}

/// Returns true if a second difference takes \p found back: another opposite, or, if \p found is an opposite,
/// a negation. It is in the same clause of the claim, or, for `before` and `after`, in the same sentence.
[[nodiscard]] bool is_cancelled(const text_pair& texts, const conflict& found) noexcept {
  const text_word& mine = texts.claim[found.claim];
  const auto there = [&](const text_word& each) {
    return each.sentence == texts.evidence[found.evidence].sentence;
  };
  for (std::size_t i = 0; i < texts.claim.size(); ++i) {
    const text_word& other = texts.claim[i];
    if (i == found.claim ||
        (mine.sense.stop ? other.sentence != mine.sentence : !belongs_to(texts, found.claim, i)))
      continue;
    if (has_only_opposite(texts, i, there)) return true;
    if (found.rule == contradiction_rule::antonym && other.word != no_word &&
        std::ranges::any_of(texts.evidence, [&](const text_word& each) {
          return there(each) && each.word == other.word && each.negated != other.negated;
        })) {
      return true;
    }
  }
  return false;
}

/// Removes what two differences of one claim cancel. More than two are different statements.
void drop_cancelled(const text_pair& texts, std::vector<conflict>& out) {
  const auto flips = [](const conflict& each) {
    return each.rule == contradiction_rule::negation || each.rule == contradiction_rule::antonym;
  };
  if (std::ranges::count_if(out, flips) > 2) return;
  std::erase_if(out, [&](const conflict& each) { return flips(each) && is_cancelled(texts, each); });
}

}  // namespace

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

sides wide_sides_of(word_list text, std::size_t at) noexcept {
  constexpr int reach = 8;
  const auto in_sentence = [&](const text_word& each) { return each.sentence == text[at].sentence; };
  const auto in_clause = [&](const text_word& each) { return each.clause == text[at].clause; };
  const auto stop = [](const text_word& each) { return each.sense.stop; };
  return {words_beside(text, at, -1, reach, in_sentence, stop),
          words_beside(text, at, 1, reach, in_clause, stop)};
}

bool is_than(word_list text, std::size_t i) noexcept {
  if (text[i].sense.role == word_role::than) return true;
  if (text[i].sense.role != word_role::maybe_than) return false;
  for (std::size_t k = first_near(i, 4); k < i; ++k) {
    if (text[k].sense.role == word_role::comparative || rule_at(text, k) == contrast_rule::antonym)
      return true;
  }
  return false;
}

bool contradiction_finder::same_beside(std::size_t i, std::size_t j, int step) const noexcept {
  const std::size_t mine = next_to(claim_, i, step);
  const std::size_t its = next_to(evidence_, j, step);
  return mine < claim_.size() && its < evidence_.size() && is_same(claim_[mine], evidence_[its]);
}

bool contradiction_finder::is_exception(std::size_t j) const noexcept {
  word_mask rule = 0;
  word_mask exception = 0;
  for (const text_word& each : evidence_) {
    if (each.sentence == evidence_[j].sentence) (each.excepted ? exception : rule) |= mask_of(each);
  }
  return (exception & ~rule) != 0 && std::ranges::none_of(claim_, &text_word::excepted);
}

bool contradiction_finder::is_expected(std::size_t j) const noexcept {
  for (std::size_t k = first_near(j, claim_reach); k < j; ++k) {
    if (evidence_[k].sense.role == word_role::expectation && evidence_[k].clause == evidence_[j].clause)
      return true;
  }
  return false;
}

std::string_view name(contradiction_rule rule) noexcept {
  static constexpr std::string_view names[] = {"negation", "number",    "scale",      "clause", "antonym",
                                               "quantity", "month",     "weekday",    "place",  "order",
                                               "unit",     "direction", "comparison", "roles"};
  return names[static_cast<std::size_t>(rule)];
}

void find_contradictions(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  if (text_language != language::other) {
    find_negations(texts, text_language, out);
    const bool reversed = find_exchanged_words(texts, text_language, out);
    find_other_members(texts, text_language, reversed, out);
    drop_cancelled(texts, out);
  }
  find_other_numbers(texts, text_language, out);
  find_other_clauses(texts, text_language, out);
}

}  // namespace citestream::check_detail

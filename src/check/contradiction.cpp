// The rules about contradictions.
//
// Each rule compares two words, one of the claim and one of the excerpt, that exclude one another, and asks
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
#include <ranges>

#include "check/contradiction_finder.hpp"

namespace citestream::check_detail {
namespace {

/// Returns the first \p count of \p words that \p is_wanted.
template <typename Words, typename IsWanted>
[[nodiscard]] word_mask first_of(Words&& words, int count, IsWanted is_wanted) noexcept {
  word_mask out = 0;
  for (const text_word& each : words | std::views::filter(is_wanted) | std::views::take(count))
    out |= mask_of(each);
  return out;
}

/// Returns true if a second difference takes \p found back: another opposite, or, if \p found is an opposite,
/// a negation. It is in the same clause of the claim, or, for `before` and `after`, in the same sentence.
[[nodiscard]] bool is_cancelled(const text_pair& texts, const conflict& found) noexcept {
  const text_word& claimed = texts.claim[found.claim];
  const word_list there = sentence_at(texts.excerpt, found.excerpt);
  return std::ranges::any_of(sentence_at(texts.claim, found.claim), [&](const text_word& other) {
    if (&other == &claimed || !(claimed.sense.stop || belong_together(texts.claim, claimed, other)))
      return false;
    const auto reverses = [&](const text_word& each) {
      return each.word == other.word && each.negated != other.negated;
    };
    return has_only_opposite(there, other) || (found.rule == contradiction_rule::antonym &&
                                               other.word != no_word && std::ranges::any_of(there, reverses));
  });
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

context context_at(word_list claim, std::size_t i, word_list excerpt, std::size_t j,
                   std::size_t reach) noexcept {
  const auto kind = claim[i].sense.member.class_id;
  word_mask around = 0;
  for (const word_list side :
       {words_before(claim, i, claim_reach, in_sentence), words_after(claim, i, claim_reach, in_sentence)}) {
    for (const text_word& each : side) {
      if (kind == 0 || each.sense.member.class_id != kind) around |= mask_of(each);
    }
  }
  const word_mask there = mask_of(words_before(excerpt, j, reach, in_sentence)) |
                          mask_of(words_after(excerpt, j, reach, in_sentence));
  return {static_cast<std::size_t>(std::popcount(around)),
          static_cast<std::size_t>(std::popcount(around & there))};
}

sides sides_of(word_list text, std::size_t at, int reach, std::size_t last) noexcept {
  const auto content = [](const text_word& each) { return !each.sense.stop && !each.is_number; };
  return {first_of(words_before(text, at) | std::views::reverse, reach, content),
          first_of(words_after(text, std::max(at, last)), reach, content)};
}

sides wide_sides_of(word_list text, std::size_t at) noexcept {
  constexpr int reach = 8;
  const auto content = [](const text_word& each) { return !each.sense.stop; };
  return {first_of(words_before(text, at, all_words, in_sentence) | std::views::reverse, reach, content),
          first_of(words_after(text, at), reach, content)};
}

bool is_than(word_list text, std::size_t i) noexcept {
  if (text[i].sense.role == word_role::than) return true;
  if (text[i].sense.role != word_role::maybe_than) return false;
  constexpr std::size_t reach = 4;  // words
  const word_list before = text.subspan(first_near(i, reach), i - first_near(i, reach));
  return has_role(before, word_role::comparative) || std::ranges::any_of(before, is_antonym);
}

bool contradiction_finder::same_beside(std::size_t i, std::size_t j, int step) const noexcept {
  const std::size_t claimed = next_to(claim_, i, step);
  const std::size_t found = next_to(excerpt_, j, step);
  return claimed < claim_.size() && found < excerpt_.size() && is_same(claim_[claimed], excerpt_[found]);
}

bool contradiction_finder::is_exception(std::size_t j) const noexcept {
  word_mask rule = 0;
  word_mask exception = 0;
  for (const text_word& each : sentence_at(excerpt_, j)) (each.excepted ? exception : rule) |= mask_of(each);
  return (exception & ~rule) != 0 && std::ranges::none_of(claim_, &text_word::excepted);
}

bool contradiction_finder::is_expected(std::size_t j) const noexcept {
  return has_role(words_before(excerpt_, j, claim_reach), word_role::expectation);
}

std::string_view name(contradiction_rule rule) noexcept {
  static constexpr std::string_view names[] = {"",        "negation", "number",    "scale",      "clause",
                                               "antonym", "quantity", "month",     "weekday",    "place",
                                               "order",   "unit",     "direction", "comparison", "roles"};
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

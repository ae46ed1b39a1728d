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

namespace citestream::check_detail {
namespace {

/// Returns the first \p count of \p words that \p is_wanted.
template <typename Words, typename IsWanted>
[[nodiscard]] word_mask first_of(Words words, int count, IsWanted is_wanted) noexcept {
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
    if (&other == &claimed || !(claimed.stop || belong_together(texts.claim, claimed, other))) return false;
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

context context_at(const text_pair& texts, std::size_t i, std::size_t j, std::size_t reach) noexcept {
  const auto own_class = texts.claim[i].member.class_id;
  word_mask around = 0;
  for (const word_list side : {words_before(texts.claim, i, claim_reach, in_sentence),
                               words_after(texts.claim, i, claim_reach, in_sentence)}) {
    for (const text_word& each : side) {
      if (own_class == 0 || each.member.class_id != own_class) around |= mask_of(each);
    }
  }
  const word_mask there = mask_of(words_before(texts.excerpt, j, reach, in_sentence)) |
                          mask_of(words_after(texts.excerpt, j, reach, in_sentence));
  return {static_cast<std::size_t>(std::popcount(around)),
          static_cast<std::size_t>(std::popcount(around & there))};
}

sides sides_of(word_list text, std::size_t at, std::size_t last) noexcept {
  constexpr int reach = 3;
  const auto content = [](const text_word& each) { return !each.stop && !each.is_number; };
  return {first_of(words_before(text, at) | std::views::reverse, reach, content),
          first_of(words_after(text, std::max(at, last)), reach, content)};
}

sides wide_sides_of(word_list text, std::size_t at) noexcept {
  constexpr int reach = 8;
  const auto content = [](const text_word& each) { return !each.stop; };
  return {first_of(words_before(text, at, all_words, in_sentence) | std::views::reverse, reach, content),
          first_of(words_after(text, at), reach, content)};
}

bool is_than(word_list text, std::size_t i) noexcept {
  if (text[i].role == word_role::than) return true;
  if (text[i].role != word_role::maybe_than) return false;
  constexpr std::size_t reach = 4;  // words
  const word_list before = text.subspan(first_near(i, reach), i - first_near(i, reach));
  return has_role(before, word_role::comparative) || std::ranges::any_of(before, is_antonym);
}

bool claim_has(word_list claim, const text_word& found) noexcept {
  return std::ranges::any_of(claim, [&](const text_word& each) {
    return found.word != no_word ? each.word == found.word : found.member.is_same(each.member);
  });
}

bool same_beside(const text_pair& texts, std::size_t i, std::size_t j, int step) noexcept {
  const std::size_t claimed = next_to(texts.claim, i, step);
  const std::size_t found = next_to(texts.excerpt, j, step);
  return claimed < texts.claim.size() && found < texts.excerpt.size() &&
         is_same(texts.claim[claimed], texts.excerpt[found]);
}

bool is_exception(const text_pair& texts, std::size_t j) noexcept {
  word_mask rule = 0;
  word_mask exception = 0;
  for (const text_word& each : sentence_at(texts.excerpt, j))
    (each.excepted ? exception : rule) |= mask_of(each);
  return (exception & ~rule) != 0 && std::ranges::none_of(texts.claim, &text_word::excepted);
}

bool is_expected(const text_pair& texts, std::size_t j) noexcept {
  return has_role(words_before(texts.excerpt, j, claim_reach), word_role::expectation);
}

std::string_view name(contradiction_rule rule) noexcept {
  static constexpr std::string_view names[] = {"",        "negation", "number",    "scale",      "clause",
                                               "antonym", "quantity", "month",     "weekday",    "place",
                                               "order",   "unit",     "direction", "comparison", "roles"};
  return names[static_cast<std::size_t>(rule)];
}

void find_contradictions(const text_pair& texts, std::vector<conflict>& out) {
  if (texts.in != language::other) {
    find_negation_conflicts(texts, out);
    const bool reversed = find_exchange_conflicts(texts, out);
    find_class_conflicts(texts, reversed, out);
    drop_cancelled(texts, out);
  }
  find_number_conflicts(texts, out);
  find_clause_conflicts(texts, out);
}

}  // namespace citestream::check_detail

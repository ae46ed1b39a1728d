// The rules about numbers: see contradiction.cpp.
//
// A number of the claim is compared with each number of the excerpt: with the same digits at another scale
// or in another unit, with those before the same noun, and with the same number that is negated or on another
// side of a limit. Whether another number may be right, too, is decided in number_agreement.cpp.
#include <algorithm>
#include <ranges>

#include "check/contradiction.hpp"
#include "check/number_agreement.hpp"

namespace citestream::check_detail {
namespace {

/// Returns true if a number of \p money has the amount of the number \p j of \p text with another unit after
/// it: "20 dollars" and "20 pounds" or "20 kg".
[[nodiscard]] bool has_different_unit(const number& money, word_list text, std::size_t j,
                                      language in) noexcept {
  if (money.kind != number_kind::money || money.currency == 0) return false;
  const number& value = text[j].value;
  if (!text[j].is_number || value.kind != number_kind::plain || value.digits != money.digits ||
      value.exponent != money.exponent) {
    return false;
  }
  const std::size_t next = j + 1;
  if (next >= text.size() || text[next].clause != text[j].clause) return false;
  if (text[next].member.rule != contradiction_rule::unit || !has_class(text, next)) return false;
  const auto is = [&](std::string_view name) {
    return find_content_word(name, in).member.is_same(text[next].member);
  };
  // A currency that its sign or the stem of its word names. Dollars and euros are part of the number.
  const char sign = money.currency;
  // Only in English are pounds no currency in the lexicon: the weight is.
  return !((sign == 'p' && (in != language::english || is("pound"))) ||
           (sign == 'y' && (is("yen") || is("yuan"))) || (sign == 'r' && is("rupe")));
}

/// Returns the content word in front of the value \p i, no_word if a number or the start of the clause comes
/// first.
[[nodiscard]] std::uint32_t noun_before(word_list text, std::size_t i) noexcept {
  const std::size_t next = next_to(text, i, -1);
  return next == text.size() || text[next].is_number ? no_word : text[next].word;
}

/// Returns the content word after number \p i, or after the range that starts with it: see noun_after().
[[nodiscard]] std::uint32_t noun_after_range(word_list text, std::size_t i, std::size_t reach) noexcept {
  const std::size_t last = end_of_range(text, i);
  return noun_after(text, last == text.size() ? i : last, reach);
}

/// Returns true if word \p i is the number 1 and exact: not in `at least one`.
[[nodiscard]] bool is_one(word_list text, std::size_t i) noexcept {
  const bool article = text[i].role == word_role::article && i + 1 < text.size() &&
                       text[i + 1].role == word_role::fraction;  // `a third`
  if (text[i].count != 1 && !article) return false;
  for (std::size_t k = first_near(i, 2); k < i; ++k) {
    const word_role role = text[k].role;
    if (role == word_role::bound || role == word_role::than || role == word_role::maybe_than ||
        role == word_role::comparative) {
      return false;
    }
  }
  return true;
}

[[nodiscard]] bool is_digit_one(const text_word& each) noexcept {
  return each.is_number && each.value.digits == 1 && each.value.exponent == 0;
}

/// Returns true if a negator is before number \p i, with nothing but prepositions and the like between both:
/// `not in 2019`, `no es de 5 kg`.
[[nodiscard]] bool is_negated(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 3;  // words
  for (const text_word& each : words_before(text, i, reach) | std::views::reverse) {
    if (each.negator) return true;
    const word_role role = each.role;
    const bool between = role == word_role::preposition || role == word_role::article ||
                         role == word_role::auxiliary || role == word_role::agent || is_direction(each);
    if (!between) return false;
  }
  return false;
}

/// Returns true if number \p i is the value before a change: `from 30 to 60`.
[[nodiscard]] bool is_old_value(word_list text, std::size_t i) noexcept {
  const text_word* const side = limit_word_before(text, i);
  if (side == nullptr || !is_direction(*side) || is_to(*side)) return false;
  constexpr std::size_t reach = 3;  // words
  bool to = false;
  for (const text_word& each : words_after(text, i, reach)) {
    if (each.is_number) return to;
    to = to || is_to(each);
  }
  return false;
}

/// Finds the same amount in another currency, or with a unit that is not a currency.
void find_currency(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const text_word& claimed = texts.claim[i];
  if (!claimed.is_number) return;
  find_other(texts, contradiction_rule::unit, i, out, [&](std::size_t j) {
    const text_word& found = texts.excerpt[j];
    if (!found.is_number) return relation::none;
    if (!has_different_unit(claimed.value, texts.excerpt, j, texts.in) &&
        !has_different_unit(found.value, texts.claim, i, texts.in))
      return found.word == claimed.word && claimed.word != no_word ? relation::same : relation::none;
    const bool alike = claimed.value.digits >= two_digits || context_at(texts, i, j).half();
    return alike ? relation::other : relation::none;
  });
}

/// Returns true if a word after number \p i of the claim is only before number \p j of the excerpt: "one
/// member of the group" does not contradict "the group has five members".
[[nodiscard]] bool is_part(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const sides found = sides_of(texts.excerpt, j);
  return (sides_of(texts.claim, i).right & found.left & ~found.right) != 0;
}

/// Finds another number before the noun that is directly after a number of the claim, where one of both is
/// the word for 1, which is a stop word: `one tablet` and `two tablets`.
void find_one(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const bool one = is_one(texts.claim, i);
  if (!one && (!is_count(texts.claim[i]) || is_digit_one(texts.claim[i]))) return;
  const std::size_t noun = next_to(texts.claim, i, 1, 1);
  if (noun == texts.claim.size() || texts.claim[noun].is_number) return;
  find_other(texts, contradiction_rule::number, i, out, [&](std::size_t j) {
    const text_word& found = texts.excerpt[j];
    // The English article "a"; in other languages it is the word for 1.
    const bool article =
        texts.in == language::english && found.role == word_role::article && found.end - found.begin == 1;
    const bool found_one = is_one(texts.excerpt, j) || is_digit_one(found) || (one && article);
    if (!found_one && !is_count(found)) return relation::none;
    // "One or two tablets": the noun is after the second.
    const bool either = j > 1 && texts.excerpt[j - 1].role == word_role::alternative;
    if (one && either && is_one(texts.excerpt, j - 2)) return relation::same;
    const std::size_t counted = next_to(texts.excerpt, j, 1, 1);
    if (counted == texts.excerpt.size() || !is_same(texts.claim[noun], texts.excerpt[counted]))
      return relation::none;
    if (one ? found_one : found.word == texts.claim[i].word) return relation::same;
    const bool other = one != found_one && context_at(texts, i, j).most() && !is_part(texts, i, j) &&
                       !may_differ(texts, i, j);
    return other ? relation::other : relation::none;
  });
}

/// Finds the other side of the same number: `at least 5` and `at most 5`.
void find_bound(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  if (!is_known_number(texts.claim[i])) return;
  const bound claimed = bound_at(texts.claim, i);
  if (claimed == bound::none) return;
  find_other(texts, contradiction_rule::quantity, i, out, [&](std::size_t j) {
    if (texts.excerpt[j].word != texts.claim[i].word) return relation::none;
    const bound found = bound_at(texts.excerpt, j);
    if (found == bound::none) return relation::none;
    if (found == claimed) return relation::same;
    if (is_opposite(texts, i, j) || negates_clause(texts.claim, i) != negates_clause(texts.excerpt, j))
      return relation::none;
    const std::uint32_t noun = claimed_noun(texts, i);
    const bool alike = noun != no_word && noun == found_noun(texts, j);
    return alike || context_at(texts, i, j).half() ? relation::other : relation::none;
  });
}

/// Returns true if a number has no limit.
[[nodiscard]] bool is_exact(word_list text, std::size_t i) noexcept {
  const text_word* const limit = limit_word_before(text, i);
  return bound_at(text, i) == bound::none && (limit == nullptr || is_direction(*limit));
}

/// Finds numbers that only one of claim and excerpt negates: `not $5` and `$5`. A limit of them may be
/// negated instead.
void find_negated(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  if (!is_known_number(texts.claim[i]) || !is_exact(texts.claim, i) || is_contrasted(texts, i)) return;
  const bool negated = is_negated(texts.claim, i);
  find_other(texts, contradiction_rule::negation, i, out, [&](std::size_t j) {
    if (texts.excerpt[j].word != texts.claim[i].word) return relation::none;
    const bool both = negated == is_negated(texts.excerpt, j);
    if (both || (negated ? negates_clause(texts.excerpt, j) || is_old_value(texts.excerpt, j)
                         : negates_clause(texts.claim, i) || is_old_value(texts.claim, i)))
      return relation::same;
    const context around = context_at(texts, i, j);
    const bool alike = around.all == 0 || around.half();
    return alike && is_exact(texts.excerpt, j) ? relation::other : relation::none;
  });
}

/// Finds the same digits at another scale. If the scales differ by a power of 1,000 (`5 million`, `5
/// billion`), two digits or the same words around both are enough; otherwise (`42`, `4.2`) both are
/// necessary.
void find_scale(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const text_word& claimed = texts.claim[i];
  if (!claimed.is_number || claimed.value.kind == number_kind::year || claimed.value.digits == 0) return;
  if (is_shortened(texts.claim, i)) return;
  const auto is_claimed = [&](const text_word& each) { return each.is_number && each.word == claimed.word; };
  if (std::ranges::any_of(texts.excerpt, is_claimed)) return;
  for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
    const text_word& found = texts.excerpt[j];
    const bool same = found.is_number && found.value.digits == claimed.value.digits;
    if (!same || !found.value.agrees(claimed.value)) continue;
    if (is_below_scale(texts, i, j) || is_same_amount(texts, i, j)) continue;
    const auto apart = found.value.exponent - claimed.value.exponent;
    if (apart == 0 || apart > 9 || apart < -9 || claim_has(texts.claim, found)) continue;
    const bool distinct = claimed.value.digits >= two_digits;
    const bool alike = context_at(texts, i, j).half();
    if (apart % 3 == 0 ? distinct || alike : distinct && alike && !is_derived(texts, i))
      add(contradiction_rule::scale, i, j, out);
  }
}

/// Returns true if the number \p own of the excerpt, which the claim has, counts the noun of the number \p
/// other before it, but the noun is left out: "48 guests in 2023, up from 41". If the claim has further
/// values, one of them must not be in the clause of \p other: "in 2022 there were 41 guests".
[[nodiscard]] bool is_left_out(const text_pair& texts, std::size_t i, std::size_t own,
                               std::size_t other) noexcept {
  if (other > own || texts.excerpt[other].sentence != texts.excerpt[own].sentence) return false;
  if (next_to(texts.excerpt, own, 1, 1) != texts.excerpt.size()) return false;
  bool alone = true;
  const word_list there = clause_at(texts.excerpt, other);
  for (const text_word& claimed : sentence_at(texts.claim, i)) {
    if (&claimed == &texts.claim[i] || !is_value(claimed)) continue;
    alone = false;
    const auto is_mine = [&](const text_word& found) { return same_value(found, claimed); };
    if (std::ranges::none_of(there, is_mine)) return true;
  }
  return alone;
}

/// Returns true if value \p i of the claim has the same subject at \p own, where the excerpt has it, and
/// not at \p other: the content word before both is the same, or the clause of \p own has a word of the
/// claim that the clause of \p other lacks.
[[nodiscard]] bool has_own_subject(const text_pair& texts, std::size_t i, std::size_t own,
                                   std::size_t other) noexcept {
  const std::uint32_t before = noun_before(texts.claim, i);
  if (before != no_word && noun_before(texts.excerpt, own) == before &&
      noun_before(texts.excerpt, other) != before)
    return true;
  const word_mask around = texts.clause_of(own) & ~texts.clause_of(other) & statement_about(texts.claim, i);
  return around != 0;
}

/// Finds another number before the noun of number \p i: "12 rooms" and "10 rooms and 12 baths". If the claim
/// has both numbers, they must be exchanged: the excerpt has number \p i before another noun of the claim.
/// Nothing is found if the excerpt has number \p i for the same subject, with its noun left out or with other
/// words of the claim, or a limit of the noun that allows it.
void find_number(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const text_word& claimed = texts.claim[i];
  if (!is_known_number(claimed) || claimed.value.kind == number_kind::year) return;
  const std::uint32_t noun = noun_after_range(texts.claim, i, 2);
  if (noun == no_word) return;
  std::size_t other = texts.excerpt.size();
  bool exchanged = false;
  bool present = false;
  for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
    const text_word& found = texts.excerpt[j];
    if (!found.is_number) continue;
    const std::uint32_t counted = noun_after_range(texts.excerpt, j, 3);
    if (found.word == claimed.word) {
      if (counted == noun) return;
      exchanged = exchanged || counted != no_word;
    } else if (counted == noun && found.value.kind == claimed.value.kind && context_at(texts, i, j).half()) {
      other = j;
    }
  }
  if (other == texts.excerpt.size() || (claim_has(texts.claim, texts.excerpt[other]) && !exchanged) ||
      is_opposite(texts, i, other))
    return;
  for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
    if (texts.excerpt[j].word != claimed.word) continue;
    present = true;
    if (is_left_out(texts, i, j, other) || has_own_subject(texts, i, j, other)) return;
  }
  const bool explained =
      present ? keeps_bound(texts, i, other) : may_differ(texts, i, other) || is_derived(texts, i);
  if (!explained) add(contradiction_rule::number, i, other, out);
}

}  // namespace

void find_number_conflicts(const text_pair& texts, std::vector<conflict>& out) {
  const auto apply = [&](auto find) {
    for (std::size_t i = 0; i < texts.claim.size(); ++i) find(texts, i, out);
  };
  if (texts.in != language::other) {
    apply(find_currency);
    apply(find_one);
    apply(find_bound);
    apply(find_negated);
  }
  apply(find_scale);
  apply(find_number);
}

}  // namespace citestream::check_detail

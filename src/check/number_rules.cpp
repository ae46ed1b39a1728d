// The rules about numbers: see contradiction.cpp.
//
// A number of the claim is compared with each number of the excerpt: with the same digits at another scale
// or in another unit, with those before the same noun, and with the same number that is negated or on another
// side of a limit. Whether another number may be right, too, is decided in number_agreement.cpp.
#include <algorithm>
#include <ranges>

#include "check/contradiction_finder.hpp"
#include "check/number_agreement.hpp"

namespace citestream::check_detail {
namespace {

/// Returns true if a number of \p money has the amount of the number \p j of \p text with another unit after
/// it: "20 dollars" and "20 pounds" or "20 kg".
[[nodiscard]] bool has_other_unit(const number& money, word_list text, std::size_t j, language in) noexcept {
  if (money.kind != number_kind::money || money.currency == 0) return false;
  const number& value = text[j].value;
  if (!text[j].is_number || value.kind != number_kind::plain || value.digits != money.digits ||
      value.exponent != money.exponent) {
    return false;
  }
  const std::size_t next = j + 1;
  if (next >= text.size() || text[next].clause != text[j].clause) return false;
  if (text[next].sense.member.rule != contradiction_rule::unit || !has_class(text, next)) return false;
  const auto is = [&](std::string_view name) {
    return lexicon::shared().content_word(name, in).member.is_same(text[next].sense.member);
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
  const word_sense& sense = text[i].sense;
  const bool article = sense.role == word_role::article && i + 1 < text.size() &&
                       text[i + 1].sense.role == word_role::fraction;  // `a third`
  if (!sense.one && !article) return false;
  for (std::size_t k = first_near(i, 2); k < i; ++k) {
    const word_role role = text[k].sense.role;
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
    const word_role role = each.sense.role;
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

/// Finds other numbers than those of the claim.
class number_finder : contradiction_finder {
 public:
  using contradiction_finder::contradiction_finder;

  void run() {
    if (language_ != language::other) {
      find_currencies();
      find_ones();
      find_bounds();
      find_negated();
    }
    find_scales();
    find_numbers();
  }

 private:
  /// Finds the same amount in another currency, or with a unit that is not a currency.
  void find_currencies() {
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      if (!claim_[i].is_number) continue;
      find_other(contradiction_rule::unit, i, [&](std::size_t j) {
        if (!excerpt_[j].is_number) return relation::none;
        const bool other = has_other_unit(claim_[i].value, excerpt_, j, language_) ||
                           has_other_unit(excerpt_[j].value, claim_, i, language_);
        if (!other)
          return excerpt_[j].word == claim_[i].word && claim_[i].word != no_word ? relation::same
                                                                                 : relation::none;
        const bool alike = claim_[i].value.digits >= two_digits || context_at(claim_, i, excerpt_, j).half();
        return alike ? relation::other : relation::none;
      });
    }
  }

  /// Finds another number before the noun that is directly after a number of the claim, where one of both is
  /// the word for 1, which is a stop word: `one tablet` and `two tablets`.
  void find_ones() {
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      const bool one = is_one(claim_, i);
      if (!one && (!is_count(claim_[i]) || is_digit_one(claim_[i]))) continue;
      const std::size_t noun = next_to(claim_, i, 1, 1);
      if (noun == claim_.size() || claim_[noun].is_number) continue;
      find_other(contradiction_rule::number, i, [&](std::size_t j) {
        // The English article "a"; in other languages it is the word for 1.
        const bool article = language_ == language::english && excerpt_[j].sense.role == word_role::article &&
                             excerpt_[j].end - excerpt_[j].begin == 1;
        const bool one_there = is_one(excerpt_, j) || is_digit_one(excerpt_[j]) || (one && article);
        if (!one_there && !is_count(excerpt_[j])) return relation::none;
        // "One or two tablets": the noun is after the second.
        const bool either = j > 1 && excerpt_[j - 1].sense.role == word_role::alternative;
        if (one && either && is_one(excerpt_, j - 2)) return relation::same;
        const std::size_t noun_there = next_to(excerpt_, j, 1, 1);
        if (noun_there == excerpt_.size() || !is_same(claim_[noun], excerpt_[noun_there]))
          return relation::none;
        if (one ? one_there : excerpt_[j].word == claim_[i].word) return relation::same;
        const bool other = one != one_there && context_at(claim_, i, excerpt_, j).most() && !is_part(i, j) &&
                           !may_differ(texts_, i, j);
        return other ? relation::other : relation::none;
      });
    }
  }

  /// Returns true if a word after number \p i of the claim is only before number \p j of the excerpt: "one
  /// member of the group" is no other number than "the group has five members".
  [[nodiscard]] bool is_part(std::size_t i, std::size_t j) const noexcept {
    constexpr int reach = 3;  // content words
    const sides claimed = sides_of(claim_, i, reach);
    const sides found = sides_of(excerpt_, j, reach);
    return (claimed.right & found.left & ~found.right) != 0;
  }

  /// Finds the other side of the same number: `at least 5` and `at most 5`.
  void find_bounds() {
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      if (!claim_[i].is_number || claim_[i].word == no_word) continue;
      const bound claimed = bound_at(claim_, i);
      if (claimed == bound::none) continue;
      find_other(contradiction_rule::quantity, i, [&](std::size_t j) {
        if (excerpt_[j].word != claim_[i].word) return relation::none;
        const bound found = bound_at(excerpt_, j);
        if (found == bound::none) return relation::none;
        if (found == claimed) return relation::same;
        if (is_opposite(texts_, i, j) || negates_clause(claim_, i) != negates_clause(excerpt_, j))
          return relation::none;
        const std::uint32_t noun = noun_after(claim_, i, 2);
        const bool alike = noun != no_word && noun == noun_after(excerpt_, j, 3);
        return alike || context_at(claim_, i, excerpt_, j).half() ? relation::other : relation::none;
      });
    }
  }

  /// Finds numbers that only one of claim and excerpt negates: `not $5` and `$5`. A limit of them may be
  /// negated instead.
  void find_negated() {
    const auto is_exact = [](word_list text, std::size_t at) {
      const text_word* const side = limit_word_before(text, at);
      return bound_at(text, at) == bound::none && (side == nullptr || is_direction(*side));
    };
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      if (!claim_[i].is_number || claim_[i].word == no_word || !is_exact(claim_, i)) continue;
      if (is_contrasted(texts_, i)) continue;
      const bool negated = is_negated(claim_, i);
      find_other(contradiction_rule::negation, i, [&](std::size_t j) {
        if (excerpt_[j].word != claim_[i].word) return relation::none;
        const bool negated_there = is_negated(excerpt_, j);
        const bool agrees = negated
                                ? negated_there || negates_clause(excerpt_, j) || is_old_value(excerpt_, j)
                                : !negated_there || negates_clause(claim_, i) || is_old_value(claim_, i);
        if (agrees) return relation::same;
        const context around = context_at(claim_, i, excerpt_, j);
        const bool alike = around.all == 0 || around.half();
        return alike && is_exact(excerpt_, j) ? relation::other : relation::none;
      });
    }
  }

  /// Finds the same digits at another scale. If the scales differ by a power of 1,000 (`5 million`, `5
  /// billion`), two digits or the same words around both are enough; otherwise (`42`, `4.2`) both are
  /// necessary.
  void find_scales() {
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      const text_word& claimed = claim_[i];
      if (!claimed.is_number || claimed.value.kind == number_kind::year || claimed.value.digits == 0)
        continue;
      if (is_shortened(claim_, i)) continue;
      const bool present = std::ranges::any_of(
          excerpt_, [&](const text_word& each) { return each.is_number && each.word == claimed.word; });
      if (present) continue;
      for (std::size_t j = 0; j < excerpt_.size(); ++j) {
        const text_word& there = excerpt_[j];
        if (!there.is_number || there.value.digits != claimed.value.digits ||
            !there.value.agrees(claimed.value))
          continue;
        if (is_below_scale(texts_, i, j) || is_same_amount(texts_, i, j)) continue;
        const auto apart = there.value.exponent - claimed.value.exponent;
        if (apart == 0 || apart > 9 || apart < -9 || claim_has(there)) continue;
        const bool distinct = claimed.value.digits >= two_digits;
        const bool thousands = apart % 3 == 0;
        const bool alike = context_at(claim_, i, excerpt_, j).half();
        if (thousands ? distinct || alike : distinct && alike && !is_derived(texts_, i))
          add(contradiction_rule::scale, i, j);
      }
    }
  }

  void find_numbers() {
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      const text_word& claimed = claim_[i];
      if (!claimed.is_number || claimed.word == no_word || claimed.value.kind == number_kind::year) continue;
      const std::uint32_t noun = noun_after_range(claim_, i, 2);
      if (noun != no_word) find_number(i, noun);
    }
  }

  /// Finds another number before the noun of number \p i: "12 rooms" and "10 rooms and 12 baths". If the
  /// claim has both numbers, they must be exchanged: the excerpt has number \p i before another noun of the
  /// claim. Nothing is found if the excerpt has number \p i for the same subject, with its noun left out or
  /// with other words of the claim.
  void find_number(std::size_t i, std::uint32_t noun) {
    std::size_t other = excerpt_.size();
    bool exchanged = false;
    bool present = false;
    for (std::size_t j = 0; j < excerpt_.size(); ++j) {
      const text_word& there = excerpt_[j];
      if (!there.is_number) continue;
      const std::uint32_t found_noun = noun_after_range(excerpt_, j, 3);
      if (there.word == claim_[i].word) {
        if (found_noun == noun) return;
        exchanged = exchanged || found_noun != no_word;
      } else if (found_noun == noun && there.value.kind == claim_[i].value.kind &&
                 context_at(claim_, i, excerpt_, j).half()) {
        other = j;
      }
    }
    if (other == excerpt_.size() || (claim_has(excerpt_[other]) && !exchanged) ||
        is_opposite(texts_, i, other))
      return;
    for (std::size_t j = 0; j < excerpt_.size(); ++j) {
      if (excerpt_[j].word != claim_[i].word) continue;
      present = true;
      if (is_left_out(i, j, other) || has_own_subject(i, j, other)) return;
    }
    if (present || !(may_differ(texts_, i, other) || is_derived(texts_, i)))
      add(contradiction_rule::number, i, other);
  }

  /// Returns true if the number \p own of the excerpt, which the claim has, counts the noun of the number \p
  /// other before it, but the noun is left out: "48 guests in 2023, up from 41". If the claim has further
  /// values, one of them must not be in the clause of \p other: "in 2022 there were 41 guests".
  [[nodiscard]] bool is_left_out(std::size_t i, std::size_t own, std::size_t other) const noexcept {
    if (other > own || excerpt_[other].sentence != excerpt_[own].sentence) return false;
    if (next_to(excerpt_, own, 1, 1) != excerpt_.size()) return false;
    bool alone = true;
    const word_list there = clause_at(excerpt_, other);
    for (const text_word& claimed : sentence_at(claim_, i)) {
      if (&claimed == &claim_[i] || !is_value(claimed)) continue;
      alone = false;
      const auto is_mine = [&](const text_word& found) { return same_value(found, claimed); };
      if (std::ranges::none_of(there, is_mine)) return true;
    }
    return alone;
  }

  /// Returns true if value \p i of the claim has the same subject at \p own, where the excerpt has it, and
  /// not at \p other: the content word before both is the same, or the clause of \p own has a word of the
  /// claim that the clause of \p other lacks.
  [[nodiscard]] bool has_own_subject(std::size_t i, std::size_t own, std::size_t other) const noexcept {
    const std::uint32_t before = noun_before(claim_, i);
    if (before != no_word && noun_before(excerpt_, own) == before && noun_before(excerpt_, other) != before)
      return true;
    const word_mask around =
        texts_.clause_of(excerpt_[own]) & ~texts_.clause_of(excerpt_[other]) & statement_about(claim_, i);
    return around != 0;
  }
};

}  // namespace

void find_other_numbers(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  number_finder(texts, text_language, out).run();
}

}  // namespace citestream::check_detail

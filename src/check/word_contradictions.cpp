// The rules about words that exclude one another: see contradiction.cpp.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "check/contradiction_finder.hpp"

namespace citestream::check_detail {
namespace {

/// Returns the number that counts the unit \p i, null if none does.
[[nodiscard]] const text_word* count_of(word_list text, std::size_t i) noexcept {
  for (std::size_t k = i; k > first_near(i, 2);) {
    if (text[--k].is_number) return &text[k];
  }
  return nullptr;
}

/// Returns true if the units \p i and \p j are after the same number or both after none: "3 days" and "3
/// weeks", "a day" and "a week", but not "daily" and "opening hours".
[[nodiscard]] bool same_count(word_list claim, std::size_t i, word_list evidence, std::size_t j) noexcept {
  const text_word* const mine = count_of(claim, i);
  const text_word* const its = count_of(evidence, j);
  if (mine != nullptr && its != nullptr) return mine->word == its->word;
  const auto alone = [](word_list text, std::size_t at) {
    return text[at].plural && (at == 0 || !text[at - 1].sense.stop);
  };
  return mine == its && alone(claim, i) == alone(evidence, j);
}

[[nodiscard]] contradiction_rule rule_of(contrast_rule rule) noexcept {
  switch (rule) {
    case contrast_rule::quantity:
    case contrast_rule::amount:
      return contradiction_rule::quantity;
    case contrast_rule::month:
      return contradiction_rule::month;
    case contrast_rule::weekday:
      return contradiction_rule::weekday;
    case contrast_rule::place:
      return contradiction_rule::place;
    case contrast_rule::order:
      return contradiction_rule::order;
    case contrast_rule::unit:
    case contrast_rule::duration:
      return contradiction_rule::unit;
    case contrast_rule::direction:
      return contradiction_rule::direction;
    default:
      return contradiction_rule::antonym;
  }
}

/// The content words and numbers on both sides of a word, those before it from the whole sentence: "in 1990,
/// more people smoked than today".
[[nodiscard]] sides compared_at(word_list text, std::size_t at) noexcept {
  constexpr int reach = 8;
  const auto in_sentence = [&](const text_word& each) { return each.sentence == text[at].sentence; };
  const auto in_clause = [&](const text_word& each) { return each.clause == text[at].clause; };
  const auto stop = [](const text_word& each) { return each.sense.stop; };
  return {words_beside(text, at, -1, reach, in_sentence, stop),
          words_beside(text, at, 1, reach, in_clause, stop)};
}

[[nodiscard]] bool is_than(word_list text, std::size_t i) noexcept {
  if (text[i].sense.role == word_role::than) return true;
  if (text[i].sense.role != word_role::maybe_than) return false;
  for (std::size_t k = first_near(i, 4); k < i; ++k) {
    if (text[k].sense.role == word_role::comparative || rule_at(text, k) == contrast_rule::antonym)
      return true;
  }
  return false;
}

/// Finds what the words of a claim exclude.
class word_finder : contradiction_finder {
 public:
  using contradiction_finder::contradiction_finder;

  void run(language text_language) {
    find_negations();
    const bool reversed = find_exchanged_comparison();
    find_exchanged_roles(text_language);
    find_exchanged_letters();
    find_contrasts(reversed);
    find_directions(text_language);
    drop_cancelled();
  }

 private:
  /// Returns true if the claim is about what the sentence of the evidence with word \p j makes an exception
  /// of, so that it says the opposite of the rest of the sentence.
  [[nodiscard]] bool is_exception(std::size_t j) const noexcept;
  /// Returns true if the words are the same, or opposites of the same words: `allowed`, `permitted`.
  [[nodiscard]] bool means_same(std::size_t i, std::size_t j) const noexcept {
    if (claim_[i].word == evidence_[j].word) return true;
    const bool opposes = rule_at(claim_, i) == contrast_rule::antonym;
    return opposes && claim_[i].sense.contrast.is_same(evidence_[j].sense.contrast) && !has_limiter(j) &&
           std::ranges::none_of(evidence_, [&](const text_word& each) {
             return each.sense.contrast.excludes(claim_[i].sense.contrast) &&
                    each.sentence == evidence_[j].sentence;
           });
  }
  /// Returns true if the sentence of word \p j of the evidence has a word such as `only`: something else may
  /// be excluded by it.
  [[nodiscard]] bool has_limiter(std::size_t j) const noexcept {
    return std::ranges::any_of(evidence_, [&](const text_word& each) {
      return each.sense.role == word_role::limiter && each.sentence == evidence_[j].sentence;
    });
  }
  /// Returns true if the content words next to both words, before them (\p step -1) or after them, are the
  /// same.
  [[nodiscard]] bool same_beside(std::size_t i, std::size_t j, int step) const noexcept {
    const std::size_t mine = next_to(claim_, i, step);
    const std::size_t its = next_to(evidence_, j, step);
    return mine < claim_.size() && its < evidence_.size() && is_same(claim_[mine], evidence_[its]);
  }
  /// Returns true if the next content word is the same: `must be used` and `may be used`.
  [[nodiscard]] bool leads_to_same(std::size_t i, std::size_t j) const noexcept {
    return same_beside(i, j, 1);
  }
  /// Returns true if the evidence does not say that word \p j is so: "they had feared a decline".
  [[nodiscard]] bool is_expected(std::size_t j) const noexcept {
    const auto expects = [&](const text_word& each) {
      return each.sense.role == word_role::expectation && each.clause == evidence_[j].clause;
    };
    return std::any_of(evidence_.begin() + static_cast<std::ptrdiff_t>(first_near(j, claim_reach)),
                       evidence_.begin() + static_cast<std::ptrdiff_t>(j), expects);
  }
  [[nodiscard]] bool is_converse(std::size_t i, std::size_t j) const noexcept;
  void find_negations();
  [[nodiscard]] bool has_later_subject(std::size_t j) const noexcept;
  [[nodiscard]] bool only_one_negates(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool is_limited(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool has_same_limit(std::size_t i) const noexcept;
  void find_contrasts(bool reversed);
  void find_contrast(std::size_t i, contrast_rule rule);
  [[nodiscard]] bool is_reversed(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool says_other(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool is_elsewhere(std::size_t i) const noexcept;
  [[nodiscard]] bool has_minus(std::size_t j) const noexcept;
  [[nodiscard]] bool opens_at_other_time(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool may_both_be(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool is_counterpart(std::size_t i, std::size_t j, const context& around) const noexcept;
  void find_directions(language text_language);
  [[nodiscard]] bool changes_later(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool find_exchanged_comparison();
  [[nodiscard]] bool is_cancelled(const conflict& found) const noexcept;
  void drop_cancelled();
  void find_exchanged_roles(language text_language);
  [[nodiscard]] bool has_same_subject(std::size_t i, std::size_t j) const noexcept;
  void find_exchanged_letters();
};

/// Returns true if the sentence of word \p at negates, forbids or limits something, other than by `without`.
[[nodiscard]] bool sentence_negates(word_list text, std::size_t at) noexcept {
  bool after_negator = false;  // even if a limiter takes it back: "not only"
  for (const text_word& each : text) {
    if (each.sentence != text[at].sentence) continue;
    const bool banned = each.sense.contrast.rule == contrast_rule::ban && each.sense.contrast.member == 1;
    const bool limits = each.sense.role == word_role::limiter && !after_negator;
    if (banned || limits || (each.negator && each.sense.role != word_role::lacking)) return true;
    after_negator = each.sense.role == word_role::negator;
  }
  return false;
}

/// Returns true if the sentence of word \p at has `without`. With another negation it says what is necessary.
[[nodiscard]] bool lacks(word_list text, std::size_t at) noexcept {
  return std::ranges::any_of(
      text, [&](const text_word& each) { return each.sentence == text[at].sentence && each.lacked; });
}

/// Returns true if the clause of word \p at has a word such as `until` before a word of \p other: "not until
/// May" is "only after May".
[[nodiscard]] bool waits(word_list text, std::size_t at, word_list other) noexcept {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const text_word& each = text[k];
    if (each.clause != text[at].clause || each.sense.role != word_role::until || each.end - each.begin < 3)
      continue;
    const std::size_t next = next_to(text, k, 1);
    if (next < text.size() &&
        std::ranges::any_of(other, [&](const text_word& its) { return is_same(text[next], its); })) {
      return true;
    }
  }
  return false;
}

/// Returns true if a negator is before word \p at, with no content word between them.
[[nodiscard]] bool follows_negator(word_list text, std::size_t at) noexcept {
  for (std::size_t k = at; k > 0 && text[k - 1].sense.stop;) {
    if (text[--k].negator) return true;
  }
  return false;
}

/// Returns false if word \p at is negated by a following `nothing` and the next content word is not in \p
/// other: "costs nothing for members" does not deny "costs 5 euros".
[[nodiscard]] bool has_object(word_list text, std::size_t at, word_mask other) noexcept {
  if (at + 1 >= text.size() || !text[at + 1].negator || follows_negator(text, at)) return true;
  const std::size_t next = next_to(text, at, 1);
  return next == text.size() || (mask_of(text[next]) & other) != 0;
}

/// Returns true if one of the words is negated, and the sentence of the other negates nothing at all, so that
/// it cannot say the same in other words.
bool word_finder::only_one_negates(std::size_t i, std::size_t j) const noexcept {
  const text_word& mine = claim_[i];
  const text_word& its = evidence_[j];
  if (mine.negated == its.negated || mine.excepted || is_contrasted(texts_, i)) return false;
  if (mine.negated ? !has_object(claim_, i, texts_.clause_of(j)) : !has_object(evidence_, j, ~word_mask{0}))
    return false;
  if (mine.negated ? sentence_negates(evidence_, j) : sentence_negates(claim_, i)) return false;
  if (mine.negated ? waits(claim_, i, evidence_) : waits(evidence_, j, claim_)) return false;
  // "comes with a charger" and "comes without a charger"
  return mine.lacked || its.lacked ? same_beside(i, j, -1) : lacks(claim_, i) == lacks(evidence_, j);
}

/// Finds words that only one of claim and evidence negates. Of several in the evidence, the one with most of
/// the claim's words around it counts. Nothing is found if one that agrees has as many around it.
void word_finder::find_negations() {
  if (!texts_.claim_negates && !texts_.evidence_negates) return;
  const bool both = texts_.claim_negates && texts_.evidence_negates;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (claim_[i].word == no_word || claim_[i].is_number) continue;
    if (!both && claim_[i].negated != texts_.claim_negates) continue;
    std::size_t most = 0;    // words around `place`
    std::size_t agreed = 0;  // one more than around a word that agrees
    std::size_t place = evidence_.size();
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      if (!means_same(i, j)) continue;
      const context around = context_at(claim_, i, evidence_, j, evidence_.size());
      if (!around.half() && around.all != 0) continue;
      if (!only_one_negates(i, j)) {
        agreed = std::max(agreed, around.found + 1);
        continue;
      }
      if (place < evidence_.size() && around.found <= most) continue;
      if (is_other_case(texts_, i, j) || has_later_subject(j) || is_expected(j)) continue;
      most = around.found;
      place = j;
    }
    if (place < evidence_.size() && agreed <= most && !is_exception(place))
      add(contradiction_rule::negation, i, place);
  }
}

/// Returns true if the first content word of the claim is only after the clause of word \p j in its sentence:
/// "the castle costs 9 euros, the park is free" does not say what the park costs.
bool word_finder::has_later_subject(std::size_t j) const noexcept {
  const auto subject = std::ranges::find_if(
      claim_, [](const text_word& each) { return each.word != no_word && !each.is_number; });
  if (subject == claim_.end()) return false;
  bool later = false;
  for (const text_word& each : evidence_) {
    if (each.sentence != evidence_[j].sentence || each.word != subject->word) continue;
    if (each.clause <= evidence_[j].clause) return false;
    later = true;
  }
  return later;
}

/// Returns true if only one text has a limiter such as `only` before the word, and the next content words
/// differ: "only opens at 8" and "closed at 7".
bool word_finder::is_limited(std::size_t i, std::size_t j) const noexcept {
  return claim_[i].limited != evidence_[j].limited && !leads_to_same(i, j);
}

/// Returns true if word \p i is about the limit of a number that has the same limit in the evidence: "30 days
/// or more" and "at least 30 days".
bool word_finder::has_same_limit(std::size_t i) const noexcept {
  constexpr std::size_t reach = 4;  // words
  if (claim_[i].sense.rounds == rounding::none) return false;
  for (std::size_t k = first_near(i, reach); k < claim_.size() && k <= i + reach; ++k) {
    const bound limit = claim_[k].is_number && claim_[k].word != no_word ? bound_at(claim_, k) : bound::none;
    if (limit == bound::none) continue;
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      if (evidence_[j].word == claim_[k].word && bound_at(evidence_, j) == limit) return true;
    }
  }
  return false;
}

void word_finder::find_contrasts(bool reversed) {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const contrast_rule rule = rule_at(claim_, i);
    if (rule == contrast_rule::none || rule == contrast_rule::direction) continue;
    if (reversed && rule == contrast_rule::antonym) continue;
    find_contrast(i, rule);
  }
}

/// Returns true if the sentence of word \p j of the evidence makes an exception and the claim is about it.
bool word_finder::is_exception(std::size_t j) const noexcept {
  word_mask rule = 0;
  word_mask exception = 0;
  for (const text_word& each : evidence_) {
    if (each.sentence == evidence_[j].sentence) (each.excepted ? exception : rule) |= mask_of(each);
  }
  const bool claims_exception =
      std::any_of(claim_.begin(), claim_.end(), [](const text_word& each) { return each.excepted; });
  return !claims_exception && (exception & ~rule) != 0;
}

/// Returns true if the opposites \p i of the claim and \p j of the evidence say the same, because what is
/// before the one is after the other: "A bought it from B" and "B sold it to A", "planned was less" and "more
/// than planned".
bool word_finder::is_converse(std::size_t i, std::size_t j) const noexcept {
  const sides mine = compared_at(claim_, i);
  const bool compares = j + 1 < evidence_.size() && is_than(evidence_, j + 1);
  if (compares && mine.right == 0 && (compared_at(evidence_, j + 1).right & mine.left) != 0) return true;
  return exchanged(mine, compared_at(evidence_, j));
}

/// Returns true if a text that says \p found may mean the amount \p claimed: `some` for `most` or `few`, and
/// `most` for `all`, but not `all` for another.
[[nodiscard]] bool is_close(const contrast& claimed, const contrast& found) noexcept {
  return claimed.member != 0 && std::abs(claimed.member - found.member) <= 1;
}

/// Returns true if the day or month \p i is the end of a time without a beginning: "until 20 May".
[[nodiscard]] bool is_until(word_list text, std::size_t i) noexcept {
  const text_word* const side = side_of(text, i);
  if (side == nullptr || side->sense.role != word_role::until) return false;
  return std::ranges::count_if(text, [&](const text_word& each) {
           return each.clause == text[i].clause && each.sense.contrast.kind == text[i].sense.contrast.kind;
         }) == 1;
}

/// Returns true if word \p i of the claim and word \p j of the evidence have the same subject. \p around
/// counts the words that are around both. Half of them are enough. Less is enough
/// - for opposites: two words, one of them directly beside both;
/// - for units of the same number: one word, a number with two digits, or a unit that no reference has;
/// - for a day or month that no reference has: the day's number before both, or one word if it is the only
///   day or month of the evidence.
bool word_finder::is_counterpart(std::size_t i, std::size_t j, const context& around) const noexcept {
  if (around.half()) return true;
  const contrast_rule rule = rule_at(claim_, i);
  if (rule == contrast_rule::antonym)
    return around.found > 1 && (same_beside(i, j, -1) || same_beside(i, j, 1));
  const bool nowhere = (mask_of(claim_[i]) & texts_.nowhere) != 0;
  if (rule == contrast_rule::unit) {
    const text_word* const count = count_of(claim_, i);
    return count != nullptr && (around.found > 0 || nowhere || count->value.digits >= two_digits);
  }
  const bool day = rule == contrast_rule::month || rule == contrast_rule::weekday;
  if (!day || !nowhere) return false;
  const std::size_t before = next_to(claim_, i, -1, 1);
  if (before < claim_.size() && claim_[before].is_number && same_beside(i, j, -1)) return true;  // `30 May`
  if (around.found == 0) return false;
  return std::ranges::count_if(evidence_, [&](const text_word& each) {
           return each.sense.contrast.kind == claim_[i].sense.contrast.kind;
         }) == 1;
}

/// Returns true for rules about opposites and quantities, of which the evidence may have both members.
[[nodiscard]] bool opposes(contrast_rule rule) noexcept {
  return rule == contrast_rule::antonym || rule == contrast_rule::quantity || rule == contrast_rule::amount;
}

[[nodiscard]] bool is_cyclic(contrast_rule rule) noexcept {
  return rule == contrast_rule::weekday || rule == contrast_rule::month;
}

/// Returns true if only one of both words, which are opposites or amounts, is negated.
bool word_finder::is_reversed(std::size_t i, std::size_t j) const noexcept {
  return opposes(rule_at(claim_, i)) && evidence_[j].negated != claim_[i].negated;
}

/// Returns true if word \p j of the evidence, of the class of word \p i of the claim, says something else
/// where it is: it is another member, or the same amount and only one of both is negated ("not all" and
/// "all").
bool word_finder::says_other(std::size_t i, std::size_t j) const noexcept {
  const contrast_rule rule = rule_at(claim_, i);
  const contrast& mine = claim_[i].sense.contrast;
  const contrast& its = evidence_[j].sense.contrast;
  const bool reversed = is_reversed(i, j);
  if (mine.is_same(its)) return reversed && rule == contrast_rule::amount;
  const bool close = rule == contrast_rule::amount && is_close(mine, its);
  if (reversed || close || claim_has(evidence_[j]) || is_expected(j)) return false;
  if (rule == contrast_rule::quantity) return leads_to_same(i, j);
  if (opposes(rule)) return true;
  if (is_cyclic(rule) && is_until(evidence_, j) && side_of(claim_, i) == nullptr) return false;
  return !is_opposite(texts_, i, j) && !has_other_number(texts_, i, j);
}

/// Returns true if a reference has word \p i of the claim, which may be there for something else. For a unit
/// after a number of two digits that is unlikely.
bool word_finder::is_elsewhere(std::size_t i) const noexcept {
  const text_word* const count = rule_at(claim_, i) == contrast_rule::unit ? count_of(claim_, i) : nullptr;
  const bool distinct = count != nullptr && count->value.digits >= two_digits;
  return !distinct && (mask_of(claim_[i]) & ~texts_.nowhere) != 0;
}

/// Returns true if the clause of word \p j of the evidence has a percentage of the claim with a minus sign:
/// "shrank by 3 %" and "growth was -3 %".
bool word_finder::has_minus(std::size_t j) const noexcept {
  return std::ranges::any_of(evidence_, [&](const text_word& its) {
    return its.value.kind == number_kind::percent && its.value.negative &&
           its.clause == evidence_[j].clause && std::ranges::any_of(claim_, [&](const text_word& mine) {
             return mine.word == its.word && !mine.value.negative;
           });
  });
}

/// Returns true if the number \p i ends a time: "until 6", "9 to 6". Days and years must have `until`.
[[nodiscard]] bool is_end(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 3;  // words: `de 9 h à 18 h`, `hasta las 18`
  for (std::size_t k = i; k > first_near(i, reach) && text[k - 1].clause == text[i].clause;) {
    const text_word& each = text[--k];
    if (each.is_number) return !is_day(text, i) && text[i].value.kind != number_kind::year;
    if (each.sense.role == word_role::until && each.end - each.begin > 2) return true;  // not the French "au"
  }
  return false;
}

/// Returns true if `closed` at \p i and `open` at \p j, or the reverse, are at other times: one ends when the
/// other begins ("closes at 6", "open until 6").
bool word_finder::opens_at_other_time(std::size_t i, std::size_t j) const noexcept {
  if (claim_[i].sense.contrast.rule != contrast_rule::opening) return false;
  for (std::size_t m = 0; m < claim_.size(); ++m) {
    if (!claim_[m].is_number || claim_[m].clause != claim_[i].clause) continue;
    for (std::size_t k = 0; k < evidence_.size(); ++k) {
      if (same_value(claim_[m], evidence_[k]) && evidence_[k].clause == evidence_[j].clause &&
          is_end(claim_, m) != is_end(evidence_, k))
        return true;
    }
  }
  return false;
}

/// Returns true if claim and evidence may both be right although word \p j of the evidence says something
/// else than word \p i of the claim: one is an exception, another case, or the same from the other side.
bool word_finder::may_both_be(std::size_t i, std::size_t j) const noexcept {
  const contrast_rule rule = rule_at(claim_, i);
  if (is_exception(j) || is_converse(i, j) || has_minus(j)) return true;
  if (!opposes(rule)) return is_elsewhere(i) || (is_cyclic(rule) && in_range(texts_, i));
  if (is_other_case(texts_, i, j) || is_limited(i, j) || has_same_limit(i) || opens_at_other_time(i, j))
    return true;
  // "It may only be used if" is "it must be used only if".
  if (rule == contrast_rule::quantity && (claim_[i].limited || evidence_[j].limited)) return true;
  // "It must not be used without" is "it may be used with".
  const bool modal =
      rule == contrast_rule::quantity || (rule == contrast_rule::antonym && claim_[i].sense.stop);
  return modal && negates_clause(claim_, i) != negates_clause(evidence_, j);
}

/// Finds another member of the class of word \p i in the evidence: `fell` for `rose`, `April` for `March`. Of
/// several, the one with most of the claim's words around it counts.
///
/// If the evidence has the claim's own member, too, nothing is found, except for an opposite or a quantity
/// that has all of the claim's words around it while the own member has none. A day, month, place or rank
/// that any reference has is left to find_clauses().
void word_finder::find_contrast(std::size_t i, contrast_rule rule) {
  const contrast& mine = claim_[i].sense.contrast;
  context best;
  bool own = false;        // the evidence has the claim's own member
  std::size_t agreed = 0;  // the context of an opposite that is negated: `not open` for `closed`
  std::size_t place = evidence_.size();
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (evidence_[j].sense.contrast.kind != mine.kind || rule_at(evidence_, j) == contrast_rule::none)
      continue;
    if (rule == contrast_rule::unit && !same_count(claim_, i, evidence_, j)) continue;
    const context found = context_at(claim_, i, evidence_, j);
    const bool other = says_other(i, j);
    if (!other && mine.is_same(evidence_[j].sense.contrast)) {
      if (!opposes(rule) || found.found > 0 || next_to(evidence_, j, -1) == evidence_.size()) return;
      own = true;
    }
    if (is_reversed(i, j) && mine.excludes(evidence_[j].sense.contrast))
      agreed = std::max(agreed, found.found + 1);
    if (!other || (place < evidence_.size() && found.found <= best.found)) continue;
    best = found;
    place = j;
  }
  if (place == evidence_.size() || (own && best.found < best.all) || agreed > best.found) return;
  if (is_counterpart(i, place, best) && !may_both_be(i, place)) add(rule_of(rule), i, place);
}

/// Returns true if word \p i is `by`, `to` or `from`, and a number follows.
[[nodiscard]] bool directs(word_list text, std::size_t i) noexcept {
  // "a partir de 25", but not "up by 25"
  const bool compound = i > 0 && text[i - 1].sense.role == word_role::preposition &&
                        text[i - 1].sense.contrast.rule != contrast_rule::antonym;
  return !compound && i + 1 < text.size() && text[i + 1].is_number &&
         rule_at(text, i) == contrast_rule::direction;
}

/// Returns true if word \p i is `from`, or the French or Spanish `de` or German `von`, which mean more than
/// that.
[[nodiscard]] bool is_from(word_list text, std::size_t i, language text_language) noexcept {
  return text[i].sense.contrast.member == (text_language == language::french ? 0 : 2);
}

/// Returns true if the clause of word \p i is about a change: it has another of these words before a number,
/// or a word such as `rose`, which must be directly before `from`. "An investment of 74 million" is not a
/// change.
[[nodiscard]] bool changes(word_list text, std::size_t i, language text_language) noexcept {
  const bool article = text_language == language::spanish && text[i].sense.contrast.member == 0;  // "un 14 %"
  const bool from = is_from(text, i, text_language) || article;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k].clause != text[i].clause || k == i) continue;
    const bool beside = k < i && k + 2 >= i;
    if ((directs(text, k) && !article) || (rule_at(text, k) == contrast_rule::antonym && (beside || !from)))
      return true;
  }
  return false;
}

/// Returns true if the claim has another number that the evidence has in another clause than \p j: "it rose
/// to 48 in 2005. Today it is 22" and "it is 22, down from 48".
bool word_finder::changes_later(std::size_t i, std::size_t j) const noexcept {
  return std::ranges::any_of(claim_, [&](const text_word& mine) {
    const bool other = mine.is_number && mine.word != no_word && mine.word != claim_[i + 1].word;
    return other && mine.value.kind == claim_[i + 1].value.kind &&
           std::ranges::any_of(evidence_, [&](const text_word& its) {
             return its.word == mine.word && its.clause != evidence_[j].clause;
           });
  });
}

/// Finds `by` for `to` or `from` before the same number.
void word_finder::find_directions(language text_language) {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!directs(claim_, i) || claim_[i + 1].word == no_word) continue;
    const bool change = changes(claim_, i, text_language);
    find_other(contradiction_rule::direction, i, [&](std::size_t j) {
      if (!directs(evidence_, j) || evidence_[j + 1].word != claim_[i + 1].word) return relation::none;
      const bool changes_there = changes(evidence_, j, text_language);
      if (is_from(claim_, i, text_language) && changes_later(i, j)) return relation::none;
      const bool from = is_from(claim_, i, text_language) || is_from(evidence_, j, text_language);
      if (!change && (!changes_there || from)) return relation::none;
      if (is_from(evidence_, j, text_language) && !changes_there) return relation::none;
      return claim_[i].sense.contrast.excludes(evidence_[j].sense.contrast) ? relation::other
                                                                            : relation::same;
    });
  }
}

/// What is before `than`: "less likely than".
struct compared_quality {
  contrast adjective;  ///< the last word with an opposite, also a `more` alone
  contrast degree;     ///< the `more` or `less` before it

  /// Returns true if one of the adjectives is the opposite, or one of the degrees, but not both.
  [[nodiscard]] bool is_opposite(const compared_quality& other) const noexcept {
    return adjective.excludes(other.adjective) != degree.excludes(other.degree);
  }
};

[[nodiscard]] compared_quality quality_before(word_list text, std::size_t i) noexcept {
  compared_quality out;
  for (std::size_t k = i; k > first_near(i, 4);) {
    if (rule_at(text, --k) != contrast_rule::antonym) continue;
    if (out.adjective.kind == 0) {
      out.adjective = text[k].sense.contrast;
    } else if (text[k].sense.role == word_role::comparative) {
      out.degree = text[k].sense.contrast;
    }
  }
  return out;
}

/// Returns true if both `than` compare the same quality: the word before them is the same, or a word of the
/// same class.
[[nodiscard]] bool same_quality(word_list claim, std::size_t i, word_list evidence, std::size_t j) noexcept {
  const contrast mine = quality_before(claim, i).adjective;
  const contrast its = quality_before(evidence, j).adjective;
  if (mine.kind != 0 || its.kind != 0) return mine.kind == its.kind;
  const std::size_t word = next_to(claim, i, -1);
  const std::size_t other = next_to(evidence, j, -1);
  return word < claim.size() && other < evidence.size() && is_same(claim[word], evidence[other]);
}

/// Finds comparisons of the same quality whose sides are exchanged. Returns true if the adjective of one of
/// them is the opposite, too: the claim then says the same as the evidence.
bool word_finder::find_exchanged_comparison() {
  bool reversed = false;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!is_than(claim_, i)) continue;
    const sides mine = compared_at(claim_, i);
    find_other(contradiction_rule::comparison, i, [&](std::size_t j) {
      if (!is_than(evidence_, j) || !same_quality(claim_, i, evidence_, j)) return relation::none;
      const sides its = compared_at(evidence_, j);
      const bool opposite = quality_before(claim_, i).is_opposite(quality_before(evidence_, j));
      if (exchanged(mine, its)) {
        reversed = reversed || opposite;
        return opposite ? relation::same : relation::other;
      }
      const bool alike = (mine.left & its.left) != 0 && (mine.right & its.right) != 0;
      return alike && !opposite ? relation::same : relation::none;
    });
  }
  return reversed;
}

/// Returns the word that names who acts in the passive with the verb \p i: "was bought in June by the group".
/// Returns the size of \p text if no word does.
[[nodiscard]] std::size_t agent_after(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 4;  // words
  for (std::size_t k = i + 1; k + 1 < text.size() && k <= i + reach && text[k].clause == text[i].clause;
       ++k) {
    if (text[k].sense.role == word_role::agent && !text[k + 1].is_number) return k;
  }
  return text.size();
}

enum class voice : std::uint8_t { active, passive, unknown };

/// The names around the finite verb of a German clause that ends with the verb itself: "Acme hat Globex
/// übernommen", "Globex wurde 2023 von Acme übernommen".
struct bracket {
  sides names;
  voice how{voice::unknown};
};

[[nodiscard]] bool ends_clause(word_list text, std::size_t i) noexcept {
  return i + 1 >= text.size() || text[i + 1].clause != text[i].clause;
}

[[nodiscard]] bracket bracket_of(word_list text, std::size_t verb) noexcept {
  const auto is_name = [&](std::size_t k) { return text[k].capital && !text[k].sense.stop; };
  std::size_t k = first_of_clause(text, verb);
  if (k < verb && text[k].sense.role == word_role::article) ++k;
  bracket out;
  for (; k < verb && is_name(k); ++k) out.names.left |= mask_of(text[k]);
  if (k >= verb || !text[k].sense.stop) return {};
  const word_role finite = text[k].sense.role;
  if (finite != word_role::auxiliary && finite != word_role::none) return {};
  bool after_agent = false;
  for (++k; k < verb; ++k) {
    after_agent = after_agent || text[k].sense.role == word_role::agent;
    if (is_name(k) && after_agent == (finite == word_role::auxiliary)) out.names.right |= mask_of(text[k]);
  }
  if (out.names.left == 0 || out.names.right == 0) return {};
  out.how = finite == word_role::auxiliary ? voice::passive : voice::active;
  return out;
}

/// Returns whether the word at \p i is a verb in the active or passive voice; `unknown` if it may not be a
/// verb.
[[nodiscard]] voice voice_at(word_list text, std::size_t i, language text_language) noexcept {
  if (text[i].word == no_word || text[i].is_number || text[i].in_table || text[i].capital ||
      text[i].sense.role == word_role::symmetric) {
    return voice::unknown;
  }
  if (ends_clause(text, i))
    return text_language == language::german ? bracket_of(text, i).how : voice::unknown;
  if (i == 0) return voice::unknown;
  bool passive = false;
  for (std::size_t k = first_near(i, 3); k < i; ++k) {
    passive = passive || (text[k].clause == text[i].clause && text[k].sense.role == word_role::auxiliary);
  }
  if (passive) return agent_after(text, i) < text.size() ? voice::passive : voice::unknown;
  const text_word& after = text[i + 1];
  const word_role before = text[i - 1].sense.role;
  const bool noun = before == word_role::preposition || before == word_role::until ||
                    before == word_role::article || text[i - 1].is_number;
  const bool object = !after.sense.stop || after.sense.role == word_role::article || after.is_number ||
                      (text_language == language::spanish && is_to(after));  // "venció al Sevilla"
  return !noun && object ? voice::active : voice::unknown;
}

/// The names on both sides of a verb, if both are single letters. `A` may be read as the article.
struct letter_roles {
  char subject{};  ///< 0: another word
  char object{};
};

[[nodiscard]] letter_roles letters_around(word_list text, std::size_t verb) noexcept {
  if (text[verb].is_number || text[verb].negated || text[verb].sense.role == word_role::symmetric) return {};
  const auto adjoins = [&](std::size_t k) {  // a blank is between word k and the one before it
    return k > 0 && k < text.size() && text[k].begin == text[k - 1].end + 1;
  };
  const auto is_auxiliary = [](const text_word& each) {
    return each.letter == 0 && each.sense.stop &&
           (each.sense.role == word_role::auxiliary || each.sense.role == word_role::none);
  };
  std::size_t first = verb;
  while (adjoins(first) && is_auxiliary(text[first - 1])) --first;
  const bool passive = adjoins(verb + 1) && text[verb + 1].sense.role == word_role::agent;
  const std::size_t after = passive ? verb + 2 : verb + 1;
  const char left = adjoins(first) ? text[first - 1].letter : '\0';
  const bool noun = adjoins(after) && text[after].letter == 0 && text[after].capital && adjoins(after + 1);
  const char right = noun ? text[after + 1].letter : adjoins(after) ? text[after].letter : '\0';
  if (left == 0 || right == 0) return {};
  return passive ? letter_roles{right, left} : letter_roles{left, right};
}

void word_finder::find_exchanged_letters() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const letter_roles mine = letters_around(claim_, i);
    if (claim_[i].word == no_word || mine.subject == mine.object) continue;
    find_other(contradiction_rule::roles, i, [&](std::size_t j) {
      if (evidence_[j].word != claim_[i].word) return relation::none;
      const letter_roles its = letters_around(evidence_, j);
      if (its.subject == mine.subject && its.object == mine.object) return relation::same;
      return its.subject == mine.object && its.object == mine.subject ? relation::other : relation::none;
    });
  }
}

/// The names around a verb, of which the first starts the clause: "Google kaufte YouTube", "El Sevilla venció
/// al Barcelona". In a language in which the object may come first, only these tell who does it. A German
/// noun with an article after the verb may be the subject: "Gestern kam der Minister".
[[nodiscard]] sides names_around(word_list text, std::size_t verb, language text_language) noexcept {
  const auto in_clause = [&](std::size_t k) {
    return k < text.size() && text[k].clause == text[verb].clause;
  };
  const auto has_role = [&](std::size_t k, word_role role) {
    return in_clause(k) && text[k].sense.role == role;
  };
  const auto named = [&](std::size_t k) { return in_clause(k) && text[k].capital && !text[k].sense.stop; };
  sides out;
  std::size_t first = verb;
  while (first > 0 && text[first - 1].sense.stop &&
         (has_role(first - 1, word_role::auxiliary) || has_role(first - 1, word_role::none))) {
    --first;
  }
  while (first > 0 && named(first - 1)) out.left |= mask_of(text[--first]);
  if (first > 0 && has_role(first - 1, word_role::article)) --first;
  if (first > 0 && in_clause(first - 1)) return {};
  std::size_t next = verb + 1;
  if (in_clause(next) && (is_to(text[next]) || text[next].sense.role == word_role::agent)) ++next;
  if (has_role(next, word_role::article) && text_language != language::german) ++next;
  for (; named(next); ++next) out.right |= mask_of(text[next]);
  return out.left == 0 || out.right == 0 ? sides{} : out;
}

/// Finds verbs before and after which the same words are exchanged.
void word_finder::find_exchanged_roles(language text_language) {
  const bool free_order = text_language == language::german || text_language == language::spanish;
  constexpr int reach = 3;  // content words
  const auto words_around = [](word_list text, std::size_t verb, voice how) {
    if (ends_clause(text, verb)) return bracket_of(text, verb).names;
    return sides_of(text, verb, reach, how == voice::passive ? agent_after(text, verb) : verb);
  };
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const voice mine = voice_at(claim_, i, text_language);
    if (mine == voice::unknown) continue;
    const sides my_sides = free_order && !ends_clause(claim_, i) ? names_around(claim_, i, text_language)
                                                                 : words_around(claim_, i, mine);
    find_other(contradiction_rule::roles, i, [&](std::size_t j) {
      if (evidence_[j].word != claim_[i].word) return relation::none;
      const voice its = voice_at(evidence_, j, text_language);
      if (its == voice::unknown) return relation::none;
      sides its_sides = words_around(evidence_, j, its);
      if (its != mine) std::swap(its_sides.left, its_sides.right);
      if ((my_sides.left & its_sides.left) != 0 && (my_sides.right & its_sides.right) != 0)
        return relation::same;
      const bool both_after = its == mine && has_same_subject(i, j);
      return exchanged(my_sides, its_sides) && !both_after ? relation::other : relation::none;
    });
  }
}

/// Returns true if the same content word, which is not after either verb, is directly before both: `river
/// tolls`.
bool word_finder::has_same_subject(std::size_t i, std::size_t j) const noexcept {
  if (!same_beside(i, j, -1)) return false;
  constexpr int reach = 3;  // content words
  const word_mask after = sides_of(claim_, i, reach).right | sides_of(evidence_, j, reach).right;
  return (mask_of(claim_[next_to(claim_, i, -1)]) & after) == 0;
}

/// Returns true if a second difference takes \p found back: another opposite, or, if \p found is an opposite,
/// a negation: "valid if it has not been opened" and "void if it is opened". It is in the same clause of the
/// claim, or, for `before` and `after`, in the same sentence.
bool word_finder::is_cancelled(const conflict& found) const noexcept {
  const text_word& mine = claim_[found.claim];
  const auto there = [&](const text_word& each) {
    return each.sentence == evidence_[found.evidence].sentence;
  };
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const text_word& other = claim_[i];
    if (i == found.claim ||
        (mine.sense.stop ? other.sentence != mine.sentence : !belongs_to(texts_, found.claim, i)))
      continue;
    if (has_only_opposite(texts_, i, there)) return true;
    if (found.rule == contradiction_rule::antonym && other.word != no_word &&
        std::ranges::any_of(evidence_, [&](const text_word& each) {
          return there(each) && each.word == other.word && each.negated != other.negated;
        })) {
      return true;
    }
  }
  return false;
}

/// Removes what two differences of one claim cancel. More than two are different statements.
void word_finder::drop_cancelled() {
  const auto flips = [](const conflict& each) {
    return each.rule == contradiction_rule::negation || each.rule == contradiction_rule::antonym;
  };
  if (std::count_if(out_.begin(), out_.end(), flips) > 2) return;
  std::erase_if(out_, [&](const conflict& each) { return flips(each) && is_cancelled(each); });
}

}  // namespace

void find_other_words(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  word_finder(texts, out).run(text_language);
}

}  // namespace citestream::check_detail

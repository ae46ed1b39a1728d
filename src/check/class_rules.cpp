// The rules about classes of words that exclude one another (lexicon.hpp): see contradiction.cpp.
//
// find_other_member() looks for another member of the class of a word of the claim: `fell` for `rose`,
// `April` for `March`. differs() decides whether a word of the excerpt says something else there. Of
// several, the one with most of the claim's words around it is taken. It is a contradiction if both have the
// same subject (is_counterpart()) and cannot both be right (may_both_be()).
//
// `by`, `to` and `from` are compared only before the same number, and only in a clause about a change.
#include <algorithm>
#include <cstdlib>
#include <ranges>

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
[[nodiscard]] bool same_count(word_list claim, std::size_t i, word_list excerpt, std::size_t j) noexcept {
  const text_word* const claimed = count_of(claim, i);
  const text_word* const found = count_of(excerpt, j);
  if (claimed != nullptr && found != nullptr) return claimed->word == found->word;
  const auto alone = [](word_list text, std::size_t at) {
    return text[at].plural && (at == 0 || !text[at - 1].sense.stop);
  };
  return claimed == found && alone(claim, i) == alone(excerpt, j);
}

/// Returns true if a text that says \p found may mean the amount \p claimed: `some` for `most` or `few`, and
/// `most` for `all`, but not `all` for another.
[[nodiscard]] bool is_close(const class_member& claimed, const class_member& found) noexcept {
  return claimed.index != members::all && std::abs(claimed.index - found.index) <= 1;
}

/// Returns true if the day or month \p i is the end of a time without a beginning: "until 20 May".
[[nodiscard]] bool is_until(word_list text, std::size_t i) noexcept {
  const text_word* const side = limit_word_before(text, i);
  if (side == nullptr || side->sense.role != word_role::until) return false;
  return std::ranges::count_if(clause_at(text, i), [&](const text_word& each) {
           return each.sense.member.class_id == text[i].sense.member.class_id;
         }) == 1;
}

/// Returns true for rules about opposites and quantities. The excerpt may contain both members: `most` and
/// `few`.
[[nodiscard]] bool opposes(contradiction_rule rule) noexcept {
  return rule == contradiction_rule::antonym || rule == contradiction_rule::quantity;
}

[[nodiscard]] bool is_cyclic(contradiction_rule rule) noexcept {
  return rule == contradiction_rule::weekday || rule == contradiction_rule::month;
}

/// Returns true if the number \p i ends a time: "until 6", "9 to 6". Days and years must have `until`.
[[nodiscard]] bool is_end(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 3;  // words: `de 9 h à 18 h`, `hasta las 18`
  for (const text_word& each : words_before(text, i, reach) | std::views::reverse) {
    if (each.is_number) return !is_day(text, i) && text[i].value.kind != number_kind::year;
    if (each.sense.role == word_role::until && each.end - each.begin > 2) return true;  // not the French "au"
  }
  return false;
}

/// Returns true if word \p i is `by`, `to` or `from`, and a number follows.
[[nodiscard]] bool directs(word_list text, std::size_t i) noexcept {
  // "a partir de 25" and "más de 25", but not "up by 25"
  const bool compound =
      i > 0 && (text[i - 1].sense.role == word_role::comparative ||
                (text[i - 1].sense.role == word_role::preposition && !is_antonym(text[i - 1])));
  return !compound && i + 1 < text.size() && text[i + 1].is_number && is_direction(text[i]);
}

/// Returns true if word \p i is `from`, or the French or Spanish `de` or German `von`, which mean more than
/// that.
[[nodiscard]] bool is_from(word_list text, std::size_t i, language text_language) noexcept {
  return text[i].sense.member.index == (text_language == language::french ? members::by : members::from);
}

/// Returns which of `by`, `to` and `from` word \p i means. The Spanish `de` and `del` and the German `von`
/// mean `from` only if a `to` and a number follow in the clause: "de 5 a 10", but "un aumento del 5 %
/// respecto a 2020" and "ein Rückgang von 5 %".
[[nodiscard]] std::uint8_t direction_at(word_list text, std::size_t i, language text_language) noexcept {
  constexpr std::size_t longest = 3;  // letters of `del` and `von`; `desde` is always `from`
  const std::uint8_t out = text[i].sense.member.index;
  const bool either = text_language == language::spanish || text_language == language::german;
  if (!either || out != members::from || text[i].end - text[i].begin > longest) return out;
  for (std::size_t k = i + 2; k < text.size() && text[k].clause == text[i].clause; ++k) {
    const bool end = text[k].is_number && text[k].value.kind != number_kind::year;
    if (end && is_to(text[k - 1])) return out;
  }
  return members::by;
}

/// Returns true if `less` or the like is directly before word \p i.
[[nodiscard]] bool is_lessened(word_list text, std::size_t i) noexcept {
  return i > 0 && text[i - 1].sense.role == word_role::comparative && is_plain_antonym(text[i - 1]) &&
         text[i - 1].sense.member.index == members::down;
}

/// Returns true if an auxiliary verb is before the verb \p i.
[[nodiscard]] bool is_passive(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 3;  // words
  return has_role(words_before(text, i, reach), word_role::auxiliary);
}

/// Returns true if the clause of word \p i is about a change: it has another of these words before a number,
/// or a word such as `rose`, which must be directly before `from`. "An investment of 74 million" is not a
/// change.
[[nodiscard]] bool changes(word_list text, std::size_t i, language text_language) noexcept {
  const bool article =
      text_language == language::spanish && text[i].sense.member.index == members::by;  // "un 14 %"
  const bool from = is_from(text, i, text_language) || article;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k].clause != text[i].clause || k == i) continue;
    const bool beside = k < i && k + 2 >= i;
    if ((directs(text, k) && !article) ||
        (text[k].sense.member.kind == class_kind::change && (beside || !from)))
      return true;
  }
  return false;
}

/// Finds other members of the classes of the claim's words.
class class_finder : contradiction_finder {
 public:
  using contradiction_finder::contradiction_finder;

  void run(bool reversed) {
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      const contradiction_rule rule = claim_[i].sense.member.rule;
      if (!has_class(claim_, i) || rule == contradiction_rule::direction) continue;
      if (reversed && rule == contradiction_rule::antonym) continue;
      find_other_member(i);
    }
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      if (directs(claim_, i) && claim_[i + 1].word != no_word) find_direction(i);
    }
  }

 private:
  /// Finds `by` for `to` or `from` before the same number.
  void find_direction(std::size_t i) {
    const bool change = changes(claim_, i, language_);
    const bool from = is_from(claim_, i, language_);
    find_other(contradiction_rule::direction, i, [&](std::size_t j) {
      if (!directs(excerpt_, j) || excerpt_[j + 1].word != claim_[i + 1].word) return relation::none;
      const bool changes_there = changes(excerpt_, j, language_);
      const bool from_there = is_from(excerpt_, j, language_);
      if (from && changes_later(i, j)) return relation::none;
      if (!change && (!changes_there || from || from_there)) return relation::none;
      if (from_there && !changes_there) return relation::none;
      return direction_at(claim_, i, language_) != direction_at(excerpt_, j, language_) ? relation::other
                                                                                        : relation::same;
    });
  }

  /// Finds another member of the class of word \p i in the excerpt: `fell` for `rose`, `April` for `March`.
  /// Of several, the one with most of the claim's words around it counts.
  ///
  /// If the excerpt has the claim's own member, too, nothing is found, except for an opposite or a quantity
  /// that has all of the claim's words around it while the own member has none, or that has them in its
  /// clause (has_all()) while no own member has. A day, month, place or rank that any reference has is left
  /// to clause_rules.cpp.
  void find_other_member(std::size_t i) {
    const class_member& claimed = claim_[i].sense.member;
    context best;
    bool own = false;        // the excerpt has the claim's own member
    bool near_own = false;   // a word around it is around the claim's member, too
    std::size_t agreed = 0;  // the context of an opposite that is negated: `not open` for `closed`
    std::size_t place = excerpt_.size();
    for (std::size_t j = 0; j < excerpt_.size(); ++j) {
      if (excerpt_[j].sense.member.class_id != claimed.class_id || !has_class(excerpt_, j)) continue;
      if (claimed.rule == contradiction_rule::unit && !same_count(claim_, i, excerpt_, j)) continue;
      const context found = context_at(claim_, i, excerpt_, j);
      const bool other = differs(i, j);
      if (!other && claimed.is_same(excerpt_[j].sense.member)) {
        if (!opposes(claimed.rule) || next_to(excerpt_, j, -1) == excerpt_.size() || has_all(i, j)) return;
        own = true;
        near_own = near_own || found.found > 0;
      }
      if (is_reversed(i, j) && claimed.excludes(excerpt_[j].sense.member))
        agreed = std::max(agreed, found.found + 1);
      if (!other || (place < excerpt_.size() && found.found <= best.found)) continue;
      best = found;
      place = j;
    }
    if (place == excerpt_.size() || agreed > best.found) return;
    if (own && !(near_own ? has_all(i, place) : best.found == best.all)) return;
    if (is_counterpart(i, place, best) && !may_both_be(i, place)) add(claimed.rule, i, place);
  }

  /// Returns true if the clause of word \p j of the excerpt has all that the sentence of word \p i of the
  /// claim says. If a pronoun starts the sentence, it has the first of these words that is in the one before,
  /// too: "The bank opens at 8. It closes at 6."
  [[nodiscard]] bool has_all(std::size_t i, std::size_t j) const noexcept {
    word_mask missing = 0;
    for (const text_word& each : sentence_at(claim_, i)) {
      if (each.sense.member.class_id != claim_[i].sense.member.class_id) missing |= mask_of(each);
    }
    missing &= ~texts_.clause_of(excerpt_[j]);
    const word_list before = words_before(excerpt_, j);
    const bool starts = before.size() == words_before(excerpt_, j, all_words, in_sentence).size();
    const bool verb =
        before.size() == 1 || (before.size() > 1 && before[1].sense.role == word_role::auxiliary);
    const bool pronoun = starts && verb && before[0].sense.stop && before[0].sense.role == word_role::none;
    const word_list subjects = pronoun ? sentence_before(excerpt_, j) : word_list{};
    const auto subject =
        std::ranges::find_if(subjects, [](const text_word& each) { return each.word != no_word; });
    return (missing & ~(subject == subjects.end() ? 0 : mask_of(*subject))) == 0;
  }

  /// Returns true if word \p j of the excerpt, of the class of word \p i of the claim, says something else
  /// where it is: it is another member, or the same amount and only one of both is negated ("not all" and
  /// "all").
  [[nodiscard]] bool differs(std::size_t i, std::size_t j) const noexcept {
    const class_member& claimed = claim_[i].sense.member;
    const class_member& found = excerpt_[j].sense.member;
    const bool reversed = is_reversed(i, j);
    const bool amount = claimed.kind == class_kind::amount;
    if (claimed.is_same(found)) return reversed && amount;
    const bool close = amount && is_close(claimed, found);
    if (reversed || close || !claimed.excludes(found) || claim_has(excerpt_[j]) || is_expected(j))
      return false;
    if (claimed.kind == class_kind::modal) return same_beside(i, j, 1);
    if (opposes(claimed.rule)) return true;
    if (is_cyclic(claimed.rule) && is_until(excerpt_, j) && limit_word_before(claim_, i) == nullptr)
      return false;
    return !is_opposite(texts_, i, j) && !has_other_number(texts_, i, j);
  }

  /// Returns true if only one of both words, which are opposites or amounts, is negated.
  [[nodiscard]] bool is_reversed(std::size_t i, std::size_t j) const noexcept {
    return opposes(claim_[i].sense.member.rule) && excerpt_[j].negated != claim_[i].negated;
  }

  /// Returns true if word \p i of the claim and word \p j of the excerpt have the same subject. \p around
  /// counts the words that are around both. Half of them are enough. Less is enough
  /// - for opposites: two words, one of them directly beside both;
  /// - for units of the same number: one word, a number with two digits, or a unit that no reference has;
  /// - for a day or month that no reference has: the day's number before both, or one word if it is the only
  ///   day or month of the excerpt.
  [[nodiscard]] bool is_counterpart(std::size_t i, std::size_t j, const context& around) const noexcept {
    if (around.half()) return true;
    const contradiction_rule rule = claim_[i].sense.member.rule;
    if (rule == contradiction_rule::antonym)
      return around.found > 1 && (same_beside(i, j, -1) || same_beside(i, j, 1));
    const bool nowhere = (mask_of(claim_[i]) & texts_.nowhere) != 0;
    if (rule == contradiction_rule::unit) {
      const text_word* const count = count_of(claim_, i);
      return count != nullptr && (around.found > 0 || nowhere || count->value.digits >= two_digits);
    }
    const bool day = rule == contradiction_rule::month || rule == contradiction_rule::weekday;
    if (!day || !nowhere) return false;
    const std::size_t before = next_to(claim_, i, -1, 1);
    if (before < claim_.size() && claim_[before].is_number && same_beside(i, j, -1)) return true;  // `30 May`
    if (around.found == 0) return false;
    return std::ranges::count_if(excerpt_, [&](const text_word& each) {
             return each.sense.member.class_id == claim_[i].sense.member.class_id;
           }) == 1;
  }

  /// Returns true if claim and excerpt may both be right although word \p j of the excerpt says something
  /// else than word \p i of the claim: one is an exception, another case, or the same from the other side.
  [[nodiscard]] bool may_both_be(std::size_t i, std::size_t j) const noexcept {
    const contradiction_rule rule = claim_[i].sense.member.rule;
    if (is_exception(j) || is_converse(i, j) || has_minus(j)) return true;
    if (is_lessened(claim_, i) != is_lessened(excerpt_, j)) return true;  // "less difficult" and "easier"
    const class_kind kind = claim_[i].sense.member.kind;
    if (kind == class_kind::transfer && (is_passive(claim_, i) || is_passive(excerpt_, j))) return true;
    if (!opposes(rule)) return is_elsewhere(i) || (is_cyclic(rule) && in_range(excerpt_, claim_[i]));
    if (is_other_case(texts_, i, j) || is_limited(i, j) || has_same_limit(i) || opens_at_other_time(i, j))
      return true;
    // "It may only be used if" is "it must be used only if".
    if (kind == class_kind::modal && (claim_[i].limited || excerpt_[j].limited)) return true;
    // "It must not be used without" is "it may be used with".
    const bool modal =
        kind == class_kind::modal || (rule == contradiction_rule::antonym && claim_[i].sense.stop);
    return modal && negates_clause(claim_, i) != negates_clause(excerpt_, j);
  }

  /// Returns true if a reference has word \p i of the claim, which may be there for something else. For a
  /// unit after a number of two digits that is unlikely.
  [[nodiscard]] bool is_elsewhere(std::size_t i) const noexcept {
    const text_word* const count =
        claim_[i].sense.member.rule == contradiction_rule::unit ? count_of(claim_, i) : nullptr;
    const bool distinct = count != nullptr && count->value.digits >= two_digits;
    return !distinct && (mask_of(claim_[i]) & ~texts_.nowhere) != 0;
  }

  /// Returns true if only one text has a limiter such as `only` before the word, and the next content words
  /// differ: "only opens at 8" and "closed at 7".
  [[nodiscard]] bool is_limited(std::size_t i, std::size_t j) const noexcept {
    return claim_[i].limited != excerpt_[j].limited && !same_beside(i, j, 1);
  }

  /// Returns true if word \p i is about the limit of a number that has the same limit in the excerpt: "30
  /// days or more" and "at least 30 days".
  [[nodiscard]] bool has_same_limit(std::size_t i) const noexcept {
    constexpr std::size_t reach = 4;  // words
    if (claim_[i].sense.rounds == rounding::none) return false;
    for (std::size_t k = first_near(i, reach); k < claim_.size() && k <= i + reach; ++k) {
      const bound limit =
          claim_[k].is_number && claim_[k].word != no_word ? bound_at(claim_, k) : bound::none;
      if (limit == bound::none) continue;
      for (std::size_t j = 0; j < excerpt_.size(); ++j) {
        if (excerpt_[j].word == claim_[k].word && bound_at(excerpt_, j) == limit) return true;
      }
    }
    return false;
  }

  /// Returns true if the opposites \p i of the claim and \p j of the excerpt say the same, because what is
  /// before the one is after the other: "A bought it from B" and "B sold it to A", "planned was less" and
  /// "more than planned".
  [[nodiscard]] bool is_converse(std::size_t i, std::size_t j) const noexcept {
    if (!is_plain_antonym(claim_[i]) && claim_[i].sense.member.kind != class_kind::transfer) return false;
    sides claimed = wide_sides_of(claim_, i);
    for (const text_word& each : claim_) {  // a year may be on either side: "In 2015 the club sold it"
      if (!each.is_number || each.value.kind != number_kind::year) continue;
      claimed.left &= ~mask_of(each);
      claimed.right &= ~mask_of(each);
    }
    const bool compares = j + 1 < excerpt_.size() && is_than(excerpt_, j + 1);
    if (compares && claimed.right == 0 && (wide_sides_of(excerpt_, j + 1).right & claimed.left) != 0)
      return true;
    return exchanged(claimed, wide_sides_of(excerpt_, j));
  }

  /// Returns true if the clause of word \p j of the excerpt has a percentage of the claim with a minus sign:
  /// "shrank by 3 %" and "growth was -3 %".
  [[nodiscard]] bool has_minus(std::size_t j) const noexcept {
    return std::ranges::any_of(clause_at(excerpt_, j), [&](const text_word& found) {
      return found.value.kind == number_kind::percent && found.value.negative &&
             std::ranges::any_of(claim_, [&](const text_word& claimed) {
               return claimed.word == found.word && !claimed.value.negative;
             });
    });
  }

  /// Returns true if `closed` at \p i and `open` at \p j, or the reverse, are at other times: one ends when
  /// the other begins ("closes at 6", "open until 6").
  [[nodiscard]] bool opens_at_other_time(std::size_t i, std::size_t j) const noexcept {
    if (claim_[i].sense.member.kind != class_kind::opening) return false;
    for (std::size_t m = 0; m < claim_.size(); ++m) {
      if (!claim_[m].is_number || claim_[m].clause != claim_[i].clause) continue;
      for (std::size_t k = 0; k < excerpt_.size(); ++k) {
        if (same_value(claim_[m], excerpt_[k]) && excerpt_[k].clause == excerpt_[j].clause &&
            is_end(claim_, m) != is_end(excerpt_, k))
          return true;
      }
    }
    return false;
  }

  /// Returns true if the claim has another number that the excerpt has in another clause than \p j: "it rose
  /// to 48 in 2005. Today it is 22" and "it is 22, down from 48".
  [[nodiscard]] bool changes_later(std::size_t i, std::size_t j) const noexcept {
    return std::ranges::any_of(claim_, [&](const text_word& claimed) {
      const bool other = claimed.is_number && claimed.word != no_word && claimed.word != claim_[i + 1].word;
      return other && claimed.value.kind == claim_[i + 1].value.kind &&
             std::ranges::any_of(excerpt_, [&](const text_word& found) {
               return found.word == claimed.word && found.clause != excerpt_[j].clause;
             });
    });
  }
};

}  // namespace

void find_other_members(const text_pair& texts, language text_language, bool reversed,
                        std::vector<conflict>& out) {
  class_finder(texts, text_language, out).run(reversed);
}

}  // namespace citestream::check_detail

// The rules about classes of words that exclude one another (lexicon.hpp): see contradiction.cpp.
//
// find_other_member() looks for another member of the class of a word of the claim: `fell` for `rose`,
// `April` for `March`. differs() decides whether a word of the excerpt says something else there. Of
// several, the one with most of the claim's words around it is taken. It is a contradiction if both have the
// same subject (has_same_subject()) and cannot both be right (may_both_be()).
//
// `by`, `to` and `from` are compared only before the same number, and only in a clause about a change.
#include <algorithm>
#include <cstdlib>
#include <ranges>

#include "check/contradiction.hpp"

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
    return text[at].plural && (at == 0 || !text[at - 1].stop);
  };
  return claimed == found && alone(claim, i) == alone(excerpt, j);
}

/// Returns true if a text that says \p found may mean the amount \p claimed: `some` for `most` or `few`, and
/// `most` for `all`, but not `all` for another.
[[nodiscard]] bool is_close(const class_member& claimed, const class_member& found) noexcept {
  return claimed.index != members::all && std::abs(claimed.index - found.index) <= 1;
}

/// Returns true if the day or month \p i is the end of a time without a beginning: "until 20 May".
[[nodiscard]] bool is_last_time(word_list text, std::size_t i) noexcept {
  const text_word* const side = limit_word_before(text, i);
  if (side == nullptr || side->role != word_role::until) return false;
  return std::ranges::count_if(clause_at(text, i), [&](const text_word& each) {
           return each.member.class_id == text[i].member.class_id;
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
    if (is_until(each)) return true;
  }
  return false;
}

/// Returns true if word \p i is `by`, `to` or `from`, and a number follows.
[[nodiscard]] bool directs(word_list text, std::size_t i) noexcept {
  // "a partir de 25" and "más de 25", but not "up by 25"
  const bool compound = i > 0 && (text[i - 1].role == word_role::comparative ||
                                  (text[i - 1].role == word_role::preposition && !is_antonym(text[i - 1])));
  return !compound && i + 1 < text.size() && text[i + 1].is_number && is_direction(text[i]);
}

/// Returns true if word \p i is `from`, or the French or Spanish `de` or German `von`, which mean more than
/// that.
[[nodiscard]] bool is_from(word_list text, std::size_t i, language in) noexcept {
  return text[i].member.index == (in == language::french ? members::by : members::from);
}

/// Returns which of `by`, `to` and `from` word \p i means. The Spanish `de` and `del` and the German `von`
/// mean `from` only if a `to` and a number follow in the clause: "de 5 a 10", but "un aumento del 5 %
/// respecto a 2020" and "ein Rückgang von 5 %".
[[nodiscard]] std::uint8_t direction_at(word_list text, std::size_t i, language in) noexcept {
  constexpr std::size_t longest = 3;  // letters of `del` and `von`; `desde` is always `from`
  const std::uint8_t out = text[i].member.index;
  const bool either = in == language::spanish || in == language::german;
  if (!either || out != members::from || text[i].end - text[i].begin > longest) return out;
  for (std::size_t k = i + 2; k < text.size() && text[k].clause == text[i].clause; ++k) {
    const bool end = text[k].is_number && text[k].value.kind != number_kind::year;
    if (end && is_to(text[k - 1])) return out;
  }
  return members::by;
}

/// Returns true if `less` or the like is directly before word \p i.
[[nodiscard]] bool is_lessened(word_list text, std::size_t i) noexcept {
  return i > 0 && text[i - 1].role == word_role::comparative && is_plain_antonym(text[i - 1]) &&
         text[i - 1].member.index == members::down;
}

/// Returns true if the clause of word \p i is about a change: it has another of these words before a number,
/// or a word such as `rose`, which must be directly before `from`. "An investment of 74 million" is not a
/// change.
[[nodiscard]] bool changes(word_list text, std::size_t i, language in) noexcept {
  const bool article = in == language::spanish && text[i].member.index == members::by;  // "un 14 %"
  const bool from = is_from(text, i, in) || article;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k].clause != text[i].clause || k == i) continue;
    const bool beside = k < i && k + 2 >= i;
    if ((directs(text, k) && !article) || (text[k].member.kind == class_kind::change && (beside || !from)))
      return true;
  }
  return false;
}

/// Returns true if the claim has another number that the excerpt has in another clause than \p j: "it rose
/// to 48 in 2005. Today it is 22" and "it is 22, down from 48".
[[nodiscard]] bool changes_later(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  return std::ranges::any_of(texts.claim, [&](const text_word& claimed) {
    const bool other = is_known_number(claimed) && claimed.word != texts.claim[i + 1].word;
    return other && claimed.value.kind == texts.claim[i + 1].value.kind &&
           std::ranges::any_of(texts.excerpt, [&](const text_word& found) {
             return found.word == claimed.word && found.clause != texts.excerpt[j].clause;
           });
  });
}

/// Finds `by` for `to` or `from` before the same number.
void find_direction(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const bool change = changes(texts.claim, i, texts.in);
  const bool from = is_from(texts.claim, i, texts.in);
  find_other(texts, contradiction_rule::direction, i, out, [&](std::size_t j) {
    if (!directs(texts.excerpt, j) || texts.excerpt[j + 1].word != texts.claim[i + 1].word)
      return relation::none;
    const bool changes_there = changes(texts.excerpt, j, texts.in);
    const bool from_there = is_from(texts.excerpt, j, texts.in);
    if (from && changes_later(texts, i, j)) return relation::none;
    if (!change && (!changes_there || from || from_there)) return relation::none;
    if (from_there && !changes_there) return relation::none;
    return direction_at(texts.claim, i, texts.in) != direction_at(texts.excerpt, j, texts.in)
               ? relation::other
               : relation::same;
  });
}

/// Returns true if the clause of word \p j of the excerpt has all that the sentence of word \p i of the
/// claim says. If a pronoun starts the sentence, it has the first of these words that is in the one before,
/// too: "The bank opens at 8. It closes at 6."
[[nodiscard]] bool has_all(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  word_mask missing = 0;
  for (const text_word& each : sentence_at(texts.claim, i)) {
    if (each.member.class_id != texts.claim[i].member.class_id) missing |= mask_of(each);
  }
  missing &= ~texts.clause_of(j);
  const word_list before = words_before(texts.excerpt, j);
  const bool starts = before.size() == words_before(texts.excerpt, j, all_words, in_sentence).size();
  const bool verb = before.size() == 1 || (before.size() > 1 && before[1].role == word_role::auxiliary);
  const bool pronoun = starts && verb && before[0].stop && before[0].role == word_role::none;
  const word_list subjects = pronoun ? sentence_before(texts.excerpt, j) : word_list{};
  const auto subject =
      std::ranges::find_if(subjects, [](const text_word& each) { return each.word != no_word; });
  return (missing & ~(subject == subjects.end() ? 0 : mask_of(*subject))) == 0;
}

/// Returns true if only one of both words, which are opposites or amounts, is negated.
[[nodiscard]] bool is_reversed(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  return opposes(texts.claim[i].member.rule) && texts.excerpt[j].negated != texts.claim[i].negated;
}

/// Returns true if word \p j of the excerpt, of the class of word \p i of the claim, says something else
/// where it is: it is another member, or the same amount and only one of both is negated ("not all" and
/// "all").
[[nodiscard]] bool differs(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const class_member& claimed = texts.claim[i].member;
  const class_member& found = texts.excerpt[j].member;
  const bool reversed = is_reversed(texts, i, j);
  const bool amount = claimed.kind == class_kind::amount;
  if (claimed.is_same(found)) return reversed && amount;
  const bool close = amount && is_close(claimed, found);
  if (reversed || close || !claimed.excludes(found) || claim_has(texts.claim, texts.excerpt[j]) ||
      is_expected(texts, j))
    return false;
  if (claimed.kind == class_kind::modal) return same_beside(texts, i, j, 1);
  if (opposes(claimed.rule)) return true;
  if (is_cyclic(claimed.rule) && is_last_time(texts.excerpt, j) &&
      limit_word_before(texts.claim, i) == nullptr)
    return false;
  return !is_opposite(texts, i, j) && !has_different_number(texts, i, j);
}

/// Returns true if word \p i of the claim and word \p j of the excerpt have the same subject. \p around
/// counts the words that are around both. Half of them are enough. Less is enough
/// - for opposites: two words, one of them directly beside both;
/// - for units of the same number: one word, a number with two digits, or a unit that no reference has;
/// - for a day or month that no reference has: the day's number before both, or one word if it is the only
///   day or month of the excerpt.
[[nodiscard]] bool has_same_subject(const text_pair& texts, std::size_t i, std::size_t j,
                                    const context& around) noexcept {
  if (around.half()) return true;
  const contradiction_rule rule = texts.claim[i].member.rule;
  if (rule == contradiction_rule::antonym)
    return around.found > 1 && (same_beside(texts, i, j, -1) || same_beside(texts, i, j, 1));
  const bool nowhere = (mask_of(texts.claim[i]) & texts.nowhere) != 0;
  if (rule == contradiction_rule::unit) {
    const text_word* const count = count_of(texts.claim, i);
    return count != nullptr && (around.found > 0 || nowhere || count->value.digits >= two_digits);
  }
  const bool day = rule == contradiction_rule::month || rule == contradiction_rule::weekday;
  if (!day || !nowhere) return false;
  const std::size_t before = next_to(texts.claim, i, -1, 1);
  if (before < texts.claim.size() && texts.claim[before].is_number && same_beside(texts, i, j, -1))
    return true;  // `30 May`
  if (around.found == 0) return false;
  return std::ranges::count_if(texts.excerpt, [&](const text_word& each) {
           return each.member.class_id == texts.claim[i].member.class_id;
         }) == 1;
}

/// Returns true if a reference has word \p i of the claim, which may be there for something else. For a
/// unit after a number of two digits that is unlikely.
[[nodiscard]] bool is_elsewhere(const text_pair& texts, std::size_t i) noexcept {
  const text_word* const count =
      texts.claim[i].member.rule == contradiction_rule::unit ? count_of(texts.claim, i) : nullptr;
  const bool distinct = count != nullptr && count->value.digits >= two_digits;
  return !distinct && (mask_of(texts.claim[i]) & ~texts.nowhere) != 0;
}

/// Returns true if only one text has a limiter such as `only` before the word, and the next content words
/// differ: "only opens at 8" and "closed at 7".
[[nodiscard]] bool is_limited(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  return texts.claim[i].limited != texts.excerpt[j].limited && !same_beside(texts, i, j, 1);
}

/// Returns true if word \p i is about the limit of a number that has the same limit in the excerpt: "30
/// days or more" and "at least 30 days".
[[nodiscard]] bool has_same_limit(const text_pair& texts, std::size_t i) noexcept {
  constexpr std::size_t reach = 4;  // words
  if (texts.claim[i].rounds == rounding::none) return false;
  for (std::size_t k = first_near(i, reach); k < texts.claim.size() && k <= i + reach; ++k) {
    const bound limit = is_known_number(texts.claim[k]) ? bound_at(texts.claim, k) : bound::none;
    if (limit == bound::none) continue;
    for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
      if (texts.excerpt[j].word == texts.claim[k].word && bound_at(texts.excerpt, j) == limit) return true;
    }
  }
  return false;
}

/// Returns true if the opposites \p i of the claim and \p j of the excerpt say the same, because what is
/// before the one is after the other: "A bought it from B" and "B sold it to A", "planned was less" and
/// "more than planned".
[[nodiscard]] bool is_converse(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (!is_plain_antonym(texts.claim[i]) && texts.claim[i].member.kind != class_kind::transfer) return false;
  sides claimed = wide_sides_of(texts.claim, i);
  for (const text_word& each : texts.claim) {  // a year may be on either side: "In 2015 the club sold it"
    if (!each.is_number || each.value.kind != number_kind::year) continue;
    claimed.left &= ~mask_of(each);
    claimed.right &= ~mask_of(each);
  }
  const bool compares = j + 1 < texts.excerpt.size() && is_than(texts.excerpt, j + 1);
  if (compares && claimed.right == 0 && (wide_sides_of(texts.excerpt, j + 1).right & claimed.left) != 0)
    return true;
  return exchanged(claimed, wide_sides_of(texts.excerpt, j));
}

/// Returns true if the clause of word \p j of the excerpt has a percentage of the claim with a minus sign:
/// "shrank by 3 %" and "growth was -3 %".
[[nodiscard]] bool has_minus(const text_pair& texts, std::size_t j) noexcept {
  return std::ranges::any_of(clause_at(texts.excerpt, j), [&](const text_word& found) {
    return found.value.kind == number_kind::percent && found.value.negative &&
           std::ranges::any_of(texts.claim, [&](const text_word& claimed) {
             return claimed.word == found.word && !claimed.value.negative;
           });
  });
}

/// Returns true if `closed` at \p i and `open` at \p j, or the reverse, are at other times: one ends when
/// the other begins ("closes at 6", "open until 6").
[[nodiscard]] bool opens_at_other_time(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (texts.claim[i].member.kind != class_kind::opening) return false;
  for (std::size_t m = 0; m < texts.claim.size(); ++m) {
    if (!texts.claim[m].is_number || texts.claim[m].clause != texts.claim[i].clause) continue;
    for (std::size_t k = 0; k < texts.excerpt.size(); ++k) {
      if (same_value(texts.claim[m], texts.excerpt[k]) &&
          texts.excerpt[k].clause == texts.excerpt[j].clause &&
          is_end(texts.claim, m) != is_end(texts.excerpt, k))
        return true;
    }
  }
  return false;
}

/// Returns true if claim and excerpt may both be right although word \p j of the excerpt says something
/// else than word \p i of the claim: one is an exception, another case, or the same from the other side.
[[nodiscard]] bool may_both_be(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const contradiction_rule rule = texts.claim[i].member.rule;
  if (is_exception(texts, j) || is_converse(texts, i, j) || has_minus(texts, j)) return true;
  if (is_lessened(texts.claim, i) != is_lessened(texts.excerpt, j))
    return true;  // "less difficult" and "easier"
  const class_kind kind = texts.claim[i].member.kind;
  if (kind == class_kind::transfer && (is_passive(texts.claim, i) || is_passive(texts.excerpt, j)))
    return true;
  if (!opposes(rule))
    return is_elsewhere(texts, i) || (is_cyclic(rule) && in_range(texts.excerpt, texts.claim[i]));
  if (is_other_case(texts, i, j) || is_limited(texts, i, j) || has_same_limit(texts, i) ||
      opens_at_other_time(texts, i, j))
    return true;
  // "It may only be used if" is "it must be used only if".
  if (kind == class_kind::modal && (texts.claim[i].limited || texts.excerpt[j].limited)) return true;
  // "It must not be used without" is "it may be used with".
  const bool modal =
      kind == class_kind::modal || (rule == contradiction_rule::antonym && texts.claim[i].stop);
  return modal && negates_clause(texts.claim, i) != negates_clause(texts.excerpt, j);
}

/// Finds another member of the class of word \p i in the excerpt: `fell` for `rose`, `April` for `March`.
/// Of several, the one with most of the claim's words around it counts.
///
/// If the excerpt has the claim's own member, too, nothing is found, except for an opposite or a quantity
/// that has all of the claim's words around it while the own member has none, or that has them in its
/// clause (has_all()) while no own member has. A day, month, place or rank that any reference has is left
/// to clause_rules.cpp.
void find_other_member(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const class_member& claimed = texts.claim[i].member;
  context best;
  bool own = false;        // the excerpt has the claim's own member
  bool near_own = false;   // a word around it is around the claim's member, too
  std::size_t agreed = 0;  // the context of an opposite that is negated: `not open` for `closed`
  std::size_t place = texts.excerpt.size();
  for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
    if (texts.excerpt[j].member.class_id != claimed.class_id || !has_class(texts.excerpt, j)) continue;
    if (claimed.rule == contradiction_rule::unit && !same_count(texts.claim, i, texts.excerpt, j)) continue;
    const context found = context_at(texts, i, j);
    const bool other = differs(texts, i, j);
    if (!other && claimed.is_same(texts.excerpt[j].member)) {
      if (!opposes(claimed.rule) || next_to(texts.excerpt, j, -1) == texts.excerpt.size() ||
          has_all(texts, i, j))
        return;
      own = true;
      near_own = near_own || found.found > 0;
    }
    if (is_reversed(texts, i, j) && claimed.excludes(texts.excerpt[j].member))
      agreed = std::max(agreed, found.found + 1);
    if (!other || (place < texts.excerpt.size() && found.found <= best.found)) continue;
    best = found;
    place = j;
  }
  if (place == texts.excerpt.size() || agreed > best.found) return;
  if (own && !(near_own ? has_all(texts, i, place) : best.found == best.all)) return;
  if (has_same_subject(texts, i, place, best) && !may_both_be(texts, i, place))
    add(claimed.rule, i, place, out);
}

}  // namespace

void find_class_conflicts(const text_pair& texts, bool reversed, std::vector<conflict>& out) {
  for (std::size_t i = 0; i < texts.claim.size(); ++i) {
    const contradiction_rule rule = texts.claim[i].member.rule;
    if (!has_class(texts.claim, i) || rule == contradiction_rule::direction) continue;
    if (reversed && rule == contradiction_rule::antonym) continue;
    find_other_member(texts, i, out);
  }
  for (std::size_t i = 0; i < texts.claim.size(); ++i) {
    if (directs(texts.claim, i) && texts.claim[i + 1].word != no_word) find_direction(texts, i, out);
  }
}

}  // namespace citestream::check_detail

// What the words of two texts have to do with one another.
//
// Words are compared in clauses: what is beside a word in its clause, which values (numbers, months, days,
// places, ranks) the clause has, and whether it negates. Two clauses are about another case if they have
// different values where each has some, if only one is a condition, or if they are about different sides of a
// limit. Then one does not contradict the other. Cost: linear in the words for each call.
#include "check/text_pair.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

namespace citestream::check_detail {
namespace {

/// Returns the limit that a word such as `maximum` or `least` names.
[[nodiscard]] bound named_bound(const word_sense& of) noexcept {
  return of.member.index == members::up ? bound::most : bound::least;
}

/// Returns what word \p k says about the number \p i after it.
[[nodiscard]] bound bound_before(word_list text, std::size_t k, std::size_t i) noexcept {
  const text_word& limit = text[k];
  if (limit.role == word_role::bound) return named_bound(limit);
  const text_word* const before = k > 0 ? &text[k - 1] : nullptr;
  const bool up =
      before != nullptr && before->stop && is_plain_antonym(*before) && before->member.index == members::up;
  if (is_until(limit) || (up && is_to(limit))) return bound::most;
  if (limit.rounds != rounding::beyond && limit.rounds != rounding::below) return bound::none;
  const bool beyond = limit.rounds == rounding::beyond;
  // The French "au moins 5" and "moins de 5" are on different sides of it.
  const bool closest = limit.role == word_role::comparative &&
                       (k + 1 == i || (before != nullptr && before->role == word_role::until));
  constexpr std::size_t reach = 4;  // words: "must not weigh more than"
  const bool negated =
      limit.negated || (limit.role == word_role::comparative &&  // not in "no entry under 6"
                        std::ranges::any_of(words_before(text, k, reach), &text_word::negator));
  return beyond != (negated || closest) ? bound::least : bound::most;
}

/// Returns true if the texts are about different sides of a number: "open until 7" and "not open after 7".
[[nodiscard]] bool is_outside(const text_pair& texts) noexcept {
  for (std::size_t i = 0; i < texts.claim.size(); ++i) {
    if (!is_known_number(texts.claim[i])) continue;
    const text_word* const claimed = limit_word_before(texts.claim, i);
    if (claimed == nullptr || !is_plain_antonym(*claimed)) continue;
    bool other = false;
    bool same = false;
    for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
      if (texts.excerpt[j].word != texts.claim[i].word) continue;
      const text_word* const found = limit_word_before(texts.excerpt, j);
      const bool differs = found != nullptr && !claimed->member.is_same(found->member);
      (differs ? other : same) = true;
    }
    if (other && !same) return true;
  }
  return false;
}

/// Returns true if the claim has words of the consequence of the condition with word \p j of the excerpt: of
/// the next clause of its sentence, or of the previous one if it is the last. No later clause may have more
/// of them.
[[nodiscard]] bool has_consequence(const text_pair& texts, std::size_t j) noexcept {
  const std::size_t clause = texts.excerpt[j].clause;
  const std::size_t last = sentence_at(texts.excerpt, j).back().clause;
  const auto words_in = [&](std::size_t of) { return std::popcount(texts.clauses[of % max_clauses]); };
  if (last == clause) return clause == 0 || words_in(clause - 1) > 0;
  const int known = words_in(clause + 1);
  for (std::size_t of = clause + 2; of <= last; ++of) {
    if (words_in(of) > known) return false;
  }
  return known > 0;
}

/// Returns true if the excerpt says both words of the claim at once: "on Friday and Monday".
[[nodiscard]] bool joins(word_list excerpt, std::uint32_t one, std::uint32_t other) noexcept {
  for (std::size_t j = 0; j < excerpt.size(); ++j) {
    if (excerpt[j].word != one && excerpt[j].word != other) continue;
    bool joint = false;
    std::size_t k = j + 1;
    for (; k < excerpt.size() && excerpt[k].word == no_word && excerpt[k].stop; ++k) {
      const word_role role = excerpt[k].role;
      joint = joint || role == word_role::conjunction || role == word_role::alternative;
    }
    if (joint && k < excerpt.size() && excerpt[k].word == (excerpt[j].word == one ? other : one)) return true;
  }
  return false;
}

}  // namespace

word_list sentence_before(word_list text, std::size_t i) noexcept {
  const std::size_t first = i - words_before(text, i, all_words, in_sentence).size();
  const bool adjoins = first > 0 && text[first - 1].sentence + 1 == text[i].sentence;
  return adjoins ? sentence_at(text, first - 1) : word_list{};
}

std::size_t next_to(word_list text, std::size_t at, int step, std::size_t reach) noexcept {
  for (std::size_t k = at; reach > 0; --reach) {
    if (step < 0 ? k == 0 : k + 1 >= text.size()) break;
    k = step < 0 ? k - 1 : k + 1;
    if (text[k].clause != text[at].clause) break;
    if (!text[k].stop) return k;
  }
  return text.size();
}

std::uint32_t noun_after(word_list text, std::size_t i, std::size_t reach) noexcept {
  std::size_t next = next_to(text, i, 1, reach);
  const bool range = next == i + 2 && next < text.size() && text[next].is_number && !text[next].in_table;
  if (range) next = next_to(text, next, 1, reach);
  const bool other = next == text.size() || text[next].is_number || text[next].column != text[i].column;
  return other ? no_word : text[next].word;
}

word_mask statement_about(word_list claim, std::size_t i) noexcept {
  const word_list sentence = sentence_at(claim, i);
  const word_list context = sentence_before(claim, i);
  word_mask rivals = mask_of(claim[i]);
  bool alone = true;
  std::size_t before = 0;  // words of other clauses after the last value
  for (const text_word& each : sentence) {
    const bool near = each.clause == claim[i].clause;
    const bool rival = is_value(each) && different_value(claim[i], each);
    if (rival) rivals |= mask_of(each);
    before += each.stop || each.is_number ? 0U : 1U;
    if (!near && (rival || (each.is_number && before > 1))) alone = false;
    if (near || is_value(each)) before = 0;
  }
  const word_mask of_context = std::ranges::any_of(context, is_value) ? 0 : mask_of(context);
  return (of_context | mask_of(alone ? sentence : clause_at(claim, i))) & ~rivals;
}

bool negates_clause(word_list text, std::size_t at) noexcept {
  bool open = false;  // a negator after which nothing is negated yet
  for (const text_word& each : clause_at(text, at)) {
    if (each.negator && each.role != word_role::lacking) {
      open = true;
    } else if (!each.stop) {
      if (open && !each.is_number && each.rounds == rounding::none) return true;
      open = false;
    }
  }
  return open;
}

bool is_day(word_list text, std::size_t i) noexcept {
  return is_count(text[i]) && (std::ranges::any_of(words_before(text, i, 1), is_month) ||
                               std::ranges::any_of(words_after(text, i, 2), is_month));
}

const text_word* limit_word_before(word_list text, std::size_t i) noexcept {
  std::size_t left = 2;  // words
  for (const text_word& each : words_before(text, i) | std::views::reverse) {
    if (left == 0) break;
    if (is_direction(each) || is_to(each) || (is_plain_antonym(each) && each.stop)) return &each;
    left -= each.is_number ? 0U : 1U;
  }
  return nullptr;
}

bound bound_at(word_list text, std::size_t i) noexcept {
  constexpr std::size_t before = 3;  // words
  constexpr std::size_t after = 8;
  for (std::size_t k = i; k > first_near(i, before) && text[k - 1].sentence == text[i].sentence;) {
    if (text[--k].is_number) break;
    if (text[k].clause != text[i].clause && text[k].role != word_role::bound) continue;
    if (const bound found = bound_before(text, k, i); found != bound::none) return found;
  }
  bool either = false;  // after `or`: "5 or a later version"
  for (const text_word& each : words_after(text, i, after)) {
    if (each.is_number) break;
    if (each.role == word_role::bound) return named_bound(each);
    either = either || each.role == word_role::alternative;
    if (either && each.rounds == rounding::beyond) return bound::least;
    if (either && each.rounds == rounding::below) return bound::most;
  }
  return bound::none;
}

void text_pair::assign(const text_words& of_claim, const text_words& of_excerpt, language of_both) noexcept {
  in = of_both;
  claim = of_claim.words;
  excerpt = of_excerpt.words;
  claim_negates = of_claim.negates;
  excerpt_negates = of_excerpt.negates;
  nowhere = 0;
  clauses.fill(0);
  for (const text_word& each : excerpt) clauses[each.clause % max_clauses] |= mask_of(each);
}

bool belong_together(word_list claim, const text_word& one, const text_word& other) noexcept {
  if (one.clause == other.clause) return true;
  if (one.sentence != other.sentence) return false;
  constexpr std::ptrdiff_t most = 2;  // content words
  const auto first = std::min(one.clause, other.clause);
  return most >= std::ranges::count_if(claim, [&](const text_word& each) {
           return each.clause == first && (each.is_number || !each.stop);
         });
}

bool has_different_frame(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const auto frames = [](const text_word& each) {
    return each.is_number ? each.value.kind == number_kind::year : is_value(each);
  };
  const text_word& about = texts.claim[i];
  bool other = false;
  for (const text_word& claimed : texts.claim) {
    if (&claimed == &about || !frames(claimed) || !belong_together(texts.claim, about, claimed)) continue;
    for (const text_word& found : clause_at(texts.excerpt, j) | std::views::filter(frames)) {
      if (same_value(claimed, found)) return false;
      other = other ||
              (different_value(claimed, found) && (claimed.is_number || !in_range(texts.excerpt, claimed)));
    }
  }
  return other;
}

bool has_different_number(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const word_list there = clause_at(texts.excerpt, j);
  const auto same = [](const text_word& a, const text_word& b) {
    return a.is_number && same_value(a, b) && a.value.kind == b.value.kind;
  };
  const auto belongs = [&](const text_word& each) {
    return each.is_number && belong_together(texts.claim, texts.claim[i], each);
  };
  const auto only_claimed = [&](const text_word& claimed) {
    return belongs(claimed) &&
           std::ranges::none_of(there, [&](const text_word& found) { return same(claimed, found); });
  };
  const auto only_there = [&](const text_word& found) {
    return found.is_number && std::ranges::none_of(texts.claim, [&](const text_word& claimed) {
             return same(claimed, found) && belongs(claimed);
           });
  };
  return std::ranges::any_of(texts.claim, only_claimed) && std::ranges::any_of(there, only_there);
}

bool is_other_case(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (texts.claim[i].conditional && !texts.excerpt[j].conditional) return true;
  if (texts.excerpt[j].conditional && !has_consequence(texts, j)) return true;
  return has_different_frame(texts, i, j) || has_different_number(texts, i, j) ||
         (!texts.claim[i].stop && is_outside(texts));
}

bool is_contrasted(const text_pair& texts, std::size_t i) noexcept {
  constexpr std::size_t longest = 5;  // words
  const word_list claim = texts.claim;
  const std::size_t first = i - words_before(claim, i).size();
  if (!claim[first].contrasts || clause_at(claim, i).size() > longest || first == 0) return false;
  const word_list before = clause_at(claim, first - 1);
  if (before.back().conditional || before.front().role == word_role::preposition) return false;
  for (const text_word& each : before | std::views::reverse) {
    if (each.word == no_word) continue;
    const auto agrees = [&](const text_word& found) { return found.word == each.word && !found.negated; };
    return !each.negated && std::ranges::any_of(texts.excerpt, agrees) &&
           !joins(texts.excerpt, each.word, claim[i].word);
  }
  return false;
}

bool is_opposite(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (negates_clause(texts.claim, i) != (negates_clause(texts.excerpt, j) || texts.excerpt[j].excepted))
    return true;
  const word_list there = clause_at(texts.excerpt, j);
  return std::ranges::any_of(clause_at(texts.claim, i),
                             [&](const text_word& each) { return has_only_opposite(there, each); });
}

bool in_range(word_list excerpt, const text_word& claimed) noexcept {
  const class_member& wanted = claimed.member;
  for (std::size_t j = 0; j + 1 < excerpt.size(); ++j) {
    const std::size_t last = is_to(excerpt[j + 1]) ? j + 2 : j + 1;  // nothing is between them in `Mon-Fri`
    if (last >= excerpt.size() || excerpt[last].clause != excerpt[j].clause) continue;
    const class_member& first = excerpt[j].member;
    const class_member& end = excerpt[last].member;
    if (first.class_id != wanted.class_id || end.class_id != wanted.class_id) continue;
    const bool begun = wanted.index >= first.index;
    const bool open = wanted.index <= end.index;
    if (first.index <= end.index ? begun && open : begun || open) return true;
  }
  return false;
}

bool has_only_opposite(word_list words, const text_word& claimed) noexcept {
  if (!is_antonym(claimed)) return false;
  const class_member& own = claimed.member;
  bool opposite = false;
  for (const text_word& each : words) {
    if (own.class_id != each.member.class_id) continue;
    if (own.is_same(each.member)) return false;
    opposite = opposite || each.word == no_word;  // not if the claim has both
  }
  return opposite;
}

}  // namespace citestream::check_detail

// What the words of two texts have to do with one another.
//
// Words are compared in clauses: what is beside a word in its clause, which values (numbers, months, days,
// places, ranks) the clause has, and whether it negates. Two clauses are about another case if they have
// different values where each has some, if only one is a condition, or if they are about different sides of a
// limit. Then one does not contradict the other. Cost: linear in the words for each call.
#include "check/text_pair.hpp"

#include <algorithm>
#include <bit>

namespace citestream::check_detail {
namespace {

/// Returns the limit that a word such as `maximum` or `least` names.
[[nodiscard]] bound named_bound(const word_sense& sense) noexcept {
  return sense.contrast.member == 0 ? bound::most : bound::least;
}

/// Returns what word \p k says about the number \p i after it.
[[nodiscard]] bound bound_before(word_list text, std::size_t k, std::size_t i) noexcept {
  const word_sense& sense = text[k].sense;
  if (sense.role == word_role::bound) return named_bound(sense);
  const word_sense before = k > 0 ? text[k - 1].sense : word_sense{};
  const bool up =
      before.stop && before.contrast.rule == contrast_rule::antonym && before.contrast.member == 0;
  // The French "au" is also part of other words.
  const bool until = sense.role == word_role::until && text[k].end - text[k].begin > 2;
  if (until || (up && is_to(text[k]))) return bound::most;
  if (sense.rounds != rounding::beyond && sense.rounds != rounding::below) return bound::none;
  const bool beyond = sense.rounds == rounding::beyond;
  // The French "au moins 5" and "moins de 5" are on different sides of it.
  const bool closest =
      sense.role == word_role::comparative && (k + 1 == i || before.role == word_role::until);
  constexpr std::size_t reach = 4;  // words: "must not weigh more than"
  bool negated = text[k].negated;
  if (sense.role == word_role::comparative) {  // not in "no entry for children under 6"
    for (std::size_t n = first_near(k, reach); n < k; ++n)
      negated = negated || (text[n].negator && text[n].clause == text[k].clause);
  }
  return beyond != (negated || closest) ? bound::least : bound::most;
}

/// Returns true if the texts are about different sides of a number: "open until 7" and "not open after 7".
[[nodiscard]] bool is_outside(const text_pair& texts) noexcept {
  for (std::size_t i = 0; i < texts.claim.size(); ++i) {
    if (!texts.claim[i].is_number || texts.claim[i].word == no_word) continue;
    const text_word* const mine = side_of(texts.claim, i);
    if (mine == nullptr || mine->sense.contrast.rule != contrast_rule::antonym) continue;
    bool other = false;
    bool same = false;
    for (std::size_t j = 0; j < texts.evidence.size(); ++j) {
      if (texts.evidence[j].word != texts.claim[i].word) continue;
      const text_word* const its = side_of(texts.evidence, j);
      const bool differs = its != nullptr && !mine->sense.contrast.is_same(its->sense.contrast);
      (differs ? other : same) = true;
    }
    if (other && !same) return true;
  }
  return false;
}

/// Returns true if the claim has words of the consequence of the condition with word \p j of the evidence: of
/// the next clause of its sentence, or of the previous one if it is the last. No later clause may have more
/// of them.
[[nodiscard]] bool has_consequence(const text_pair& texts, std::size_t j) noexcept {
  const auto clause = texts.evidence[j].clause;
  const auto words_in = [&](std::size_t of) {
    return std::popcount(texts.clauses[of % texts.clauses.size()]);
  };
  std::size_t last = clause;
  for (const text_word& each : texts.evidence) {
    if (each.sentence == texts.evidence[j].sentence) last = std::max<std::size_t>(last, each.clause);
  }
  if (last == clause) return clause == 0 || words_in(clause - 1U) > 0;
  const int known = words_in(clause + 1U);
  for (std::size_t of = clause + 2U; of <= last; ++of) {
    if (words_in(of) > known) return false;
  }
  return known > 0;
}

/// Returns true if the evidence says both words of the claim at once: "on Friday and Monday".
[[nodiscard]] bool joins(word_list evidence, std::uint32_t one, std::uint32_t other) noexcept {
  for (std::size_t j = 0; j < evidence.size(); ++j) {
    if (evidence[j].word != one && evidence[j].word != other) continue;
    bool joint = false;
    std::size_t k = j + 1;
    for (; k < evidence.size() && evidence[k].word == no_word && evidence[k].sense.stop; ++k) {
      const word_role role = evidence[k].sense.role;
      joint = joint || role == word_role::conjunction || role == word_role::alternative;
    }
    if (joint && k < evidence.size() && evidence[k].word == (evidence[j].word == one ? other : one))
      return true;
  }
  return false;
}

}  // namespace

std::size_t next_to(word_list text, std::size_t at, int step, std::size_t reach) noexcept {
  for (std::size_t k = at; reach > 0; --reach) {
    if (step < 0 ? k == 0 : k + 1 >= text.size()) break;
    k = step < 0 ? k - 1 : k + 1;
    if (text[k].clause != text[at].clause) break;
    if (!text[k].sense.stop) return k;
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

word_mask said_of(word_list claim, std::size_t i) noexcept {
  word_mask context = 0;
  word_mask sentence = 0;
  word_mask clause = 0;
  word_mask rivals = mask_of(claim[i]);
  bool has_context = true;
  bool alone = true;
  std::size_t before = 0;  // words of other clauses after the last value
  for (std::size_t k = 0; k < claim.size(); ++k) {
    if (claim[k].sentence + 1 == claim[i].sentence) {
      context |= mask_of(claim[k]);
      has_context = has_context && !is_value(claim, k);
    }
    if (claim[k].sentence != claim[i].sentence) continue;
    before += claim[k].sense.stop || claim[k].is_number ? 0U : 1U;
    if (claim[k].clause == claim[i].clause) before = 0;
    sentence |= mask_of(claim[k]);
    if (claim[k].clause == claim[i].clause) clause |= mask_of(claim[k]);
    if (!is_value(claim, k)) continue;
    const bool rival = other_value(claim[i], claim[k]);
    if (rival) rivals |= mask_of(claim[k]);
    if (claim[k].clause == claim[i].clause) continue;
    if (rival || (claim[k].is_number && before > 1)) alone = false;
    before = 0;
  }
  return ((has_context ? context : 0) | (alone ? sentence : clause)) & ~rivals;
}

bool negates_clause(word_list text, std::size_t at) noexcept {
  bool open = false;  // a negator after which nothing is negated yet
  for (const text_word& each : text) {
    if (each.clause != text[at].clause) continue;
    if (each.negator && each.sense.role != word_role::lacking) {
      open = true;
    } else if (!each.sense.stop) {
      if (open && !each.is_number && each.sense.rounds == rounding::none) return true;
      open = false;
    }
  }
  return open;
}

bool is_day(word_list text, std::size_t i) noexcept {
  if (!is_count(text[i])) return false;
  const auto is_month = [&](std::size_t k) {
    return k < text.size() && text[k].clause == text[i].clause && rule_at(text, k) == contrast_rule::month;
  };
  return is_month(i + 1) || is_month(i + 2) || (i > 0 && is_month(i - 1));
}

const text_word* side_of(word_list text, std::size_t i) noexcept {
  std::size_t left = 2;  // words
  for (std::size_t k = i; k > 0 && left > 0 && text[k - 1].clause == text[i].clause;) {
    const text_word& each = text[--k];
    const contrast_rule rule = each.sense.contrast.rule;
    const bool side = rule == contrast_rule::direction || (rule == contrast_rule::antonym && each.sense.stop);
    if (side || is_to(each)) return &each;
    left -= each.is_number ? 0U : 1U;
  }
  return nullptr;
}

bound bound_at(word_list text, std::size_t i) noexcept {
  constexpr std::size_t before = 3;  // words
  constexpr std::size_t after = 8;
  for (std::size_t k = i; k > first_near(i, before) && text[k - 1].sentence == text[i].sentence;) {
    if (text[--k].is_number) break;
    if (text[k].clause != text[i].clause && text[k].sense.role != word_role::bound) continue;
    if (const bound found = bound_before(text, k, i); found != bound::none) return found;
  }
  bool either = false;  // after `or`: "5 or a later version"
  for (std::size_t k = i + 1; k < text.size() && k <= i + after && text[k].clause == text[i].clause; ++k) {
    const word_sense& sense = text[k].sense;
    if (text[k].is_number) break;
    if (sense.role == word_role::bound) return named_bound(sense);
    either = either || sense.role == word_role::alternative;
    if (either && sense.rounds == rounding::beyond) return bound::least;
    if (either && sense.rounds == rounding::below) return bound::most;
  }
  return bound::none;
}

void text_pair::assign(const text_words& of_claim, const text_words& of_evidence) noexcept {
  claim = of_claim.words;
  evidence = of_evidence.words;
  claim_negates = of_claim.negates;
  evidence_negates = of_evidence.negates;
  nowhere = 0;
  clauses.fill(0);
  for (const text_word& each : evidence) clauses[each.clause % clauses.size()] |= mask_of(each);
}

bool belongs_to(const text_pair& texts, std::size_t i, std::size_t k) noexcept {
  if (texts.claim[k].clause == texts.claim[i].clause) return true;
  if (texts.claim[k].sentence != texts.claim[i].sentence) return false;
  constexpr std::ptrdiff_t most = 2;  // content words
  const auto first = std::min(texts.claim[i].clause, texts.claim[k].clause);
  return most >= std::ranges::count_if(texts.claim, [&](const text_word& each) {
           return each.clause == first && (each.is_number || !each.sense.stop);
         });
}

bool has_other_frame(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const auto frames = [](word_list text, std::size_t at) {
    return text[at].is_number ? text[at].value.kind == number_kind::year : is_value(text, at);
  };
  bool other = false;
  for (std::size_t m = 0; m < texts.claim.size(); ++m) {
    if (m == i || !frames(texts.claim, m) || !belongs_to(texts, i, m)) continue;
    for (std::size_t k = 0; k < texts.evidence.size(); ++k) {
      if (texts.evidence[k].clause != texts.evidence[j].clause || !frames(texts.evidence, k)) continue;
      if (same_value(texts.claim[m], texts.evidence[k])) return false;
      other = other || (other_value(texts.claim[m], texts.evidence[k]) &&
                        (texts.claim[m].is_number || !in_range(texts, m)));
    }
  }
  return other;
}

bool has_other_number(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const auto same = [](const text_word& a, const text_word& b) {
    return b.is_number && same_value(a, b) && a.value.kind == b.value.kind;
  };
  bool mine = false;
  for (std::size_t k = 0; k < texts.claim.size() && !mine; ++k) {
    mine = texts.claim[k].is_number && belongs_to(texts, i, k) &&
           std::ranges::none_of(texts.evidence, [&](const text_word& each) {
             return each.clause == texts.evidence[j].clause && same(texts.claim[k], each);
           });
  }
  return mine && std::ranges::any_of(texts.evidence, [&](const text_word& its) {
           return its.is_number && its.clause == texts.evidence[j].clause &&
                  std::ranges::none_of(texts.claim, [&](const text_word& each) {
                    return same(its, each) &&
                           belongs_to(texts, i, static_cast<std::size_t>(&each - texts.claim.data()));
                  });
         });
}

bool is_other_case(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (texts.claim[i].conditional && !texts.evidence[j].conditional) return true;
  if (texts.evidence[j].conditional && !has_consequence(texts, j)) return true;
  return has_other_frame(texts, i, j) || has_other_number(texts, i, j) ||
         (!texts.claim[i].sense.stop && is_outside(texts));
}

bool is_contrasted(const text_pair& texts, std::size_t i) noexcept {
  constexpr std::size_t longest = 5;  // words
  const word_list claim = texts.claim;
  const std::size_t first = first_of_clause(claim, i);
  const bool is_short = first + longest >= claim.size() || claim[first + longest].clause != claim[i].clause;
  if (!claim[first].contrasts || !is_short || first == 0) return false;
  const std::size_t begin = first_of_clause(claim, first - 1);  // of the clause before
  if (claim[first - 1].conditional || claim[begin].sense.role == word_role::preposition) return false;
  for (std::size_t k = first; k > begin; --k) {
    const text_word& before = claim[k - 1];
    if (before.word == no_word) continue;
    const auto agrees = [&](const text_word& its) { return its.word == before.word && !its.negated; };
    return !before.negated && std::ranges::any_of(texts.evidence, agrees) &&
           !joins(texts.evidence, before.word, claim[i].word);
  }
  return false;
}

bool is_opposite(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (negates_clause(texts.claim, i) != (negates_clause(texts.evidence, j) || texts.evidence[j].excepted))
    return true;
  const auto there = [&](const text_word& each) { return each.clause == texts.evidence[j].clause; };
  for (std::size_t k = 0; k < texts.claim.size(); ++k) {
    if (texts.claim[k].clause == texts.claim[i].clause && has_only_opposite(texts, k, there)) return true;
  }
  return false;
}

bool in_range(const text_pair& texts, std::size_t i) noexcept {
  for (std::size_t j = 0; j + 1 < texts.evidence.size(); ++j) {
    if (texts.evidence[j].sense.contrast.kind != texts.claim[i].sense.contrast.kind) continue;
    const std::size_t last =
        is_to(texts.evidence[j + 1]) ? j + 2 : j + 1;  // nothing is between them in `Mon-Fri`
    if (last >= texts.evidence.size() ||
        texts.evidence[last].sense.contrast.kind != texts.claim[i].sense.contrast.kind ||
        texts.evidence[last].clause != texts.evidence[j].clause) {
      continue;
    }
    const std::uint8_t first = texts.evidence[j].sense.contrast.member;
    const std::uint8_t end = texts.evidence[last].sense.contrast.member;
    const std::uint8_t mine = texts.claim[i].sense.contrast.member;
    if (first <= end ? mine >= first && mine <= end : mine >= first || mine <= end) return true;
  }
  return false;
}

}  // namespace citestream::check_detail

// The rule about negations: see contradiction.cpp.
//
// Each content word of the claim is compared with each occurrence of the same word, or of a word with the
// same opposite, in the excerpt. There is a contradiction if only one of both is negated and nothing else
// explains it. An explanation is:
// - a negation somewhere in the sentence of the other, which may say the same in other words;
// - a word that undoes it (`removed`), or one such as `until` or `before`;
// - an exception, another case, a condition, another clause of the claim;
// - a limit after a negated verb: "never has more than one" and "has one";
// - something that need not be so.
// Of several occurrences, the one with most of the claim's words around it decides.
#include <algorithm>
#include <utility>

#include "check/contradiction.hpp"

namespace citestream::check_detail {
namespace {

/// Returns true if a sentence negates, forbids or limits something, other than by `without`.
[[nodiscard]] bool negates(word_list sentence) noexcept {
  bool after_negator = false;  // even if a limiter takes it back: "not only"
  for (const text_word& each : sentence) {
    const bool banned = each.member.kind == class_kind::ban && each.member.index == members::forbidden;
    const bool limits = each.role == word_role::limiter && !after_negator;
    if (banned || limits || (each.negator && each.role != word_role::lacking)) return true;
    after_negator = each.role == word_role::negator;
  }
  return false;
}

/// Returns true if a clause has a word for what is necessary (`must`) or permitted (`may`).
[[nodiscard]] bool has_modal(word_list clause, std::uint8_t modal) noexcept {
  return std::ranges::any_of(clause, [&](const text_word& each) {
    return each.member.kind == class_kind::modal && each.member.index == modal;
  });
}

/// Returns true if \p clause says what is necessary, and \p sentence of the other text what happens
/// otherwise: "bags must carry a label" and "bags that do not carry a label are rejected".
[[nodiscard]] bool is_sanctioned(word_list clause, word_list sentence) noexcept {
  if (!has_role(clause, word_role::obligation) && !has_modal(clause, members::must)) return false;
  return std::ranges::any_of(sentence,
                             [](const text_word& each) { return each.relative && each.word != no_word; });
}

/// Returns true if a word such as `removed` denies word \p at: it is before it in its clause with at most one
/// other content word between them, or passive and after it, or at the start of the next clause ("is old and
/// will be removed"). Not if \p other has that word, too: both texts may be about removed files.
[[nodiscard]] bool is_undone(word_list text, std::size_t at, word_list other) noexcept {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (k == at || text[k].role != word_role::undoing || text[k].sentence != text[at].sentence) continue;
    if (std::ranges::find(other, text[k].hash, &text_word::hash) != other.end()) continue;
    // Not is_passive(): "it was not removed" has the auxiliary elsewhere, "ist vom Umtausch ausgeschlossen"
    // anywhere.
    const bool last = words_after(text, k).empty();
    const bool passive = has_role(words_before(text, k, last ? all_words : 1), word_role::auxiliary);
    const bool before = k < at;
    const auto between = before ? text.subspan(k + 1, at - k - 1) : word_list{};
    const auto words = std::ranges::count_if(between, [](const text_word& each) { return !each.stop; });
    const bool governs = before ? words <= 1 : passive;
    if (governs && text[k].clause == text[at].clause) return true;
    if (text[k].clause == text[at].clause + 1 && passive && next_to(text, k, -1) == text.size()) return true;
  }
  return false;
}

/// Returns true if a sentence has `without`. With another negation it says what is necessary.
[[nodiscard]] bool lacks(word_list sentence) noexcept {
  return std::ranges::any_of(sentence, &text_word::lacked);
}

/// Returns true if \p clause has a word such as `until` before a word of \p other: "not until May" is "only
/// after May".
[[nodiscard]] bool begins_later(word_list clause, word_list other) noexcept {
  for (std::size_t k = 0; k < clause.size(); ++k) {
    if (!is_until(clause[k])) continue;
    const std::size_t next = next_to(clause, k, 1);
    const auto is_next = [&](const text_word& each) { return is_same(clause[next], each); };
    if (next < clause.size() && std::ranges::any_of(other, is_next)) return true;
  }
  return false;
}

/// Returns true if `before` is up to three words before word \p at: "wait before opening the door" is "do not
/// open the door".
[[nodiscard]] bool is_later(word_list text, std::size_t at) noexcept {
  constexpr std::size_t reach = 3;
  return std::ranges::any_of(words_before(text, at, reach), [](const text_word& each) {
    return each.member.kind == class_kind::sequence && each.member.index == members::before;
  });
}

/// Returns the number whose limit directly follows word \p at, without a preposition between them: "raise
/// more than one", "élèvent plus d'un", but not "open for more than one hour". Returns the size of \p text
/// if something else follows.
[[nodiscard]] std::size_t limited_number(word_list text, std::size_t at) noexcept {
  for (std::size_t k = at + 1; k < text.size() && text[k].clause == text[at].clause; ++k) {
    if (text[k].is_number || text[k].count == 1) return bound_at(text, k) != bound::none ? k : text.size();
    const bool of_limit = text[k - 1].role == word_role::comparative;  // the `d'` of `plus d'un`
    if (!text[k].stop || (text[k].role == word_role::preposition && !of_limit)) break;
  }
  return text.size();
}

/// Returns true if word \p m is only negated beyond a number that the clause of word \p k has, too: "never
/// raises more than one" and "raises one". Not if that clause has the same limit.
[[nodiscard]] bool is_within_limit(word_list negated, std::size_t m, word_list plain,
                                   std::size_t k) noexcept {
  const std::size_t at = limited_number(negated, m);
  if (at == negated.size() || limited_number(plain, k) != plain.size()) return false;
  const text_word& most = negated[at];
  return std::ranges::any_of(clause_at(plain, k), [&](const text_word& each) {
    return most.is_number ? each.is_number && each.hash == most.hash : each.count == 1;
  });
}

/// Returns true if no content word or number follows word \p at in its clause.
[[nodiscard]] bool is_last(word_list text, std::size_t at) noexcept {
  return next_to(text, at, 1) == text.size();
}

/// Returns true if a negator is before word \p at, with no content word between them.
[[nodiscard]] bool follows_negator(word_list text, std::size_t at) noexcept {
  for (std::size_t k = at; k > 0 && text[k - 1].stop;) {
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

/// Returns true if the words are the same, or opposites of the same words: `allowed`, `permitted`.
[[nodiscard]] bool means_same(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (texts.claim[i].word == texts.excerpt[j].word) return true;
  if (!is_antonym(texts.claim[i]) || !texts.claim[i].member.is_same(texts.excerpt[j].member)) return false;
  const word_list sentence = sentence_at(texts.excerpt, j);
  // `only` may exclude something else
  return !has_role(sentence, word_role::limiter) &&
         std::ranges::none_of(
             sentence, [&](const text_word& each) { return each.member.excludes(texts.claim[i].member); });
}

/// Returns true if the clause of a negated word says that something is not necessary, and the \p other one
/// that it is permitted: "need not be in ink" and "may be in ink".
[[nodiscard]] bool is_waived(const text_pair& texts, word_list negated, word_list other) noexcept {
  const bool need = has_role(negated, word_role::obligation) ||
                    (texts.in == language::german && has_modal(negated, members::must));
  return need && !has_role(other, word_role::obligation) && has_modal(other, members::may);
}

/// Returns true if one of the words is negated, and the sentence of the other negates nothing at all:
/// otherwise it may say the same in other words.
[[nodiscard]] bool only_one_negates(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const text_word& claimed = texts.claim[i];
  const text_word& found = texts.excerpt[j];
  if (claimed.negated == found.negated || claimed.excepted || is_contrasted(texts, i)) return false;
  // The text with the negated word at `m`, and the other one, with the word at `k`.
  const auto [negated, m] = claimed.negated ? std::pair(texts.claim, i) : std::pair(texts.excerpt, j);
  const auto [plain, k] = claimed.negated ? std::pair(texts.excerpt, j) : std::pair(texts.claim, i);
  if (!has_object(negated, m, claimed.negated ? texts.clause_of(found) : ~word_mask{0})) return false;
  if ((claimed.subject || found.subject) && !(is_last(negated, m) && is_last(plain, k))) return false;
  const word_list sentence = sentence_at(plain, k);
  if (negates(sentence) || is_undone(plain, k, negated)) return false;
  if (is_within_limit(negated, m, plain, k)) return false;
  const word_list clause = clause_at(negated, m);
  if (begins_later(clause, plain) || (is_later(plain, k) && !is_later(negated, m))) return false;
  if (is_sanctioned(clause, sentence) || is_sanctioned(clause_at(plain, k), sentence_at(negated, m)))
    return false;
  if (is_waived(texts, clause, clause_at(plain, k))) return false;
  // "comes with a charger" and "comes without a charger"
  return claimed.lacked || found.lacked ? same_beside(texts, i, j, -1)
                                        : lacks(sentence) == lacks(sentence_at(negated, m));
}

/// Returns true if the clause of word \p j of the excerpt has words of another clause of the claim, and
/// none that the clause of word \p i has besides it: "the frisket is original" does not deny "unlike the
/// frisket, the tympan is not original".
[[nodiscard]] bool is_of_other_clause(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const word_mask claimed = mask_of(clause_at(texts.claim, i)) & ~mask_of(texts.claim[i]);
  const word_mask found = texts.clause_of(j) & ~mask_of(texts.claim[i]);
  return claimed != 0 && found != 0 && (claimed & found) == 0;
}

/// Returns true if the first content word of the claim is only after the clause of word \p j in its
/// sentence: "the castle costs 9 euros, the park is free" does not say what the park costs.
[[nodiscard]] bool has_later_subject(const text_pair& texts, std::size_t j) noexcept {
  const auto subject = std::ranges::find_if(
      texts.claim, [](const text_word& each) { return each.word != no_word && !each.is_number; });
  if (subject == texts.claim.end()) return false;
  bool later = false;
  for (const text_word& each : sentence_at(texts.excerpt, j)) {
    if (each.word != subject->word) continue;
    if (each.clause <= texts.excerpt[j].clause) return false;
    later = true;
  }
  return later;
}

}  // namespace

void find_negation_conflicts(const text_pair& texts, std::vector<conflict>& out) {
  if (!texts.claim_negates && !texts.excerpt_negates) return;
  const bool both = texts.claim_negates && texts.excerpt_negates;
  for (std::size_t i = 0; i < texts.claim.size(); ++i) {
    if (texts.claim[i].word == no_word || texts.claim[i].is_number) continue;
    if (!both && texts.claim[i].negated != texts.claim_negates) continue;
    std::size_t most = 0;    // words around `place`
    std::size_t agreed = 0;  // one more than around a word that agrees
    std::size_t place = texts.excerpt.size();
    for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
      if (!means_same(texts, i, j)) continue;
      const context around = context_at(texts, i, j, texts.excerpt.size());
      if (!around.half() && around.all != 0) continue;
      if (!only_one_negates(texts, i, j)) {
        agreed = std::max(agreed, around.found + 1);
        continue;
      }
      if (place < texts.excerpt.size() && around.found <= most) continue;
      if (is_other_case(texts, i, j) || has_later_subject(texts, j) || is_of_other_clause(texts, i, j) ||
          is_expected(texts, j))
        continue;
      most = around.found;
      place = j;
    }
    if (place < texts.excerpt.size() && agreed <= most && !is_exception(texts, place))
      add(contradiction_rule::negation, i, place, out);
  }
}

}  // namespace citestream::check_detail

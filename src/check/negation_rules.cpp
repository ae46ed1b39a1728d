// The rule about negations: see contradiction.cpp.
//
// Each content word of the claim is compared with each occurrence of the same word, or of a word with the
// same opposite, in the evidence. There is a contradiction if only one of both is negated and nothing else
// explains it. An explanation is:
// - a negation somewhere in the sentence of the other, which may say the same in other words;
// - a word that undoes it (`removed`), or one such as `until` or `before`;
// - an exception, another case, a condition, another clause of the claim;
// - something that need not be so.
// Of several occurrences, the one with most of the claim's words around it decides.
#include <algorithm>

#include "check/contradiction_finder.hpp"

namespace citestream::check_detail {
namespace {

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

/// Returns true if the clause of word \p at has a word for what is necessary (\p member 0) or permitted (1).
[[nodiscard]] bool has_modal(word_list text, std::size_t at, std::uint8_t member) noexcept {
  return std::ranges::any_of(text, [&](const text_word& each) {
    return each.clause == text[at].clause && each.sense.contrast.rule == contrast_rule::quantity &&
           each.sense.contrast.member == member;
  });
}

/// Returns true if the clause of word \p at has `need` or `have to`.
[[nodiscard]] bool has_need(word_list text, std::size_t at) noexcept {
  return std::ranges::any_of(text, [&](const text_word& each) {
    return each.clause == text[at].clause && each.sense.role == word_role::obligation;
  });
}

/// Returns true if the clause of word \p at says what is necessary, and the sentence of word \p other_at what
/// happens otherwise: "bags must carry a label" and "bags that do not carry a label are rejected".
[[nodiscard]] bool is_sanctioned(word_list text, std::size_t at, word_list other,
                                 std::size_t other_at) noexcept {
  if (!has_need(text, at) && !has_modal(text, at, 0)) return false;
  return std::ranges::any_of(other, [&](const text_word& each) {
    return each.sentence == other[other_at].sentence && each.relative && each.word != no_word;
  });
}

/// Returns true if a word such as `removed` denies word \p at: it is before it in its clause with at most one
/// other content word between them, or passive and after it, or at the start of the next clause ("is old and
/// will be removed"). Not if \p other has that word, too: both texts may be about removed files.
[[nodiscard]] bool is_undone(word_list text, std::size_t at, word_list other) noexcept {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (k == at || text[k].sense.role != word_role::undoing || text[k].sentence != text[at].sentence)
      continue;
    if (std::ranges::find(other, text[k].hash, &text_word::hash) != other.end()) continue;
    const auto is_passive = [&](const text_word& each) {
      return each.clause == text[k].clause && each.sense.role == word_role::auxiliary;
    };
    const bool last =
        k + 1 == text.size() || text[k + 1].clause != text[k].clause;  // "ist vom Umtausch ausgeschlossen"
    const bool passive = last ? std::ranges::any_of(text, is_passive) : k > 0 && is_passive(text[k - 1]);
    const bool before = k < at;
    const auto between = before ? text.subspan(k + 1, at - k - 1) : word_list{};
    const auto words = std::ranges::count_if(between, [](const text_word& each) { return !each.sense.stop; });
    const bool governs = before ? words <= 1 : passive;
    if (governs && text[k].clause == text[at].clause) return true;
    if (text[k].clause == text[at].clause + 1 && passive && next_to(text, k, -1) == text.size()) return true;
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

/// Returns true if `before` is up to three words before word \p at: "wait before opening the door" is "do not
/// open the door".
[[nodiscard]] bool is_later(word_list text, std::size_t at, language in) noexcept {
  const lexicon& words = lexicon::shared();
  const contrast before = in == language::spanish  ? words.content_word("ant", in).contrast
                          : in == language::french ? words.function_word("avant", in).contrast
                          : in == language::german ? words.function_word("vor", in).contrast
                                                   : words.function_word("before", in).contrast;
  constexpr std::size_t reach = 3;
  return std::ranges::any_of(text.subspan(first_near(at, reach), at - first_near(at, reach)),
                             [&](const text_word& each) {
                               return each.clause == text[at].clause && each.sense.contrast.is_same(before);
                             });
}

/// Returns true if no content word or number follows word \p at in its clause.
[[nodiscard]] bool is_last(word_list text, std::size_t at) noexcept {
  return next_to(text, at, 1) == text.size();
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

/// Finds words that only one of claim and evidence negates.
class negation_finder : contradiction_finder {
 public:
  using contradiction_finder::contradiction_finder;

  /// Finds words that only one of claim and evidence negates. Of several in the evidence, the one with most
  /// of the claim's words around it counts. Nothing is found if one that agrees has as many around it.
  void run() {
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
        if (is_other_case(texts_, i, j) || has_later_subject(j) || is_of_other_clause(i, j) || is_expected(j))
          continue;
        most = around.found;
        place = j;
      }
      if (place < evidence_.size() && agreed <= most && !is_exception(place))
        add(contradiction_rule::negation, i, place);
    }
  }

 private:
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

  /// Returns true if one of the words is negated, and the sentence of the other negates nothing at all, so
  /// that it cannot say the same in other words.
  [[nodiscard]] bool only_one_negates(std::size_t i, std::size_t j) const noexcept {
    const text_word& mine = claim_[i];
    const text_word& its = evidence_[j];
    if (mine.negated == its.negated || mine.excepted || is_contrasted(texts_, i)) return false;
    if (mine.negated ? !has_object(claim_, i, texts_.clause_of(j)) : !has_object(evidence_, j, ~word_mask{0}))
      return false;
    if ((mine.subject || its.subject) && !(is_last(claim_, i) && is_last(evidence_, j))) return false;
    if (mine.negated ? sentence_negates(evidence_, j) : sentence_negates(claim_, i)) return false;
    if (mine.negated ? is_undone(evidence_, j, claim_) : is_undone(claim_, i, evidence_)) return false;
    if (mine.negated ? waits(claim_, i, evidence_) : waits(evidence_, j, claim_)) return false;
    const bool later = is_later(claim_, i, language_);
    if (later != is_later(evidence_, j, language_) && later != mine.negated) return false;
    if (is_sanctioned(claim_, i, evidence_, j) || is_sanctioned(evidence_, j, claim_, i)) return false;
    if (mine.negated ? is_waived(claim_, i, evidence_, j) : is_waived(evidence_, j, claim_, i)) return false;
    // "comes with a charger" and "comes without a charger"
    return mine.lacked || its.lacked ? same_beside(i, j, -1) : lacks(claim_, i) == lacks(evidence_, j);
  }

  /// Returns true if the clause of the negated word \p at says that something is not necessary, and the
  /// clause of word \p other_at that it is permitted: "need not be in ink" and "may be in ink".
  [[nodiscard]] bool is_waived(word_list text, std::size_t at, word_list other,
                               std::size_t other_at) const noexcept {
    const bool need = has_need(text, at) || (language_ == language::german && has_modal(text, at, 0));
    return need && !has_need(other, other_at) && has_modal(other, other_at, 1);
  }

  /// Returns true if the clause of word \p j of the evidence has words of another clause of the claim, and
  /// none that the clause of word \p i has besides it: "the frisket is original" does not deny "unlike the
  /// frisket, the tympan is not original".
  [[nodiscard]] bool is_of_other_clause(std::size_t i, std::size_t j) const noexcept {
    word_mask mine = 0;
    for (const text_word& each : claim_) {
      if (each.clause == claim_[i].clause) mine |= mask_of(each);
    }
    mine &= ~mask_of(claim_[i]);
    const word_mask its = texts_.clause_of(j) & ~mask_of(claim_[i]);
    return mine != 0 && its != 0 && (mine & its) == 0;
  }

  /// Returns true if the first content word of the claim is only after the clause of word \p j in its
  /// sentence: "the castle costs 9 euros, the park is free" does not say what the park costs.
  [[nodiscard]] bool has_later_subject(std::size_t j) const noexcept {
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
};

}  // namespace

void find_negations(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  negation_finder(texts, text_language, out).run();
}

}  // namespace citestream::check_detail

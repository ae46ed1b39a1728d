// The rules about values: see contradiction.cpp.
#include <algorithm>
#include <bit>
#include <optional>

#include "check/contradiction_finder.hpp"
#include "check/number_agreement.hpp"
#include "check/table_names.hpp"

namespace citestream::check_detail {
namespace {

/// Finds other values than those of a claim.
class value_finder : contradiction_finder {
 public:
  value_finder(const text_pair& texts, language text_language, std::vector<conflict>& out) noexcept
      : contradiction_finder(texts, text_language, out) {
    if (std::ranges::any_of(evidence_, [](const text_word& each) { return each.in_table; }))
      table_.emplace(evidence_);
  }

  void run() {
    if (language_ != language::other) {
      find_currencies();
      find_ones();
      find_bounds();
      find_negated();
    }
    find_scales();
    find_numbers();
    find_cells();
    find_clauses();
    find_exchanged();
  }

 private:
  void find_currencies();
  void find_scales();
  void find_numbers();
  void find_number(std::size_t i, std::uint32_t noun);
  [[nodiscard]] word_mask said_of(std::size_t i) const noexcept;
  [[nodiscard]] bool is_left_out(std::size_t i, std::size_t own, std::size_t other) const noexcept;
  [[nodiscard]] bool has_own_subject(std::size_t i, std::size_t own, std::size_t other) const noexcept;
  void find_ones();
  void find_bounds();
  void find_negated();
  [[nodiscard]] bool is_part(std::size_t i, std::size_t j) const noexcept;
  void find_cells();
  [[nodiscard]] std::size_t other_cell(std::size_t i, std::size_t j, const table_names& table) const noexcept;
  void find_clauses();
  [[nodiscard]] bool crosses(std::size_t own, word_mask values) const noexcept;
  void find_clause(std::size_t i, word_mask values);
  void find_exchanged();
  [[nodiscard]] std::size_t only_place(std::size_t i) const noexcept;
  [[nodiscard]] sides said_with(std::size_t i, std::size_t k) const noexcept;
  /// Places of a value and of another one in the evidence; the size of the evidence if it has none.
  struct value_places {
    std::size_t own{};
    std::size_t other{};
  };
  [[nodiscard]] value_places places_of(std::size_t i, word_mask said) const noexcept;
  [[nodiscard]] bool fits_better(std::size_t i, const value_places& at, word_mask said,
                                 word_mask values) const noexcept;
  [[nodiscard]] bool goes_on(std::size_t own, std::size_t best) const noexcept;
  [[nodiscard]] bool is_replaced(std::size_t own, std::size_t best, word_mask said) const noexcept;
  [[nodiscard]] bool compares(std::size_t k) const noexcept;

  std::optional<table_names> table_;  ///< of the evidence, if it has one
};

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
  if (rule_at(text, next) != contrast_rule::unit) return false;
  const auto is = [&](std::string_view name) {
    return lexicon::shared().content_word(name, in).contrast.is_same(text[next].sense.contrast);
  };
  // A currency that its sign or the stem of its word names. Dollars and euros are part of the number.
  const char sign = money.currency;
  // Only in English are pounds no currency in the lexicon: the weight is.
  return !((sign == 'p' && (in != language::english || is("pound"))) ||
           (sign == 'y' && (is("yen") || is("yuan"))) || (sign == 'r' && is("rupe")));
}

/// Finds the same amount in another currency, or with a unit that is not a currency.
void value_finder::find_currencies() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!claim_[i].is_number) continue;
    find_other(contradiction_rule::unit, i, [&](std::size_t j) {
      if (!evidence_[j].is_number) return relation::none;
      const bool other = has_other_unit(claim_[i].value, evidence_, j, language_) ||
                         has_other_unit(evidence_[j].value, claim_, i, language_);
      if (!other)
        return evidence_[j].word == claim_[i].word && claim_[i].word != no_word ? relation::same
                                                                                : relation::none;
      const bool alike = claim_[i].value.digits >= two_digits || context_at(claim_, i, evidence_, j).half();
      return alike ? relation::other : relation::none;
    });
  }
}

/// Finds the same digits at another scale. If the scales differ by a power of 1,000 (`5 million`, `5
/// billion`), two digits or the same words around both are enough; otherwise (`42`, `4.2`) both are
/// necessary.
void value_finder::find_scales() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const text_word& mine = claim_[i];
    if (!mine.is_number || mine.value.kind == number_kind::year || mine.value.digits == 0) continue;
    if (is_shortened(claim_, i)) continue;
    const bool present = std::any_of(evidence_.begin(), evidence_.end(), [&](const text_word& each) {
      return each.is_number && each.word == mine.word;
    });
    if (present) continue;
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      const text_word& there = evidence_[j];
      if (!there.is_number || there.value.digits != mine.value.digits || !there.value.agrees(mine.value))
        continue;
      if (is_below_scale(texts_, i, j) || is_same_amount(texts_, i, j)) continue;
      const auto apart = there.value.exponent - mine.value.exponent;
      if (apart == 0 || apart > 9 || apart < -9 || claim_has(there)) continue;
      const bool distinct = mine.value.digits >= two_digits;
      const bool thousands = apart % 3 == 0;
      const bool alike = context_at(claim_, i, evidence_, j).half();
      if (thousands ? distinct || alike : distinct && alike && !is_derived(texts_, i))
        add(contradiction_rule::scale, i, j);
    }
  }
}

/// Returns the content word in front of the value \p i, no_word if a number or the start of the clause comes
/// first.
[[nodiscard]] std::uint32_t noun_before(word_list text, std::size_t i) noexcept {
  const std::size_t next = next_to(text, i, -1);
  return next == text.size() || text[next].is_number ? no_word : text[next].word;
}

/// Returns the claim's words about its value \p i, without other values of its kind: those of its sentence,
/// or only those of its clause if another clause has such a value, or a number after two words. The sentence
/// before is included if it has no value: "How long can tents be returned? 14 days."
word_mask value_finder::said_of(std::size_t i) const noexcept {
  word_mask context = 0;
  word_mask sentence = 0;
  word_mask clause = 0;
  word_mask rivals = mask_of(claim_[i]);
  bool has_context = true;
  bool alone = true;
  std::size_t before = 0;  // words of other clauses after the last value
  for (std::size_t k = 0; k < claim_.size(); ++k) {
    if (claim_[k].sentence + 1 == claim_[i].sentence) {
      context |= mask_of(claim_[k]);
      has_context = has_context && !is_value(claim_, k);
    }
    if (claim_[k].sentence != claim_[i].sentence) continue;
    before += claim_[k].sense.stop || claim_[k].is_number ? 0U : 1U;
    if (claim_[k].clause == claim_[i].clause) before = 0;
    sentence |= mask_of(claim_[k]);
    if (claim_[k].clause == claim_[i].clause) clause |= mask_of(claim_[k]);
    if (!is_value(claim_, k)) continue;
    const bool rival = other_value(claim_[i], claim_[k]);
    if (rival) rivals |= mask_of(claim_[k]);
    if (claim_[k].clause == claim_[i].clause) continue;
    if (rival || (claim_[k].is_number && before > 1)) alone = false;
    before = 0;
  }
  return ((has_context ? context : 0) | (alone ? sentence : clause)) & ~rivals;
}

/// Returns the content word after number \p i, or after the range that starts with it: see noun_after().
[[nodiscard]] std::uint32_t noun_after_range(word_list text, std::size_t i, std::size_t reach) noexcept {
  const std::size_t last = end_of_range(text, i);
  return noun_after(text, last == text.size() ? i : last, reach);
}

void value_finder::find_numbers() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const text_word& mine = claim_[i];
    if (!mine.is_number || mine.word == no_word || mine.value.kind == number_kind::year) continue;
    const std::uint32_t noun = noun_after_range(claim_, i, 2);
    if (noun != no_word) find_number(i, noun);
  }
}

/// Finds another number before the noun of number \p i: "12 rooms" and "10 rooms and 12 baths". If the claim
/// has both numbers, they must be exchanged: the evidence has number \p i before another noun of the claim.
/// Nothing is found if the evidence has number \p i for the same subject, with its noun left out or with
/// other words of the claim.
void value_finder::find_number(std::size_t i, std::uint32_t noun) {
  std::size_t other = evidence_.size();
  bool exchanged = false;
  bool present = false;
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    const text_word& there = evidence_[j];
    if (!there.is_number) continue;
    const std::uint32_t its_noun = noun_after_range(evidence_, j, 3);
    if (there.word == claim_[i].word) {
      if (its_noun == noun) return;
      exchanged = exchanged || its_noun != no_word;
    } else if (its_noun == noun && there.value.kind == claim_[i].value.kind &&
               context_at(claim_, i, evidence_, j).half()) {
      other = j;
    }
  }
  if (other == evidence_.size() || (claim_has(evidence_[other]) && !exchanged) ||
      is_opposite(texts_, i, other))
    return;
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (evidence_[j].word != claim_[i].word) continue;
    present = true;
    if (is_left_out(i, j, other) || has_own_subject(i, j, other)) return;
  }
  if (present || !(may_differ(texts_, i, other) || is_derived(texts_, i)))
    add(contradiction_rule::number, i, other);
}

/// Returns true if the number \p own of the evidence, which the claim has, counts the noun of the number \p
/// other before it, but the noun is left out: "48 guests in 2023, up from 41". If the claim has further
/// values, one of them must not be in the clause of \p other: "in 2022 there were 41 guests".
bool value_finder::is_left_out(std::size_t i, std::size_t own, std::size_t other) const noexcept {
  if (other > own || evidence_[other].sentence != evidence_[own].sentence) return false;
  if (next_to(evidence_, own, 1, 1) != evidence_.size()) return false;
  bool alone = true;
  for (std::size_t k = 0; k < claim_.size(); ++k) {
    if (k == i || claim_[k].sentence != claim_[i].sentence || !is_value(claim_, k)) continue;
    alone = false;
    const bool with_other = std::any_of(evidence_.begin(), evidence_.end(), [&](const text_word& each) {
      return each.clause == evidence_[other].clause && same_value(each, claim_[k]);
    });
    if (!with_other) return true;
  }
  return alone;
}

/// Returns true if value \p i of the claim has the same subject at \p own, where the evidence has it, and not
/// at \p other: the content word before both is the same, or the clause of \p own has a word of the claim
/// that the clause of \p other lacks.
bool value_finder::has_own_subject(std::size_t i, std::size_t own, std::size_t other) const noexcept {
  const std::uint32_t before = noun_before(claim_, i);
  if (before != no_word && noun_before(evidence_, own) == before && noun_before(evidence_, other) != before)
    return true;
  const word_mask around = texts_.clause_of(own) & ~texts_.clause_of(other) & said_of(i);
  return around != 0;
}

/// Returns true if the claim has a word of the \p other name of a row or column, and none of its \p own.
[[nodiscard]] bool names_other(word_mask own, word_mask other) noexcept {
  return (other & ~own) != 0 && (own & ~other) == 0;
}

/// Finds numbers of another cell: the claim names the row or the column of one cell of a table, and has the
/// number of a cell in the same column or row.
void value_finder::find_cells() {
  if (!table_) return;
  word_mask done = 0;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!claim_[i].is_number || claim_[i].word == no_word || (mask_of(claim_[i]) & done) != 0) continue;
    done |= mask_of(claim_[i]);
    std::size_t place = evidence_.size();
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      if (evidence_[j].word != claim_[i].word) continue;
      place = other_cell(i, j, *table_);
      if (place == evidence_.size()) break;  // the claim may mean this cell
    }
    if (place < evidence_.size()) add(contradiction_rule::clause, i, place);
  }
}

/// Returns the number of the cell that the claim names instead of the cell with \p j, which has number \p i
/// of the claim. Returns the size of the evidence if the claim names no other cell.
std::size_t value_finder::other_cell(std::size_t i, std::size_t j, const table_names& table) const noexcept {
  const text_word& mine = evidence_[j];
  std::size_t out = evidence_.size();
  if (!table.is_cell(mine)) return out;
  for (std::size_t k = 0; k < evidence_.size(); ++k) {
    const text_word& its = evidence_[k];
    const bool in_column = its.column == mine.column && its.clause != mine.clause;
    const bool in_row = its.clause == mine.clause && its.column != mine.column;
    if (!its.is_number || !table.is_cell(its) || (!in_column && !in_row)) continue;
    if (!other_value(claim_[i], its) || claim_has(its)) continue;
    const bool named = in_column ? names_other(table.row_of(mine), table.row_of(its))
                                 : names_other(table.column_of(mine), table.column_of(its));
    if (named) out = k;
  }
  return out;
}

/// Returns the content words that have another value of the same kind as word \p i, and the word itself.
[[nodiscard]] word_mask rivals_of(word_list claim, std::size_t i) noexcept {
  word_mask out = mask_of(claim[i]);
  for (std::size_t k = 0; k < claim.size(); ++k) {
    if (is_value(claim, k) && other_value(claim[i], claim[k])) out |= mask_of(claim[k]);
  }
  return out;
}

void value_finder::find_clauses() {
  word_mask names = 0;  // a word with a capital in both texts; German nouns have one, too
  for (const text_word& each : evidence_) {
    if (each.capital && language_ != language::german) names |= mask_of(each);
  }
  word_mask values = 0;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (is_value(claim_, i)) values |= mask_of(claim_[i]);
    if (claim_[i].capital) values |= mask_of(claim_[i]) & names;
  }
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (is_value(claim_, i)) find_clause(i, values);
  }
}

/// Returns true if the clause of word \p own of the evidence has another value than the claim's \p values.
bool value_finder::crosses(std::size_t own, word_mask values) const noexcept {
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (evidence_[j].clause != evidence_[own].clause || !is_value(evidence_, j) || claim_has(evidence_[j]))
      continue;
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      const bool wanted = (mask_of(claim_[i]) & values) != 0 && is_value(claim_, i);
      if (wanted && other_value(claim_[i], evidence_[j])) return true;
    }
  }
  return false;
}

/// Returns where the evidence has value \p i of the claim, and where it has another value instead: of several
/// places, those whose clauses have most of what the claim says (\p said) of the value.
value_finder::value_places value_finder::places_of(std::size_t i, word_mask said) const noexcept {
  value_places out{evidence_.size(), evidence_.size()};
  const auto words = [&](std::size_t j) { return std::popcount(texts_.clause_of(j) & said); };
  const auto keep_larger = [&](std::size_t& known, std::size_t j) {
    if (known == evidence_.size() || words(j) > words(known)) known = j;
  };
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (!is_value(evidence_, j)) continue;
    if (same_value(claim_[i], evidence_[j])) {
      keep_larger(out.own, j);
    } else if (other_value(claim_[i], evidence_[j]) && !claim_has(evidence_[j]) &&
               !(claim_[i].is_number && counts_other(texts_, i, j))) {
      keep_larger(out.other, j);
    }
  }
  return out;
}

/// Returns true if the clause with the other value fits \p said, the claim's words about its value \p i,
/// better than the clause with the claim's value:
/// - in a table, it has at least one more of these words, and the claim does not name the own row or column;
/// - in prose, the own clause has another value (crosses()) or another word (is_replaced()) for one of them;
/// - in prose, it has two more, three if it lacks a word of the own clause, or one more that is in \p values.
bool value_finder::fits_better(std::size_t i, const value_places& at, word_mask said,
                               word_mask values) const noexcept {
  const auto [own, other] = at;
  const word_mask ours = texts_.clause_of(own) & said;
  const word_mask theirs = texts_.clause_of(other) & said;
  const int more = std::popcount(theirs) - std::popcount(ours);
  // Words are numbered in the order of the claim, and its subject comes first: the first word that only one
  // of both clauses has tells which of them is about it.
  const word_mask first = (ours ^ theirs) & (~(ours ^ theirs) + 1);
  if (more < 0 && (first & theirs & values) == 0) return false;
  if (evidence_[other].in_table) {
    const bool named = table_ && table_->is_cell(evidence_[own]) && (ours & ~theirs) != 0;
    return more >= 1 && !named;
  }
  const bool own_subject = (ours & first & (mask_of(claim_[i]) - 1)) != 0;
  if (crosses(own, theirs & values) || (!own_subject && is_replaced(own, other, said))) return true;
  // "The first opened in 1921, the second in 1985": words are left out in the later clause.
  const bool shortened = other < own && evidence_[other].sentence == evidence_[own].sentence;
  const bool includes = (ours & ~theirs) == 0;
  const bool sharper = more == 1 && includes && (theirs & ~ours & values) != 0;
  return !shortened && ours != 0 && (more >= (includes ? 2 : 3) || sharper);
}

/// Looks for a clause with another value that fits the claim's words about its value \p i better than every
/// clause with that value: "The red line costs $10, the blue line costs $15" and "The blue line costs
/// $10". If no clause has the value, the other clause must have all that the claim says of it.
void value_finder::find_clause(std::size_t i, word_mask values) {
  const word_mask said = said_of(i) & ~rivals_of(claim_, i);
  const value_places at = places_of(i, said);
  if (at.other == evidence_.size()) return;
  if (at.own == evidence_.size()) {
    const bool whole = claim_[i].is_number && claim_[i].value.kind != number_kind::year &&
                       (said & ~texts_.clause_of(at.other)) == 0 && std::popcount(said) > 1;
    if (whole && !may_differ(texts_, i, at.other) && !is_derived(texts_, i))
      add(contradiction_rule::clause, i, at.other);
    return;
  }
  if (evidence_[at.own].clause == evidence_[at.other].clause) return;
  if ((table_ && table_->is_name(evidence_[at.own])) || goes_on(at.own, at.other)) return;
  if (!fits_better(i, at, said, values)) return;
  if (has_other_frame(texts_, i, at.other) || is_opposite(texts_, i, at.other)) return;
  add(contradiction_rule::clause, i, at.other);
}

/// Finds two values of the claim that the evidence has in each other's place: "Basic costs $50 and Pro costs
/// $20" and "Basic costs $20 and Pro costs $50".
void value_finder::find_exchanged() {
  for (std::size_t k = 1; k < claim_.size(); ++k) {
    const std::size_t m = is_value(claim_, k) ? only_place(k) : evidence_.size();
    if (m == evidence_.size()) continue;
    for (std::size_t i = 0; i < k; ++i) {
      if (claim_[i].clause == claim_[k].clause || !is_value(claim_, i) || !other_value(claim_[i], claim_[k]))
        continue;
      const std::size_t j = only_place(i);
      if (j == evidence_.size() || evidence_[j].clause == evidence_[m].clause) continue;
      if (negates_clause(evidence_, j) || negates_clause(evidence_, m)) continue;
      const sides mine = said_with(i, k);
      const sides its{texts_.clause_of(j), texts_.clause_of(m)};
      const word_mask crossed = (mine.left & its.right & ~its.left) | (mine.right & its.left & ~its.right);
      const word_mask kept = (mine.left & its.left & ~its.right) | (mine.right & its.right & ~its.left);
      if (exchanged(mine, its) && std::popcount(crossed) > std::popcount(kept))
        return add(contradiction_rule::clause, i, m);
    }
  }
}

/// Returns the only place of value \p i in the evidence; the size of the evidence if it has several or none.
std::size_t value_finder::only_place(std::size_t i) const noexcept {
  std::size_t out = evidence_.size();
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (!same_value(claim_[i], evidence_[j])) continue;
    if (out != evidence_.size()) return evidence_.size();
    out = j;
  }
  return out;
}

/// Returns the words of the claim that are only in the clause of \p i, and those that are only in the clause
/// of \p k, without both values.
sides value_finder::said_with(std::size_t i, std::size_t k) const noexcept {
  sides out;
  for (const text_word& each : claim_) {
    if (each.clause == claim_[i].clause) out.left |= mask_of(each);
    if (each.clause == claim_[k].clause) out.right |= mask_of(each);
  }
  const word_mask both = (out.left & out.right) | mask_of(claim_[i]) | mask_of(claim_[k]);
  return {out.left & ~both, out.right & ~both};
}

/// Returns true if both clauses make one statement: "Of the 24 samples, 19 contained lead", or "He left in
/// 1911. He did not return until 1962."
bool value_finder::goes_on(std::size_t own, std::size_t best) const noexcept {
  const text_word& value = evidence_[own];
  const text_word& other = evidence_[best];
  const auto first = std::ranges::find(evidence_, value.sentence, &text_word::sentence);
  const word_role role = first->sense.role;
  if (value.sentence == other.sentence + 1) return first->sense.stop && role == word_role::none;
  const bool starts = first->clause == value.clause && other.clause == value.clause + 1;
  return value.sentence == other.sentence && starts &&
         (role == word_role::preposition || role == word_role::agent);
}

/// Returns true if word \p k of the evidence names nothing, but compares the value after it with the one
/// before: "down from", "compared to", "versus", "gegenüber", "contre".
bool value_finder::compares(std::size_t k) const noexcept {
  const auto places = [](const word_sense& sense) {
    return sense.role == word_role::preposition || sense.role == word_role::agent ||
           sense.contrast.rule == contrast_rule::direction;
  };
  const text_word& each = evidence_[k];
  if (places(each.sense) || each.sense.role == word_role::symmetric) return true;
  if (next_to(evidence_, k, -1) != evidence_.size()) return false;
  if (places(evidence_[k + 1].sense)) return true;
  const bool first = k == 0 || evidence_[k - 1].clause != each.clause;
  if (!first) return places(evidence_[k - 1].sense);  // "par rapport à"
  // A noun has a capital in German, and an article in French.
  return !each.capital && (language_ == language::german || language_ == language::french);
}

/// Returns true if the clause of \p own is about something else than the clause of \p best: a word of \p said
/// that only \p best has is next to the same word or value, and \p own has another word there: "the red line
/// costs $10 and the blue line costs $15". A word that only compares does not count if the claim says when or
/// where the value holds: "$8 in 2023, down from $10 in 2022".
bool value_finder::is_replaced(std::size_t own, std::size_t best, word_mask said) const noexcept {
  const word_mask ours = texts_.clause_of(own) & said;
  const word_mask theirs = texts_.clause_of(best) & said;
  const word_mask missing = theirs & ~ours;
  const bool qualified = (ours & ~theirs) != 0 || std::ranges::any_of(evidence_, [&](const text_word& each) {
                           return each.clause == evidence_[own].clause &&
                                  each.sense.contrast.rule == contrast_rule::month &&
                                  claim_has(each);  // "May" has no bit, because "may" is a stop word
                         });
  for (std::size_t k = 0; k < evidence_.size(); ++k) {
    if (evidence_[k].clause != evidence_[best].clause || (mask_of(evidence_[k]) & missing) == 0) continue;
    for (const int step : {-1, 1}) {
      const std::size_t beside = next_to(evidence_, k, step);
      if (beside == evidence_.size()) continue;
      for (std::size_t j = 0; j < evidence_.size(); ++j) {
        if (evidence_[j].clause != evidence_[own].clause) continue;
        const bool same = beside == best ? j == own : evidence_[j].word == evidence_[beside].word;
        if (!same || (beside != best && evidence_[j].word == no_word)) continue;
        const std::size_t other = next_to(evidence_, j, -step);
        if (other == evidence_.size()) continue;
        if (evidence_[other].is_number || evidence_[other].word != no_word) continue;
        if (!qualified || step < 0 || !compares(other)) return true;
      }
    }
  }
  return false;
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

/// Returns true if a word after number \p i of the claim is only before number \p j of the evidence: "one
/// member of the group" is no other number than "the group has five members".
bool value_finder::is_part(std::size_t i, std::size_t j) const noexcept {
  constexpr int reach = 3;  // content words
  const sides mine = sides_of(claim_, i, reach);
  const sides its = sides_of(evidence_, j, reach);
  return (mine.right & its.left & ~its.right) != 0;
}

[[nodiscard]] bool is_digit_one(const text_word& each) noexcept {
  return each.is_number && each.value.digits == 1 && each.value.exponent == 0;
}

/// Finds another number before the noun that is directly after a number of the claim, where one of both is
/// the word for 1, which is a stop word: `one tablet` and `two tablets`.
void value_finder::find_ones() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const bool one = is_one(claim_, i);
    if (!one && (!is_count(claim_[i]) || is_digit_one(claim_[i]))) continue;
    const std::size_t noun = next_to(claim_, i, 1, 1);
    if (noun == claim_.size() || claim_[noun].is_number) continue;
    find_other(contradiction_rule::number, i, [&](std::size_t j) {
      // The English article "a"; in other languages it is the word for 1.
      const bool article = language_ == language::english && evidence_[j].sense.role == word_role::article &&
                           evidence_[j].end - evidence_[j].begin == 1;
      const bool one_there = is_one(evidence_, j) || is_digit_one(evidence_[j]) || (one && article);
      if (!one_there && !is_count(evidence_[j])) return relation::none;
      // "One or two tablets": the noun is after the second.
      const bool either = j > 1 && evidence_[j - 1].sense.role == word_role::alternative;
      if (one && either && is_one(evidence_, j - 2)) return relation::same;
      const std::size_t noun_there = next_to(evidence_, j, 1, 1);
      if (noun_there == evidence_.size() || !is_same(claim_[noun], evidence_[noun_there]))
        return relation::none;
      if (one ? one_there : evidence_[j].word == claim_[i].word) return relation::same;
      const bool other = one != one_there && context_at(claim_, i, evidence_, j).most() && !is_part(i, j) &&
                         !may_differ(texts_, i, j);
      return other ? relation::other : relation::none;
    });
  }
}

/// Returns true if a negator is before number \p i, with nothing but prepositions and the like between both:
/// `not in 2019`, `no es de 5 kg`.
[[nodiscard]] bool is_negated(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 3;  // words
  for (std::size_t k = i; k > first_near(i, reach) && text[k - 1].clause == text[i].clause;) {
    const text_word& each = text[--k];
    if (each.negator) return true;
    const word_role role = each.sense.role;
    const bool between = role == word_role::preposition || role == word_role::article ||
                         role == word_role::auxiliary || role == word_role::agent ||
                         each.sense.contrast.rule == contrast_rule::direction;
    if (!between) return false;
  }
  return false;
}

/// Finds numbers that only one of claim and evidence negates: `not $5` and `$5`. A limit of them may be
/// negated instead.
void value_finder::find_negated() {
  const auto is_exact = [](word_list text, std::size_t at) {
    const text_word* const side = side_of(text, at);
    return bound_at(text, at) == bound::none &&
           (side == nullptr || side->sense.contrast.rule == contrast_rule::direction);
  };
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!claim_[i].is_number || claim_[i].word == no_word || !is_exact(claim_, i)) continue;
    if (is_contrasted(texts_, i)) continue;
    const bool negated = is_negated(claim_, i);
    find_other(contradiction_rule::negation, i, [&](std::size_t j) {
      if (evidence_[j].word != claim_[i].word) return relation::none;
      const bool negated_there = is_negated(evidence_, j);
      const bool agrees = negated ? negated_there || negates_clause(evidence_, j)
                                  : !negated_there || negates_clause(claim_, i);
      if (agrees) return relation::same;
      const context around = context_at(claim_, i, evidence_, j);
      const bool alike = around.all == 0 || around.half();
      return alike && is_exact(evidence_, j) ? relation::other : relation::none;
    });
  }
}

/// Finds the other side of the same number: `at least 5` and `at most 5`.
void value_finder::find_bounds() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!claim_[i].is_number || claim_[i].word == no_word) continue;
    const bound mine = bound_at(claim_, i);
    if (mine == bound::none) continue;
    find_other(contradiction_rule::quantity, i, [&](std::size_t j) {
      if (evidence_[j].word != claim_[i].word) return relation::none;
      const bound its = bound_at(evidence_, j);
      if (its == bound::none) return relation::none;
      if (its == mine) return relation::same;
      if (is_opposite(texts_, i, j) || negates_clause(claim_, i) != negates_clause(evidence_, j))
        return relation::none;
      const std::uint32_t noun = noun_after(claim_, i, 2);
      const bool alike = noun != no_word && noun == noun_after(evidence_, j, 3);
      return alike || context_at(claim_, i, evidence_, j).half() ? relation::other : relation::none;
    });
  }
}

}  // namespace

void find_other_values(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  value_finder(texts, text_language, out).run();
}

}  // namespace citestream::check_detail

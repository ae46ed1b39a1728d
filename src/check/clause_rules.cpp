// The rules about values in another clause or cell: see contradiction.cpp.
//
// A value is a number, month, weekday, place or rank. find_clause() compares the clauses of the evidence that
// have the claim's value with those that have another one instead, and takes of each the clause with most of
// what the claim says of the value (said_of()). It is a contradiction if the clause with the other value fits
// that better (fits_better()): "The red line costs $10, the blue line costs $15" and "The blue line costs
// $10". find_exchanged() finds two values in each other's place, find_cells() a cell of a table that is in
// another row or column than the one the claim names.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <optional>

#include "check/contradiction_finder.hpp"
#include "check/number_agreement.hpp"

namespace citestream::check_detail {
namespace {

/// Returns true if a cell of the row is a number and nothing else, and no year.
[[nodiscard]] bool has_values(word_list text, std::uint16_t row) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const text_word& each = text[i];
    if (each.clause != row || each.column < 1 || !each.is_number || each.value.kind == number_kind::year)
      continue;
    const auto same = [&](std::size_t k) {
      return k < text.size() && text[k].clause == row && text[k].column == each.column;
    };
    if (!(i > 0 && same(i - 1)) && !same(i + 1)) return true;
  }
  return false;
}

/// The names of the rows and columns of the table in a text, as the claim's words in them. The first cell of
/// a row is its name, and the first row has the names of the columns unless it has values. A list with labels
/// has no cells.
class table_names {
 public:
  /// Linear.
  explicit table_names(word_list text) noexcept {
    const auto first = std::ranges::find_if(text, [](const text_word& each) { return each.in_table; });
    if (first != text.end() && !has_values(text, first->clause)) header_ = first->clause;
    for (const text_word& each : text) {
      if (!each.in_table) continue;
      if (each.column == 0) rows_[slot(each.clause)] |= mask_of(each);
      if (each.column > 0) cells_.set(slot(each.clause));
      if (each.column >= 0 && header_ && each.clause == *header_)
        columns_[slot(static_cast<std::size_t>(each.column))] |= mask_of(each);
    }
  }

  /// Returns true if the word is in the row or column of names, and its row has another cell.
  [[nodiscard]] bool is_name(const text_word& each) const noexcept {
    return each.in_table && cells_[slot(each.clause)] && (each.column == 0 || each.clause == header_);
  }
  /// Returns true if the word is in a cell that has names.
  [[nodiscard]] bool is_cell(const text_word& each) const noexcept {
    return each.in_table && each.column > 0 && each.clause != header_;
  }
  [[nodiscard]] word_mask row_of(const text_word& each) const noexcept { return rows_[slot(each.clause)]; }
  [[nodiscard]] word_mask column_of(const text_word& each) const noexcept {
    return columns_[slot(static_cast<std::size_t>(each.column))];
  }

 private:
  static constexpr std::size_t max_names = 256;  ///< later rows and columns share the names of others
  [[nodiscard]] static std::size_t slot(std::size_t at) noexcept { return at % max_names; }

  std::optional<std::uint16_t> header_;  ///< clause of the first row, unless it has values
  std::array<word_mask, max_names> rows_{};
  std::array<word_mask, max_names> columns_{};
  std::bitset<max_names> cells_;  ///< rows that have another cell than their name
};

/// Returns the content words that have another value of the same kind as word \p i, and the word itself.
[[nodiscard]] word_mask rivals_of(word_list claim, std::size_t i) noexcept {
  word_mask out = mask_of(claim[i]);
  for (const text_word& each : claim) {
    if (is_value(each) && other_value(claim[i], each)) out |= mask_of(each);
  }
  return out;
}

/// Returns true if the claim has a word of the \p other name of a row or column, and none of its \p own.
[[nodiscard]] bool names_other(word_mask own, word_mask other) noexcept {
  return (other & ~own) != 0 && (own & ~other) == 0;
}

/// Finds values of the claim that the evidence has in another clause or cell.
class clause_finder : contradiction_finder {
 public:
  clause_finder(const text_pair& texts, language text_language, std::vector<conflict>& out) noexcept
      : contradiction_finder(texts, text_language, out) {
    if (std::ranges::any_of(evidence_, &text_word::in_table)) table_.emplace(evidence_);
  }

  void run() {
    find_cells();
    find_clauses();
    find_exchanged();
  }

 private:
  /// Places of a value and of another one in the evidence; the size of the evidence if it has none.
  struct value_places {
    std::size_t own{};
    std::size_t other{};
  };

  /// Finds numbers of another cell: the claim names the row or the column of one cell of a table, and has the
  /// number of a cell in the same column or row.
  void find_cells() {
    if (!table_) return;
    word_mask done = 0;
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      if (!claim_[i].is_number || claim_[i].word == no_word || (mask_of(claim_[i]) & done) != 0) continue;
      done |= mask_of(claim_[i]);
      std::size_t place = evidence_.size();
      for (std::size_t j = 0; j < evidence_.size(); ++j) {
        if (evidence_[j].word != claim_[i].word) continue;
        place = other_cell(*table_, i, j);
        if (place == evidence_.size()) break;  // the claim may mean this cell
      }
      if (place < evidence_.size()) add(contradiction_rule::clause, i, place);
    }
  }

  /// Returns the number of the cell that the claim names instead of the cell with \p j, which has number \p i
  /// of the claim. Returns the size of the evidence if the claim names no other cell.
  [[nodiscard]] std::size_t other_cell(const table_names& table, std::size_t i,
                                       std::size_t j) const noexcept {
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

  void find_clauses() {
    word_mask values = 0;
    word_mask names = 0;  // words with a capital; German nouns have one, too
    for (const text_word& each : claim_) {
      if (is_value(each)) values |= mask_of(each);
      if (each.capital && language_ != language::german) names |= mask_of(each);
    }
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      if (is_value(claim_[i])) find_clause(i, values, names);
    }
  }

  /// Looks for a clause with another value that fits the claim's words about its value \p i better than every
  /// clause with that value: "The red line costs $10, the blue line costs $15" and "The blue line costs
  /// $10". If no clause has the value, the other clause must have all that the claim says of it.
  /// \p values are the claim's values, \p names its words with a capital, which are names if they have one in
  /// that clause, too.
  void find_clause(std::size_t i, word_mask values, word_mask names) {
    const word_mask said = said_of(claim_, i) & ~rivals_of(claim_, i);
    const value_places at = places_of(i, said);
    if (at.other == evidence_.size()) return;
    if (at.own == evidence_.size()) {
      const bool whole = claim_[i].is_number && claim_[i].value.kind != number_kind::year &&
                         (said & ~texts_.clause_of(evidence_[at.other])) == 0 && std::popcount(said) > 1;
      if (whole && !may_differ(texts_, i, at.other) && !is_derived(texts_, i))
        add(contradiction_rule::clause, i, at.other);
      return;
    }
    if (evidence_[at.own].clause == evidence_[at.other].clause) return;
    if ((table_ && table_->is_name(evidence_[at.own])) || goes_on(at.own, at.other)) return;
    for (const text_word& each : clause_at(evidence_, at.other)) {
      if (each.capital) values |= mask_of(each) & names;
    }
    if (!fits_better(i, at, said, values)) return;
    if (has_other_frame(texts_, i, at.other) || is_opposite(texts_, i, at.other)) return;
    // "30 tons in June, 2 more than in May" does not contradict "28 tons in May".
    if (!claim_[i].is_number && has_other_number(texts_, i, at.other)) return;
    add(contradiction_rule::clause, i, at.other);
  }

  /// Returns where the evidence has value \p i of the claim, and where it has another value instead: of
  /// several places, those whose clauses have most of what the claim says (\p said) of the value.
  [[nodiscard]] value_places places_of(std::size_t i, word_mask said) const noexcept {
    value_places out{evidence_.size(), evidence_.size()};
    const auto words = [&](std::size_t j) { return std::popcount(texts_.clause_of(evidence_[j]) & said); };
    const auto keep_larger = [&](std::size_t& known, std::size_t j) {
      if (known == evidence_.size() || words(j) > words(known)) known = j;
    };
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      if (!is_value(evidence_[j])) continue;
      const bool named = claim_[i].is_number && table_ && table_->is_name(evidence_[j]);
      if (same_value(claim_[i], evidence_[j])) {
        keep_larger(out.own, j);
      } else if (!named && other_value(claim_[i], evidence_[j]) && !claim_has(evidence_[j]) &&
                 !(claim_[i].is_number && counts_other(texts_, i, j))) {
        keep_larger(out.other, j);
      }
    }
    return out;
  }

  /// Returns true if the clause with the other value fits \p said, the claim's words about its value \p i,
  /// better than the clause with the claim's value:
  /// - in a table, it has at least one more of these words, and the claim does not name the own row or
  ///   column;
  /// - in prose, the own clause has another value (crosses()) or another word (is_replaced()) for one of
  ///   them;
  /// - in prose, it has two more, three if it lacks a word of the own clause, or one more that is in \p
  ///   values.
  [[nodiscard]] bool fits_better(std::size_t i, const value_places& at, word_mask said,
                                 word_mask values) const noexcept {
    const auto [own, other] = at;
    const word_mask ours = texts_.clause_of(evidence_[own]) & said;
    const word_mask theirs = texts_.clause_of(evidence_[other]) & said;
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

  /// Returns true if the clause of word \p own of the evidence has another value than the claim's \p values.
  [[nodiscard]] bool crosses(std::size_t own, word_mask values) const noexcept {
    return std::ranges::any_of(clause_at(evidence_, own), [&](const text_word& its) {
      return is_value(its) && !claim_has(its) && std::ranges::any_of(claim_, [&](const text_word& mine) {
               return (mask_of(mine) & values) != 0 && is_value(mine) && other_value(mine, its);
             });
    });
  }

  /// Returns true if the clause of \p own is about something else than the clause of \p best: a word of \p
  /// said that only \p best has is next to the same word or value, and \p own has another word there: "the
  /// red line costs $10 and the blue line costs $15". A word directly after it does not replace one after a
  /// preposition: "the left bank of the river" and "the right bank floods". A word that only compares does
  /// not count if the claim says when or where the value holds: "$8 in 2023, down from $10 in 2022".
  [[nodiscard]] bool is_replaced(std::size_t own, std::size_t best, word_mask said) const noexcept {
    const word_mask ours = texts_.clause_of(evidence_[own]) & said;
    const word_mask theirs = texts_.clause_of(evidence_[best]) & said;
    const word_mask missing = theirs & ~ours;
    const bool qualified = (ours & ~theirs) != 0;
    for (std::size_t k = 0; k < evidence_.size(); ++k) {
      if (evidence_[k].clause != evidence_[best].clause || (mask_of(evidence_[k]) & missing) == 0) continue;
      if (has_other_word(own, best, k, -1) || has_other_word(own, best, k, 1, qualified)) return true;
    }
    return false;
  }

  /// Returns true if the clause of \p own has another word where word \p k is in the clause of \p best, next
  /// to the same word or value. \p qualified: not if it only compares.
  [[nodiscard]] bool has_other_word(std::size_t own, std::size_t best, std::size_t k, int step,
                                    bool qualified = false) const noexcept {
    const std::size_t beside = next_to(evidence_, k, step);
    if (beside == evidence_.size()) return false;
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      const bool same = beside == best ? j == own : evidence_[j].word == evidence_[beside].word;
      if (!same || (beside != best && evidence_[j].word == no_word)) continue;
      const std::size_t other = next_to(evidence_, j, -step);
      if (evidence_[j].clause != evidence_[own].clause || other == evidence_.size()) continue;
      if (evidence_[other].is_number || evidence_[other].word != no_word) continue;
      const bool governed = step < 0 && other == j + 1;
      if (governed && evidence_[beside + 1].sense.role == word_role::preposition) continue;
      if (!qualified || !compares(other)) return true;
    }
    return false;
  }

  /// Returns true if word \p k of the evidence names nothing, but compares the value after it with the one
  /// before: "down from", "compared to", "versus", "gegenüber", "contre".
  [[nodiscard]] bool compares(std::size_t k) const noexcept {
    const auto places = [](const word_sense& sense) {
      return sense.role == word_role::preposition || sense.role == word_role::agent ||
             sense.contrast.rule == contrast_rule::direction;
    };
    const text_word& each = evidence_[k];
    if (places(each.sense) || each.sense.role == word_role::symmetric) return true;
    if (next_to(evidence_, k, -1) != evidence_.size()) return false;
    if (places(evidence_[k + 1].sense)) return true;
    if (!words_before(evidence_, k).empty()) return places(evidence_[k - 1].sense);  // "par rapport à"
    // A noun has a capital in German, and an article in French.
    return !each.capital && (language_ == language::german || language_ == language::french);
  }

  /// Returns true if both clauses make one statement: "Of the 24 samples, 19 contained lead", or "He left in
  /// 1911. He did not return until 1962."
  [[nodiscard]] bool goes_on(std::size_t own, std::size_t best) const noexcept {
    const text_word& value = evidence_[own];
    const text_word& other = evidence_[best];
    const text_word& first = sentence_at(evidence_, own).front();
    const word_role role = first.sense.role;
    if (value.sentence == other.sentence + 1) return first.sense.stop && role == word_role::none;
    const bool starts = first.clause == value.clause && other.clause == value.clause + 1;
    return value.sentence == other.sentence && starts &&
           (role == word_role::preposition || role == word_role::agent);
  }

  /// Finds two values of the claim that the evidence has in each other's place: "Basic costs $50 and Pro
  /// costs $20" and "Basic costs $20 and Pro costs $50".
  void find_exchanged() {
    for (std::size_t k = 1; k < claim_.size(); ++k) {
      const std::size_t m = is_value(claim_[k]) ? only_place(k) : evidence_.size();
      if (m == evidence_.size()) continue;
      for (std::size_t i = 0; i < k; ++i) {
        if (claim_[i].clause == claim_[k].clause || !is_value(claim_[i]) ||
            !other_value(claim_[i], claim_[k]))
          continue;
        const std::size_t j = only_place(i);
        if (j == evidence_.size() || evidence_[j].clause == evidence_[m].clause) continue;
        if (negates_clause(evidence_, j) || negates_clause(evidence_, m)) continue;
        const sides mine = said_with(i, k);
        const sides its{texts_.clause_of(evidence_[j]), texts_.clause_of(evidence_[m])};
        const word_mask crossed = (mine.left & its.right & ~its.left) | (mine.right & its.left & ~its.right);
        const word_mask kept = (mine.left & its.left & ~its.right) | (mine.right & its.right & ~its.left);
        if (exchanged(mine, its) && std::popcount(crossed) > std::popcount(kept))
          return add(contradiction_rule::clause, i, m);
      }
    }
  }

  /// Returns the only place of value \p i in the evidence; the size of the evidence if it has several or
  /// none.
  [[nodiscard]] std::size_t only_place(std::size_t i) const noexcept {
    std::size_t out = evidence_.size();
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      if (!same_value(claim_[i], evidence_[j])) continue;
      if (out != evidence_.size()) return evidence_.size();
      out = j;
    }
    return out;
  }

  /// Returns the words of the claim that are only in the clause of \p i, and those that are only in the
  /// clause of \p k, without both values.
  [[nodiscard]] sides said_with(std::size_t i, std::size_t k) const noexcept {
    const word_mask left = mask_of(clause_at(claim_, i));
    const word_mask right = mask_of(clause_at(claim_, k));
    const word_mask both = (left & right) | mask_of(claim_[i]) | mask_of(claim_[k]);
    return {left & ~both, right & ~both};
  }

  std::optional<table_names> table_;  ///< of the evidence, if it has one
};

}  // namespace

void find_other_clauses(const text_pair& texts, language text_language, std::vector<conflict>& out) {
  clause_finder(texts, text_language, out).run();
}

}  // namespace citestream::check_detail

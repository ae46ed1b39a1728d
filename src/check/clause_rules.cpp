// The rules about values in another clause or cell: see contradiction.cpp.
//
// A value is a number, month, weekday, place or rank. find_clause() compares the clauses of the excerpt that
// have the claim's value with those that have another one instead, and takes of each the clause with most of
// what the claim says of the value (statement_about()). It is a contradiction if the clause with the other
// value fits that better (fits_better()): "The red line costs $10, the blue line costs $15" and "The blue
// line costs $10". find_exchanged() finds two values in each other's place, find_cells() a cell of a table
// that is in another row or column than the one the claim names.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <optional>

#include "check/contradiction.hpp"
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
  [[nodiscard]] static std::size_t slot(std::size_t at) noexcept { return at % max_clauses; }

  std::optional<std::uint16_t> header_;  ///< clause of the first row, unless it has values
  std::array<word_mask, max_clauses> rows_{};
  std::array<word_mask, max_clauses> columns_{};
  std::bitset<max_clauses> cells_;  ///< rows that have another cell than their name
};

/// Returns the content words that have another value of the same kind as word \p i, and the word itself.
[[nodiscard]] word_mask rivals_of(word_list claim, std::size_t i) noexcept {
  word_mask out = mask_of(claim[i]);
  for (const text_word& each : claim) {
    if (is_value(each) && different_value(claim[i], each)) out |= mask_of(each);
  }
  return out;
}

/// Returns true if the claim has a word of the \p other name of a row or column, and none of its \p own.
[[nodiscard]] bool names_other(word_mask own, word_mask other) noexcept {
  return (other & ~own) != 0 && (own & ~other) == 0;
}

/// Finds values of the claim that the excerpt has in another clause or cell.
class clause_finder {
 public:
  clause_finder(const text_pair& texts, std::vector<conflict>& out) noexcept
      : texts_(texts), claim_(texts.claim), excerpt_(texts.excerpt), out_(out) {
    if (std::ranges::any_of(excerpt_, &text_word::in_table)) table_.emplace(excerpt_);
  }

  void run() {
    find_cells();
    find_clauses();
    find_exchanged();
  }

 private:
  /// Places of a value and of another one in the excerpt; the size of the excerpt if it has none.
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
      if (!is_known_number(claim_[i]) || (mask_of(claim_[i]) & done) != 0) continue;
      done |= mask_of(claim_[i]);
      std::size_t place = excerpt_.size();
      for (std::size_t j = 0; j < excerpt_.size(); ++j) {
        if (excerpt_[j].word != claim_[i].word) continue;
        place = other_cell(*table_, i, j);
        if (place == excerpt_.size()) break;  // the claim may mean this cell
      }
      if (place < excerpt_.size()) add(contradiction_rule::clause, i, place, out_);
    }
  }

  /// Returns the number of the cell that the claim names instead of the cell with \p j, which has number \p i
  /// of the claim. Returns the size of the excerpt if the claim names no other cell.
  [[nodiscard]] std::size_t other_cell(const table_names& table, std::size_t i,
                                       std::size_t j) const noexcept {
    const text_word& own = excerpt_[j];
    std::size_t out = excerpt_.size();
    if (!table.is_cell(own)) return out;
    for (std::size_t k = 0; k < excerpt_.size(); ++k) {
      const text_word& other = excerpt_[k];
      const bool in_column = other.column == own.column && other.clause != own.clause;
      const bool in_row = other.clause == own.clause && other.column != own.column;
      if (!other.is_number || !table.is_cell(other) || (!in_column && !in_row)) continue;
      if (!different_value(claim_[i], other) || claim_has(claim_, other)) continue;
      const bool named = in_column ? names_other(table.row_of(own), table.row_of(other))
                                   : names_other(table.column_of(own), table.column_of(other));
      if (named) out = k;
    }
    return out;
  }

  void find_clauses() {
    word_mask values = 0;
    word_mask names = 0;  // words with a capital; German nouns have one, too
    for (const text_word& each : claim_) {
      if (is_value(each)) values |= mask_of(each);
      if (each.capital && texts_.in != language::german) names |= mask_of(each);
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
    const word_mask statement = statement_about(claim_, i) & ~rivals_of(claim_, i);
    const value_places at = places_of(i, statement);
    if (at.other == excerpt_.size()) return;
    if (at.own == excerpt_.size()) {
      const bool whole = claim_[i].is_number && claim_[i].value.kind != number_kind::year &&
                         (statement & ~texts_.clause_of(at.other)) == 0 && std::popcount(statement) > 1;
      if (whole && !may_differ(texts_, i, at.other) && !is_derived(texts_, i))
        add(contradiction_rule::clause, i, at.other, out_);
      return;
    }
    if (excerpt_[at.own].clause == excerpt_[at.other].clause) return;
    if ((table_ && table_->is_name(excerpt_[at.own])) || are_one_statement(at.own, at.other)) return;
    for (const text_word& each : clause_at(excerpt_, at.other)) {
      if (each.capital) values |= mask_of(each) & names;
    }
    if (!fits_better(i, at, statement, values)) return;
    if (has_different_frame(texts_, i, at.other) || is_opposite(texts_, i, at.other)) return;
    // "30 tons in June, 2 more than in May" does not contradict "28 tons in May".
    if (!claim_[i].is_number && has_different_number(texts_, i, at.other)) return;
    add(contradiction_rule::clause, i, at.other, out_);
  }

  /// Returns where the excerpt has value \p i of the claim, and where it has another value instead: of
  /// several places, those whose clauses have most of what the claim says (\p statement) of the value.
  [[nodiscard]] value_places places_of(std::size_t i, word_mask statement) const noexcept {
    value_places out{excerpt_.size(), excerpt_.size()};
    const auto words = [&](std::size_t j) { return std::popcount(texts_.clause_of(j) & statement); };
    const auto keep_larger = [&](std::size_t& known, std::size_t j) {
      if (known == excerpt_.size() || words(j) > words(known)) known = j;
    };
    for (std::size_t j = 0; j < excerpt_.size(); ++j) {
      if (!is_value(excerpt_[j])) continue;
      const bool named = claim_[i].is_number && table_ && table_->is_name(excerpt_[j]);
      if (same_value(claim_[i], excerpt_[j])) {
        keep_larger(out.own, j);
      } else if (!named && different_value(claim_[i], excerpt_[j]) && !claim_has(claim_, excerpt_[j]) &&
                 !(claim_[i].is_number && counts_different(texts_, i, j))) {
        keep_larger(out.other, j);
      }
    }
    return out;
  }

  /// Returns true if the clause with the other value fits \p statement, the claim's words about its value \p
  /// i, better than the clause with the claim's value:
  /// - in a table, it has at least one more of these words, and the claim does not name the own row or
  ///   column;
  /// - in prose, the own clause has another value (crosses()) or another word (is_replaced()) for one of
  ///   them;
  /// - in prose, it has two more, three if it lacks a word of the own clause, or one more that is in \p
  ///   values.
  [[nodiscard]] bool fits_better(std::size_t i, const value_places& at, word_mask statement,
                                 word_mask values) const noexcept {
    const auto [own, other] = at;
    const word_mask own_words = texts_.clause_of(own) & statement;
    const word_mask other_words = texts_.clause_of(other) & statement;
    const int more = std::popcount(other_words) - std::popcount(own_words);
    // Words are numbered in the order of the claim, and its subject comes first: the first word that only one
    // of both clauses has tells which of them is about it.
    const word_mask differing = own_words ^ other_words;
    const word_mask first = differing & (~differing + 1);  // the lowest bit
    if (more < 0 && (first & other_words & values) == 0) return false;
    if (excerpt_[other].in_table) {
      const bool named = table_ && table_->is_cell(excerpt_[own]) && (own_words & ~other_words) != 0;
      return more >= 1 && !named;
    }
    const word_mask before_value = mask_of(claim_[i]) - 1;
    const bool own_subject = (own_words & first & before_value) != 0;
    if (crosses(own, other_words & values) || (!own_subject && is_replaced(own, other, statement)))
      return true;
    // "The first opened in 1921, the second in 1985": words are left out in the later clause.
    const bool shortened = other < own && excerpt_[other].sentence == excerpt_[own].sentence;
    const bool includes = (own_words & ~other_words) == 0;
    const bool sharper = more == 1 && includes && (other_words & ~own_words & values) != 0;
    return !shortened && own_words != 0 && (more >= (includes ? 2 : 3) || sharper);
  }

  /// Returns true if the clause of word \p own of the excerpt has another value than the claim's \p values.
  [[nodiscard]] bool crosses(std::size_t own, word_mask values) const noexcept {
    return std::ranges::any_of(clause_at(excerpt_, own), [&](const text_word& found) {
      return is_value(found) && !claim_has(claim_, found) &&
             std::ranges::any_of(claim_, [&](const text_word& claimed) {
               return (mask_of(claimed) & values) != 0 && is_value(claimed) &&
                      different_value(claimed, found);
             });
    });
  }

  /// Returns true if the clause of \p own is about something else than the clause of \p other: a word of \p
  /// statement that only \p other has is next to the same word or value, and \p own has another word there:
  /// "the red line costs $10 and the blue line costs $15". A word that only compares does not count if the
  /// claim says when or where the value holds: "$8 in 2023, down from $10 in 2022".
  [[nodiscard]] bool is_replaced(std::size_t own, std::size_t other, word_mask statement) const noexcept {
    const word_mask own_words = texts_.clause_of(own) & statement;
    const word_mask other_words = texts_.clause_of(other) & statement;
    const bool qualified = (own_words & ~other_words) != 0;
    for (std::size_t k = 0; k < excerpt_.size(); ++k) {
      if (excerpt_[k].clause != excerpt_[other].clause) continue;
      if ((mask_of(excerpt_[k]) & other_words & ~own_words) == 0) continue;
      if (has_other_word(own, other, k, -1) || has_other_word(own, other, k, 1, qualified)) return true;
    }
    return false;
  }

  /// Returns true if the clause of \p own has another word where word \p k is in the clause of \p other, next
  /// to the same word or value. A word directly after it does not replace one after a preposition: "the left
  /// bank of the river" and "the right bank floods". With \p qualified, words that only compare do not count.
  [[nodiscard]] bool has_other_word(std::size_t own, std::size_t other, std::size_t k, int step,
                                    bool qualified = false) const noexcept {
    const std::size_t beside = next_to(excerpt_, k, step);
    if (beside == excerpt_.size()) return false;
    for (std::size_t j = 0; j < excerpt_.size(); ++j) {
      const bool same = beside == other ? j == own : excerpt_[j].word == excerpt_[beside].word;
      if (!same || (beside != other && excerpt_[j].word == no_word)) continue;
      const std::size_t instead = next_to(excerpt_, j, -step);
      if (excerpt_[j].clause != excerpt_[own].clause || instead == excerpt_.size()) continue;
      if (counts(excerpt_[instead])) continue;
      const bool governed = step < 0 && instead == j + 1;
      if (governed && excerpt_[beside + 1].role == word_role::preposition) continue;
      if (!qualified || !compares(instead)) return true;
    }
    return false;
  }

  /// Returns true if word \p k of the excerpt names nothing, but compares the value after it with the one
  /// before: "down from", "compared to", "versus", "gegenüber", "contre".
  [[nodiscard]] bool compares(std::size_t k) const noexcept {
    const auto places = [](const text_word& word) {
      return word.role == word_role::preposition || word.role == word_role::agent || is_direction(word);
    };
    const text_word& each = excerpt_[k];
    if (places(each) || each.role == word_role::symmetric) return true;
    if (next_to(excerpt_, k, -1) != excerpt_.size()) return false;
    if (places(excerpt_[k + 1])) return true;
    if (!words_before(excerpt_, k).empty()) return places(excerpt_[k - 1]);  // "par rapport à"
    // A noun has a capital in German, and an article in French.
    return !each.capital && (texts_.in == language::german || texts_.in == language::french);
  }

  /// Returns true if both clauses make one statement: "Of the 24 samples, 19 contained lead", or "He left in
  /// 1911. He did not return until 1962."
  [[nodiscard]] bool are_one_statement(std::size_t own, std::size_t other) const noexcept {
    const text_word& value = excerpt_[own];
    const text_word& rival = excerpt_[other];
    const text_word& first = sentence_at(excerpt_, own).front();
    const word_role role = first.role;
    if (value.sentence == rival.sentence + 1) return first.stop && role == word_role::none;
    const bool starts = first.clause == value.clause && rival.clause == value.clause + 1;
    return value.sentence == rival.sentence && starts &&
           (role == word_role::preposition || role == word_role::agent);
  }

  /// Finds two values of the claim that the excerpt has in each other's place: "Basic costs $50 and Pro
  /// costs $20" and "Basic costs $20 and Pro costs $50".
  void find_exchanged() {
    for (std::size_t k = 1; k < claim_.size(); ++k) {
      const std::size_t m = is_value(claim_[k]) ? only_place(k) : excerpt_.size();
      if (m == excerpt_.size()) continue;
      for (std::size_t i = 0; i < k; ++i) {
        if (claim_[i].clause == claim_[k].clause || !is_value(claim_[i]) ||
            !different_value(claim_[i], claim_[k]))
          continue;
        const std::size_t j = only_place(i);
        if (j == excerpt_.size() || excerpt_[j].clause == excerpt_[m].clause) continue;
        if (negates_clause(excerpt_, j) || negates_clause(excerpt_, m)) continue;
        const sides claimed = words_only_in(i, k);
        const sides found{texts_.clause_of(j), texts_.clause_of(m)};
        const word_mask crossed =
            (claimed.left & found.right & ~found.left) | (claimed.right & found.left & ~found.right);
        const word_mask kept =
            (claimed.left & found.left & ~found.right) | (claimed.right & found.right & ~found.left);
        if (exchanged(claimed, found) && std::popcount(crossed) > std::popcount(kept))
          return add(contradiction_rule::clause, i, m, out_);
      }
    }
  }

  /// Returns the only place of value \p i in the excerpt; the size of the excerpt if it has several or none.
  [[nodiscard]] std::size_t only_place(std::size_t i) const noexcept {
    std::size_t out = excerpt_.size();
    for (std::size_t j = 0; j < excerpt_.size(); ++j) {
      if (!same_value(claim_[i], excerpt_[j])) continue;
      if (out != excerpt_.size()) return excerpt_.size();
      out = j;
    }
    return out;
  }

  /// Returns the words of the claim that are only in the clause of \p i, and those that are only in the
  /// clause of \p k, without both values.
  [[nodiscard]] sides words_only_in(std::size_t i, std::size_t k) const noexcept {
    const word_mask left = mask_of(clause_at(claim_, i));
    const word_mask right = mask_of(clause_at(claim_, k));
    const word_mask both = (left & right) | mask_of(claim_[i]) | mask_of(claim_[k]);
    return {left & ~both, right & ~both};
  }

  const text_pair& texts_;
  word_list claim_;
  word_list excerpt_;
  std::vector<conflict>& out_;
  std::optional<table_names> table_;  ///< of the excerpt, if it has one
};

}  // namespace

void find_clause_conflicts(const text_pair& texts, std::vector<conflict>& out) {
  clause_finder(texts, out).run();
}

}  // namespace citestream::check_detail

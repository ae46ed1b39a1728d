/// \file
/// The vocabulary of English, German, French and Spanish that the rules about contradictions need: stop
/// words, negators, prepositions, and words that exclude one another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check/number_comparison.hpp"
#include "check/vocabulary.hpp"

namespace citestream::check_detail {

/// What a function word does in a sentence.
enum class word_role : std::uint8_t {
  none,
  negator,      ///< `not`, `kein`
  lacking,      ///< `without`: a negator, and with another one in its sentence it says what is necessary
  denial,       ///< `impossible`: a negator that is a content word
  limiter,      ///< `only`: a negator before it negates nothing
  alternative,  ///< `or`: after a negation, it negates what follows, too
  conjunction,  ///< `and`, `while`, `but`: starts a clause
  preposition,  ///< `in`, `with`
  article,      ///< `a`, `the`, `its`
  agent,        ///< `by`, `von`: names who acts after a passive
  auxiliary,    ///< `was`, `wurde`: before a participle, the sentence is passive
  than,         ///< `than`
  maybe_than,   ///< `als`, `que`: with a comparative before it
  comparative,  ///< `plus`, `menos`
  symmetric,    ///< `met`: subject and object can be exchanged
  until,        ///< `until`, `bis`: a preposition
  condition,    ///< `if`: what follows in its clause need not be so
  except,       ///< `except`: what follows in its clause is excluded
  bound,        ///< `least`: the number after it need not be exact
  fraction,     ///< `third`: an article before it is the number 1
  adjacent,     ///< `previous`, `next`: next to `year`, means a different year than the one named
  expectation,  ///< `feared`: what follows may not be so
  obligation,   ///< `need`, `have` before `to`: if it is negated, what follows is permitted
  undoing,      ///< `removed`, `prevents`: a content word; its sentence may say the same as a negated one
  times,        ///< `times`, `twice`: multiplies
  rest,         ///< `rest`, `remaining`: the part that a share does not include
};

/// The kinds of contradictions: the values of contradiction::rule.
enum class contradiction_rule : std::uint8_t {
  none,
  negation,  ///< one text negates a word and the other never does
  number,    ///< another number of the same thing: before the same noun (also `one`), or, if no reference has
             ///< the claim's number, next to the same words (wrong_number.hpp)
  scale,     ///< the same digits at another scale: 5 million, 5 billion
  clause,    ///< a value in a clause or cell of a table, while the words around it fit another one better
  antonym,   ///< another member of the same class: `large`, `small`; the same for the following seven
  quantity,  ///< `must`, `may`; or the other side of a limit
  month,
  weekday,
  place,
  order,       ///< `first`, `second`
  unit,        ///< `celsius`, `yen`: only next to a number
  direction,   ///< `by` for `to` or `from`: only before the same number
  comparison,  ///< the sides of `than` are exchanged
  roles,       ///< who does it and to whom it is done are exchanged
};

/// What is special about a class of words.
enum class class_kind : std::uint8_t {
  plain,
  change,    ///< `rose`, `fell`: antonyms that cannot be exchanged together with what is around them
  transfer,  ///< `buy`, `sell`: antonyms in the active voice
  ban,       ///< `allowed`, `forbidden`: antonyms; the second one negates
  opening,   ///< `open`, `closed`: antonyms; one begins where the other ends
  sequence,  ///< `before`, `after`: antonyms
  modal,     ///< `must`, `may`
  amount,    ///< `all`, `most`, `some`, `few`: members in this order
  metric,    ///< `kg`: units, each of them ten to the power of its index
  duration,  ///< `hours`: units of time; members from milliseconds to centuries
};

/// Members of classes, by their index.
namespace members {
inline constexpr std::uint8_t up = 0;    // `rose`, `more`, `at most`
inline constexpr std::uint8_t down = 1;  // `fell`, `less`, `at least`
inline constexpr std::uint8_t must = 0, may = 1, forbidden = 1, all = 0, before = 0;
inline constexpr std::uint8_t by = 0, to = 1, from = 2;
}  // namespace members

/// A class of words that exclude one another, and the member of it that a word is: `rose` and `fell`, `March`
/// and `April`.
struct class_member {
  std::uint16_t class_id{};   ///< 0: none
  std::uint8_t index{};       ///< of the member in its class
  contradiction_rule rule{};  ///< that compares the members
  class_kind kind{};

  [[nodiscard]] bool is_same(const class_member& other) const noexcept {
    return class_id != 0 && class_id == other.class_id && index == other.index;
  }
  [[nodiscard]] bool excludes(const class_member& other) const noexcept {
    return class_id != 0 && class_id == other.class_id && index != other.index && !may_contain(other) &&
           !other.may_contain(*this);
  }
  /// Returns true if this is a continent and \p other a country that may be in it. Classes of places start
  /// with Europe, Africa and Asia, then come the USA.
  [[nodiscard]] bool may_contain(const class_member& other) const noexcept {
    constexpr std::uint8_t usa = 3;
    return rule == contradiction_rule::place && index < usa && other.index > usa;
  }
};

/// What the vocabulary knows about a word.
struct word_sense {
  class_member member{};
  word_role role{};
  bool stop{};           ///< says nothing about what a text is about
  rounding rounds{};     ///< what it says about the number after it
  std::uint8_t count{};  ///< a number that it may mean: 1 for `one`, 2 for `half` and `twice`
};

// All words are in one table, which is built on first use and never changes. Lookups take constant time.

/// Returns what is known about a function word, by its folded letters.
[[nodiscard]] word_sense find_function_word(std::string_view folded, language in) noexcept;
/// Returns what is known about a content word, by its stem: see stem().
[[nodiscard]] word_sense find_content_word(std::string_view stem, language in) noexcept;
/// Returns the other sense of a word that has two: the amounts `most` and `least`, which are superlatives,
/// too, and units that are something else unless a number precedes: `5 m`, `30 seconds`.
[[nodiscard]] word_sense find_other_sense(std::string_view folded, language in) noexcept;
/// Returns in which languages a word is a stop word: a bit for each, the first for English.
[[nodiscard]] std::uint8_t stop_languages_of(std::string_view folded) noexcept;
/// Returns how much of the table is used, from 0 to 1. A full table would be searched without end.
[[nodiscard]] double lexicon_load() noexcept;

}  // namespace citestream::check_detail

/// \file
/// A claim and an excerpt of a reference, word by word: how their words are related, and whether two
/// clauses are about the same case.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "check/text_words.hpp"

namespace citestream::check_detail {

using word_list = std::span<const text_word>;
/// A set of content words of the claim: a bit for each of the first 64.
using word_mask = std::uint64_t;

/// How many clauses have sets of their own. Later ones share those of others.
inline constexpr std::size_t max_clauses = 256;

[[nodiscard]] inline word_mask mask_of(std::uint32_t word) noexcept {
  return word < 64 ? word_mask{1} << word : 0;
}
[[nodiscard]] inline word_mask mask_of(const text_word& each) noexcept {
  return mask_of(each.word);
}

[[nodiscard]] inline word_mask mask_of(word_list words) noexcept {
  word_mask out = 0;
  for (const text_word& each : words) out |= mask_of(each);
  return out;
}

[[nodiscard]] inline std::size_t first_near(std::size_t at, std::size_t reach) noexcept {
  return at > reach ? at - reach : 0;
}

/// What words_before() and words_after() stay in. The words of a clause or sentence follow one another.
inline constexpr auto in_clause = &text_place::clause;
inline constexpr auto in_sentence = &text_place::sentence;
inline constexpr std::size_t all_words = ~std::size_t{0};

/// Returns the words before word \p i in its clause or sentence, at most the last \p reach of them.
[[nodiscard]] inline word_list words_before(word_list text, std::size_t i, std::size_t reach = all_words,
                                            std::uint16_t text_place::*unit = in_clause) noexcept {
  std::size_t first = i;
  while (first > 0 && i - first < reach && text[first - 1].*unit == text[i].*unit) --first;
  return text.subspan(first, i - first);
}

/// Returns the words after word \p i in its clause or sentence, at most the first \p reach of them.
[[nodiscard]] inline word_list words_after(word_list text, std::size_t i, std::size_t reach = all_words,
                                           std::uint16_t text_place::*unit = in_clause) noexcept {
  std::size_t last = i + 1;
  while (last < text.size() && last - i <= reach && text[last].*unit == text[i].*unit) ++last;
  return text.subspan(i + 1, last - i - 1);
}

/// Returns the clause of word \p i.
[[nodiscard]] inline word_list clause_at(word_list text, std::size_t i) noexcept {
  const std::size_t first = i - words_before(text, i).size();
  return text.subspan(first, i - first + 1 + words_after(text, i).size());
}

/// Returns the sentence of word \p i.
[[nodiscard]] inline word_list sentence_at(word_list text, std::size_t i) noexcept {
  const std::size_t before = words_before(text, i, all_words, in_sentence).size();
  return text.subspan(i - before, before + 1 + words_after(text, i, all_words, in_sentence).size());
}

/// Returns the sentence before that of word \p i, empty if that is the first one.
[[nodiscard]] word_list sentence_before(word_list text, std::size_t i) noexcept;

/// Returns true if one of \p words has this role.
[[nodiscard]] inline bool has_role(word_list words, word_role role) noexcept {
  return std::ranges::any_of(words, [role](const text_word& each) { return each.role == role; });
}

/// Returns true for a number, and for a word of the claim that may be one: `drei`.
[[nodiscard]] inline bool counts(const text_word& each) noexcept {
  return each.is_number || each.word != no_word;
}

/// Returns true for a number that is a content word of the claim.
[[nodiscard]] inline bool is_known_number(const text_word& each) noexcept {
  return each.is_number && each.word != no_word;
}

/// Returns true for a plain number in digits or as a numeral: `2`, `two`.
[[nodiscard]] inline bool is_count(const text_word& each) noexcept {
  return each.is_number && each.value.kind == number_kind::plain;
}

[[nodiscard]] inline bool is_antonym(const text_word& each) noexcept {
  return each.member.rule == contradiction_rule::antonym;
}
/// Returns true for an antonym that is not a change, a transfer, a ban or an opening.
[[nodiscard]] inline bool is_plain_antonym(const text_word& each) noexcept {
  const class_kind kind = each.member.kind;
  return is_antonym(each) && (kind == class_kind::plain || kind == class_kind::sequence);
}

/// Returns true if word \p i is a member of a class. A unit is one only after a number.
[[nodiscard]] inline bool has_class(word_list text, std::size_t i) noexcept {
  if (text[i].member.rule != contradiction_rule::unit) return text[i].member.class_id != 0;
  return (i > 0 && counts(text[i - 1])) || (i > 1 && counts(text[i - 2]));
}

[[nodiscard]] inline bool is_month(const text_word& each) noexcept {
  return each.member.rule == contradiction_rule::month;
}
/// Returns true for `by`, `to`, `from`.
[[nodiscard]] inline bool is_direction(const text_word& each) noexcept {
  return each.member.rule == contradiction_rule::direction;
}

/// Returns true for `until` and the like, but not for the French `au`, which is also part of other words.
[[nodiscard]] inline bool is_until(const text_word& each) noexcept {
  return each.role == word_role::until && each.end - each.begin > 2;
}

/// Returns true for `to`, `until` and the like.
[[nodiscard]] inline bool is_to(const text_word& each) noexcept {
  return each.role == word_role::until || (is_direction(each) && each.member.index == members::to);
}

/// Returns true if both are the same word, or have the same meaning as members of a class: `Monat`, `Monate`.
[[nodiscard]] inline bool is_same(const text_word& a, const text_word& b) noexcept {
  return (a.word != no_word && a.word == b.word) || a.member.is_same(b.member);
}

/// Returns the content word or number next to word \p at in its clause, in front of it (\p step -1) or
/// after it (+1). Returns the size of \p text if \p reach words or the clause end first.
[[nodiscard]] std::size_t next_to(word_list text, std::size_t at, int step,
                                  std::size_t reach = ~std::size_t{0}) noexcept;

/// Returns the content word after the number \p i, no_word if a number, the end of the clause or cell, or \p
/// reach words come first. Both numbers of "5 to 7 days" have the noun.
[[nodiscard]] std::uint32_t noun_after(word_list text, std::size_t i, std::size_t reach) noexcept;

/// Returns true for numbers, months, weekdays, places and ordinals: another one makes another statement.
[[nodiscard]] inline bool is_value(const text_word& each) noexcept {
  const contradiction_rule rule = each.member.rule;
  return each.is_number || rule == contradiction_rule::month || rule == contradiction_rule::weekday ||
         rule == contradiction_rule::place || rule == contradiction_rule::order;
}

/// Returns true for equal numbers, and for members of a class with the same meaning.
[[nodiscard]] inline bool same_value(const text_word& a, const text_word& b) noexcept {
  if (a.is_number != b.is_number) return false;
  if (a.is_number) return a.word != no_word && a.word == b.word;
  return a.member.is_same(b.member);
}

/// Returns true for different numbers of one kind, and for members of a class that exclude one another.
[[nodiscard]] inline bool different_value(const text_word& a, const text_word& b) noexcept {
  if (a.is_number != b.is_number) return false;
  if (a.is_number) return a.word != b.word && a.value.kind == b.value.kind && a.value.agrees(b.value);
  return a.member.excludes(b.member);
}

/// Returns the words of \p claim about its value \p i, without other values of its kind: those of its
/// sentence, or only those of its clause if another clause has such a value, or a number after two words. The
/// sentence before is included if it has no value: "How long can tents be returned? 14 days."
[[nodiscard]] word_mask statement_about(word_list claim, std::size_t i) noexcept;

/// Returns true if the clause of word \p at negates something other than a number or its limit: not in "no
/// more than ten".
[[nodiscard]] bool negates_clause(word_list text, std::size_t at) noexcept;

/// Returns true if number \p i is the day of a date: `3 April`, `April 3`, `3 de abril`.
[[nodiscard]] bool is_day(word_list text, std::size_t i) noexcept;

/// Returns the word before the value \p i, or before the number next to it, that tells on which side of the
/// value something is: `before`, `until 5 May`. Null if there is no such word.
[[nodiscard]] const text_word* limit_word_before(word_list text, std::size_t i) noexcept;

/// What a text says about a number that need not be exact: "at least 5", "5 or more", "no more than 5".
enum class bound : std::uint8_t { none, least, most };

[[nodiscard]] bound bound_at(word_list text, std::size_t i) noexcept;

/// The words of a claim and of an excerpt of a reference.
struct text_pair {
  word_list claim;
  word_list excerpt;
  language in{};         ///< of both
  bool claim_negates{};  ///< it has a negator
  bool excerpt_negates{};
  word_mask nowhere{};                           ///< the claim's words that no reference has
  std::array<word_mask, max_clauses> clauses{};  ///< the claim's words in each clause of the excerpt

  void assign(const text_words& of_claim, const text_words& of_excerpt, language of_both) noexcept;
  /// Returns the claim's words in the clause of a word of the excerpt.
  [[nodiscard]] word_mask clause_of(const text_word& found) const noexcept {
    return clauses[found.clause % max_clauses];
  }
  [[nodiscard]] word_mask clause_of(std::size_t j) const noexcept { return clause_of(excerpt[j]); }
};

/// Returns the noun of number \p i of the claim, and of number \p j of the excerpt, where an adjective may be
/// in front of it.
[[nodiscard]] inline std::uint32_t claimed_noun(const text_pair& texts, std::size_t i) noexcept {
  return noun_after(texts.claim, i, 2);
}
[[nodiscard]] inline std::uint32_t found_noun(const text_pair& texts, std::size_t j) noexcept {
  return noun_after(texts.excerpt, j, 3);
}

/// Returns true if two words of the claim are in one clause, or one of them is in a short clause before that
/// of the other in the same sentence: "In June, a room costs 9 euros".
[[nodiscard]] bool belong_together(word_list claim, const text_word& one, const text_word& other) noexcept;

/// Returns true if the clause of word \p i of the claim has another day, month, year, place or rank than the
/// clause of word \p j of the excerpt, which has none of the claim.
[[nodiscard]] bool has_different_frame(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if the clause of word \p i of the claim and that of word \p j of the excerpt each have a
/// number that the other one does not have.
[[nodiscard]] bool has_different_number(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if the clause of word \p j of the excerpt is about another case than the clause of word \p i
/// of the claim: another day, month, year or place, another number, another side of a limit, or another
/// condition. "Children under six pay no entrance fee, adults pay 6 euros" does not contradict "the entrance
/// fee is 6 euros".
[[nodiscard]] bool is_other_case(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if the claim only contrasts word \p i with the clause before it ("due on Friday, not
/// Monday"), and the excerpt has the last word of that clause and does not join both ("on Friday and
/// Monday"). Returns false after a condition: "if it is late, not refundable".
[[nodiscard]] bool is_contrasted(const text_pair& texts, std::size_t i) noexcept;

/// Returns true if the clauses of both words say the opposite, so that another day or number is no
/// contradiction: "closed on Mondays" and "open on Tuesdays".
[[nodiscard]] bool is_opposite(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if the excerpt has a range of days or months with a word of the claim: `Monday to Friday`.
[[nodiscard]] bool in_range(word_list excerpt, const text_word& claimed) noexcept;

/// Returns true if \p words, a part of the excerpt, have an opposite of a word of the claim, and not its own
/// meaning.
[[nodiscard]] bool has_only_opposite(word_list words, const text_word& claimed) noexcept;

}  // namespace citestream::check_detail

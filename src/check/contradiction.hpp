/// \file
/// Finds contradictions between a claim and an excerpt of a reference, and what the rules about them have in
/// common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/text_pair.hpp"

namespace citestream::check_detail {

/// Returns the value of contradiction::rule, which has static storage.
[[nodiscard]] std::string_view name(contradiction_rule rule) noexcept;

/// A word of the claim and the word of the excerpt that contradicts it.
struct conflict {
  contradiction_rule rule{};
  std::size_t claim{};  ///< index in the words of the claim
  std::size_t excerpt{};
};

/// Appends what the rules find, at most one conflict for each word of the claim. For each pair of
/// words, both texts may be read again: time is bounded by their numbers of words.
/// In a language without a vocabulary, only the rules `number`, `scale` and `clause` are applied.
void find_contradictions(const text_pair& texts, std::vector<conflict>& out);

/// How many words around a word of the claim, and of the excerpt, tell what it is about.
inline constexpr std::size_t claim_reach = 4;
inline constexpr std::size_t excerpt_reach = 6;
/// number::digits of at least this value rarely agree by chance.
inline constexpr std::uint64_t two_digits = 10;

/// How many words around a word of the claim are around a word of the excerpt.
struct context {
  std::size_t all{};
  std::size_t found{};

  [[nodiscard]] bool half() const noexcept { return all > 0 && found * 2 >= all; }
  [[nodiscard]] bool most() const noexcept { return found * 2 > all; }
};

/// Compares the words around word \p i of the claim with those around word \p j of the excerpt.
[[nodiscard]] context context_at(const text_pair& texts, std::size_t i, std::size_t j,
                                 std::size_t reach = excerpt_reach) noexcept;

/// How a word of the excerpt relates to a word of the claim: not at all, or as the same or another statement
/// about the same thing.
enum class relation : std::uint8_t { none, same, other };

/// The content words next to a word, in its clause.
struct sides {
  word_mask left{};
  word_mask right{};
};

/// Returns up to 3 content words on each side of a word, in its clause. The right side starts after \p last
/// if that is later.
[[nodiscard]] sides sides_of(word_list text, std::size_t at, std::size_t last = 0) noexcept;

/// Returns up to 8 content words and numbers on each side of a word, those before it from its whole sentence:
/// "in 1990, more people smoked than today".
[[nodiscard]] sides wide_sides_of(word_list text, std::size_t at) noexcept;

/// Returns true if an auxiliary verb is up to three words before the verb \p i in its clause.
[[nodiscard]] inline bool is_passive(word_list text, std::size_t i) noexcept {
  return has_role(words_before(text, i, 3), word_role::auxiliary);
}

/// Returns true for `than`, and for `als` or `que` after a comparative.
[[nodiscard]] bool is_than(word_list text, std::size_t i) noexcept;

/// Returns true if a word that is only on the left in one text is only on the right in the other, and the
/// other way around.
[[nodiscard]] constexpr bool exchanged(const sides& a, const sides& b) noexcept {
  const word_mask left = a.left & ~a.right & b.right & ~b.left;
  const word_mask right = a.right & ~a.left & b.left & ~b.right;
  return left != 0 && right != 0;
}

/// Appends a conflict unless there is one of the same word of the claim.
inline void add(contradiction_rule rule, std::size_t i, std::size_t j, std::vector<conflict>& out) {
  if (std::ranges::find(out, i, &conflict::claim) == out.end()) out.push_back({rule, i, j});
}

/// Compares word \p i of the claim with each word of the excerpt: \p compare takes a place in it. Adds the
/// last one with the relation `other`, unless one has the relation `same`.
template <typename Compare>
void find_other(const text_pair& texts, contradiction_rule rule, std::size_t i, std::vector<conflict>& out,
                const Compare& compare) {
  std::size_t place = texts.excerpt.size();
  for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
    const relation found = compare(j);
    if (found == relation::same) return;
    if (found == relation::other) place = j;
  }
  if (place < texts.excerpt.size()) add(rule, i, place, out);
}

/// Returns true if the claim has the same word or number, or the same member of the same class.
[[nodiscard]] bool claim_has(word_list claim, const text_word& found) noexcept;

/// Returns true if the content words next to both words, before them (\p step -1) or after them (+1), are the
/// same.
[[nodiscard]] bool same_beside(const text_pair& texts, std::size_t i, std::size_t j, int step) noexcept;

/// Returns true if the sentence of word \p j of the excerpt makes an exception and the claim is about it, so
/// that it says the opposite of the rest of the sentence.
[[nodiscard]] bool is_exception(const text_pair& texts, std::size_t j) noexcept;

/// Returns true if the excerpt does not say that word \p j is so: "they had feared a decline".
[[nodiscard]] bool is_expected(const text_pair& texts, std::size_t j) noexcept;

/// Finds words that only one of claim and excerpt negates.
void find_negation_conflicts(const text_pair& texts, std::vector<conflict>& out);

/// Finds comparisons whose sides are exchanged, and verbs before and after which the same words are. Returns
/// true if a comparison of the claim has exchanged sides and the opposite adjective, which is no
/// contradiction.
[[nodiscard]] bool find_exchange_conflicts(const text_pair& texts, std::vector<conflict>& out);

/// Finds other members of a class (lexicon.hpp), and `by` for `to` or `from` before the same number.
/// \param reversed  the result of find_exchange_conflicts(): opposites are no contradictions
void find_class_conflicts(const text_pair& texts, bool reversed, std::vector<conflict>& out);

/// Finds other numbers than those of the claim. In a language without a vocabulary, only the rules `number`
/// and `scale` are applied.
void find_number_conflicts(const text_pair& texts, std::vector<conflict>& out);

/// Finds values of the claim in another clause, or cell of a table, than the one that the claim is about.
void find_clause_conflicts(const text_pair& texts, std::vector<conflict>& out);

}  // namespace citestream::check_detail

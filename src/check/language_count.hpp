/// \file
/// Which language a text is in.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "check/vocabulary.hpp"

namespace citestream::check_detail {

/// Languages whose stop words are known: those of the vocabulary and Portuguese, Italian and Dutch.
inline constexpr std::size_t counted_languages = 7;

/// How many words of a text are stop words in each language.
struct language_count {
  std::array<std::size_t, counted_languages> stops{};
  /// Words with a letter that mostly this language has.
  std::array<std::size_t, counted_languages> letters{};
  std::size_t words{};

  language_count() = default;
  /// Counts the words of the first 256 bytes of \p text.
  explicit language_count(std::string_view text) noexcept;
  void add(const language_count& other) noexcept;

  /// Returns true if hardly any word of a longer text is a stop word.
  [[nodiscard]] bool is_foreign() const noexcept;
  /// Returns true if the language of a claim is known without its references: one language has the most
  /// stop words, and these are at least a quarter of all words.
  [[nodiscard]] bool decides() const noexcept;
};

/// Returns the language with most stop words in \p all: the counts of the claim, plus those of its references
/// unless the claim decides(). English if few words are stop words of any, other if the claim is_foreign().
[[nodiscard]] language language_of(const language_count& claim, const language_count& all) noexcept;

}  // namespace citestream::check_detail

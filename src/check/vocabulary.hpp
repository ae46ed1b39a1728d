/// \file
/// Stemming, and groups of stems with the same meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace citestream::check_detail {

/// Languages with a vocabulary. Other languages are read as English.
enum class language : std::uint8_t { english, german, french, spanish, other };
/// The languages with a vocabulary.
inline constexpr std::array known_languages{language::english, language::german, language::french,
                                            language::spanish};

/// Returns the language whose stop words and stems are used for \p in.
[[nodiscard]] constexpr language vocabulary_of(language in) noexcept {
  return in == language::other ? language::english : in;
}

/// Returns an array of \p words. A long list as arguments has lines, as an initializer a column.
template <typename... Word>
[[nodiscard]] constexpr std::array<std::string_view, sizeof...(Word)> list_of(const Word&... words) noexcept {
  return {words...};
}

/// Returns the part of \p rest up to \p mark and removes both.
[[nodiscard]] constexpr std::string_view take_until(std::string_view& rest, std::string_view mark) noexcept {
  const std::string_view out = rest.substr(0, rest.find(mark));
  rest.remove_prefix(out.size() < rest.size() ? out.size() + mark.size() : rest.size());
  return out;
}

/// Stems \p word (lower case) in place and returns the length of the stem. Removes plurals, `-ed`, `-ing`,
/// `-ly`, `-ment`, `-ness`, `-ion`, a final `e` and doubled consonants. In German, French and Spanish removes
/// the endings of number, gender and case, and the most common ones of verbs.
[[nodiscard]] std::size_t stem(std::span<char> word, language in) noexcept;

/// Returns the stems with the same meaning as \p stem that stemming does not unify (`grew` and `grow`, `jan`
/// and `january`, `buy` and `purchase`), including itself. Empty for most words. \p in must have a
/// vocabulary.
[[nodiscard]] std::span<const std::string_view> same_meaning(std::string_view stem, language in) noexcept;

/// Returns the stem of the name of month \p number, 1 to 12. That of May is `mai`, because `may` is a verb.
[[nodiscard]] std::string_view month_stem(unsigned number) noexcept;

/// Returns true if \p text has a word for a decline or a negative amount: a `loss of 5%` is `-5%`.
[[nodiscard]] bool mentions_decline(std::string_view text, language in) noexcept;

}  // namespace citestream::check_detail

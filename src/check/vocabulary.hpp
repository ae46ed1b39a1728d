/// \file
/// English vocabulary: stop words, stemming, and groups of irregular forms.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace citestream::check_detail {

/// Returns true if \p word (lower case) is a stop word: an article, pronoun, auxiliary or the like, which
/// does not show what a text is about.
[[nodiscard]] bool is_stop_word(std::string_view word) noexcept;

/// Stems \p word (lower case) in place and returns the length of the stem. Removes plurals, `-ed`, `-ing`,
/// `-ly`, `-ment`, `-ness`, `-ion`, a final `e` and doubled consonants.
[[nodiscard]] std::size_t stem(std::span<char> word) noexcept;

/// Returns the stems with the same meaning as \p stem that stemming does not unify (`grew` and `grow`, `jan`
/// and `january`), including itself. Empty for most words.
[[nodiscard]] std::span<const std::string_view> same_meaning(std::string_view stem) noexcept;

/// Returns the stem of the name of month \p number, 1 to 12.
[[nodiscard]] std::string_view month_stem(unsigned number) noexcept;

}  // namespace citestream::check_detail

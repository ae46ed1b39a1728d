// What is known of English: words that say nothing alone, endings, and forms that no ending explains.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace citestream::check_detail {

/// Whether a word (lower case) says nothing about what a text is about: articles, pronouns, auxiliaries.
[[nodiscard]] bool is_stop_word(std::string_view word) noexcept;

/// The length of the stem of the word in \p word, which is lower case; its last letters may be changed.
/// Light: plurals, `-ed`, `-ing`, `-ly`, `-ment`, `-ness`, `-ion`, a last `e`, doubled consonants.
[[nodiscard]] std::size_t stem(std::span<char> word) noexcept;

/// Stems that mean the same as \p stem and that no ending explains (`grew` and `grow`, `jan` and `january`),
/// itself among them; empty for most.
[[nodiscard]] std::span<const std::string_view> same_meaning(std::string_view stem) noexcept;

/// The stem of the name of month \p number, 1 to 12.
[[nodiscard]] std::string_view month_stem(unsigned number) noexcept;

}  // namespace citestream::check_detail

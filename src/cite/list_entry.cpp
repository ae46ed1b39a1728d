#include "cite/list_entry.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace citestream {
namespace {

constexpr std::string_view page_words[] = {"p",     "pp",     "page",   "pages",  "s",
                                           "seite", "seiten", "página", "páginas"};

/// The first two of the three bytes of U+2000 to U+203F: dashes, quotation marks, bullets.
constexpr std::string_view wide_marks = "\xE2\x80";

/// Bytes of UTF-8 outside ASCII count as letters, except those of `wide_marks`.
[[nodiscard]] bool is_word_byte(char byte) noexcept {
  return ascii::is_alphanumeric(byte) || static_cast<unsigned char>(byte) >= 0x80;
}

[[nodiscard]] bool equal_in_any_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, &ascii::lower, &ascii::lower);
}

/// Removes \p name from the front of \p text, if a word ends there.
[[nodiscard]] bool remove_name(std::string_view& text, std::string_view name) noexcept {
  name = without_marks(name);
  if (name.empty() || text.size() < name.size()) return false;
  if (text.size() > name.size() && is_word_byte(text[name.size()])) return false;
  if (!equal_in_any_case(text.substr(0, name.size()), name)) return false;
  text.remove_prefix(name.size());
  return true;
}

/// Removes a number or a word such as `page` from the front of \p text.
[[nodiscard]] bool remove_page(std::string_view& text) noexcept {
  const auto end = std::ranges::find_if_not(text, &is_word_byte);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  const auto same = [word](std::string_view one) { return equal_in_any_case(word, one); };
  if (!std::ranges::all_of(word, &ascii::is_digit) && std::ranges::none_of(page_words, same)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::string_view without_marks(std::string_view text) noexcept {
  while (!text.empty() && (!is_word_byte(text.front()) || text.starts_with(wide_marks)))
    text.remove_prefix(is_word_byte(text.front()) ? 3 : 1);
  const auto ends_wide = [&] {
    return text.size() >= 3 && text.substr(text.size() - 3).starts_with(wide_marks);
  };
  while (!text.empty() && (!is_word_byte(text.back()) || ends_wide()))
    text.remove_suffix(is_word_byte(text.back()) ? 3 : 1);
  return text;
}

bool is_label(std::string_view text) noexcept {
  text = text.substr(0, text.find_last_not_of(" \t\r\n*_") + 1);
  if (!text.ends_with(':') && !text.ends_with("\uFF1A")) return false;
  return std::ranges::count(without_marks(text), ' ') < 2;
}

bool only_names(std::string_view text, const reference& ref) noexcept {
  // A reference that is only a text is named by it.
  if (without_marks(ref.title) == without_marks(ref.text)) return false;
  bool named = false;
  for (text = without_marks(text); !text.empty(); text = without_marks(text)) {
    const bool name = remove_name(text, ref.title) || remove_name(text, ref.url) ||
                      remove_name(text, ref.id) || remove_name(text, ref.cite);
    named = named || name;
    if (!name && !remove_page(text)) return false;
  }
  return named;
}

}  // namespace citestream

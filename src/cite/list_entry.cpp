// How entries of lists are recognised.
//
// Text is read as words and what is between them (separator_size()). An entry is read from left to right:
// names of a reference, words such as `page`, and numbers after these are skipped, in any order. If nothing
// is left and there was a name, the text only names the reference. A number without a word before it may be a
// statement (`Q1: 99`), so it is not skipped. The cost is linear in the text for each reference.
#include "cite/list_entry.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/characters.hpp"
#include "base/code_point.hpp"
#include "base/field_text.hpp"

namespace citestream {
namespace {

constexpr std::string_view wide_colon = "\uFF1A";
constexpr std::string_view page_words[] = {"p",     "pp",     "page",   "pages",   "f",   "ff",  "s",
                                           "seite", "seiten", "página", "páginas", "pág", "págs"};

/// Returns the size of the first character of \p text if it separates words. Otherwise, and for an empty
/// text, 0.
[[nodiscard]] std::size_t separator_size(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const code_point first = first_code_point(text);
  return is_separator(first.value) ? first.length : 0;
}

/// Removes the first word.
[[nodiscard]] std::string_view take_word(std::string_view& text) noexcept {
  std::size_t size = 0;
  while (size < text.size() && separator_size(text.substr(size)) == 0) ++size;
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

[[nodiscard]] bool is_ascii(std::string_view text) noexcept {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

/// Returns the word of \p text if it is the only one, short and without digits. Otherwise returns an empty
/// text.
[[nodiscard]] std::string_view only_word(std::string_view text) noexcept {
  constexpr std::size_t longest = 24;  // bytes
  std::string_view rest = trimmed_to_words(text);
  const std::string_view word = take_word(rest);
  const bool digits = std::ranges::any_of(word, &ascii::is_digit);
  return rest.empty() && word.size() <= longest && !digits ? word : std::string_view{};
}

/// Returns the size of \p name if \p text starts with it and its last word ends there. Otherwise returns 0.
[[nodiscard]] std::size_t name_size(std::string_view text, std::string_view name) noexcept {
  name = trimmed_to_words(name);
  if (text.size() < name.size() || !http::same_name(text.substr(0, name.size()), name)) return 0;
  const std::string_view rest = text.substr(name.size());
  return rest.empty() || separator_size(rest) > 0 ? name.size() : 0;
}

/// Removes the longest name of \p ref from the start of \p text. Returns false if no name is there.
[[nodiscard]] bool skip_name(std::string_view& text, const reference& ref) noexcept {
  const std::size_t size = std::max({name_size(text, ref.title), name_size(text, ref.url),
                                     name_size(text, ref.id), name_size(text, ref.cite)});
  text.remove_prefix(size);
  return size > 0;
}

/// Removes a label and its colon from the start of \p text, if they are there.
void skip_label(std::string_view& text) noexcept {
  std::string_view rest = text;
  if (!is_lone_word(take_word(rest))) return;
  rest = rest.substr(std::min(rest.find_first_not_of("*_"), rest.size()));
  if (rest.starts_with(':') || rest.starts_with(wide_colon)) text = trimmed_to_words(rest);
}

}  // namespace

std::string_view trimmed_to_words(std::string_view text) noexcept {
  while (const std::size_t size = separator_size(text)) text.remove_prefix(size);
  while (!text.empty()) {
    std::size_t last = text.size() - 1;
    while (last > 0 && text.size() - last < 4 && is_continuation(text[last])) --last;
    if (separator_size(text.substr(last)) == 0) break;
    text = text.substr(0, last);
  }
  return text;
}

bool is_label(std::string_view text) noexcept {
  // Chinese has no blanks between words: twelve bytes are four characters.
  constexpr std::size_t max_wide_bytes = 12;
  const std::string_view word = only_word(text);
  if (word.empty() || (!is_ascii(word) && word.size() > max_wide_bytes)) return false;
  text = text.substr(0, text.find_last_not_of(" \t\r\n*_") + 1);
  return text.ends_with(':') || text.ends_with(wide_colon);
}

bool is_lone_word(std::string_view text) noexcept {
  const std::string_view word = only_word(text);
  return !word.empty() && is_ascii(word);
}

bool only_names(std::string_view text, const reference& ref) noexcept {
  constexpr std::size_t longest = 400;  // bytes; longer text says more than a name
  if (text.size() > longest) return false;
  text = trimmed_to_words(text);
  skip_label(text);
  bool named = false;
  bool pages = false;  // numbers may follow
  for (; !text.empty(); text = trimmed_to_words(text)) {
    const bool name = skip_name(text, ref);
    named = named || name;
    if (name) continue;
    const std::string_view word = take_word(text);
    if (http::is_one_of(page_words, word)) {
      pages = true;
    } else if (!pages || !std::ranges::all_of(word, &ascii::is_digit)) {
      return false;
    }
  }
  return named;
}

bool starts_with_name(std::string_view text, const reference& ref) noexcept {
  text = trimmed_to_words(text);
  if (!skip_name(text, ref)) return false;
  while (text.starts_with(' ') || text.starts_with('*') || text.starts_with('_')) text.remove_prefix(1);
  const bool colon = text.starts_with(':') || text.starts_with(wide_colon);
  return text.empty() || (!colon && separator_size(text) > 0);
}

}  // namespace citestream

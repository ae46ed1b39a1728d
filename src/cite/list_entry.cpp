// How entries of lists are recognised.
//
// Text is read as words and what is between them (separator_size()). An entry is read from left to right:
// names of a reference, words such as `page`, and numbers after these are skipped, in any order. If nothing
// is left and there was a name, the text only names the reference. A number without a word before it may be a
// statement (`Q1: 99`), so it is not skipped. The cost is linear in the text for each reference.
//
// An introduction (only_introduces()) is an opening, `as` or an article, then the name of a source, then
// perhaps a verb of reporting. The name is one of the reference, or words that may be part of a name and end
// with a noun for a document.
#include "cite/list_entry.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "base/characters.hpp"
#include "base/code_point.hpp"
#include "source_words.hpp"

namespace citestream {
namespace {

constexpr std::string_view wide_colon = "\uFF1A";
/// Openings after which a name follows that need not be that of a document: `According to Reuters`.
constexpr std::string_view before_names[] = {"according to ", "as per ", "laut ",
                                             "nach angaben ", "selon ",  "d'après ",
                                             "d’après ",      "según ",  "de acuerdo con "};
constexpr std::string_view determiners[] = {"the", "a",   "an",  "his", "her",  "their", "der",
                                            "die", "das", "den", "dem", "eine", "einen", "le",
                                            "la",  "les", "une", "el",  "los",  "las",   "una"};
constexpr std::string_view articles[] = {
    "the ",    "this ",  "that ",   "these ", "our ", "your ", "a ",     "an ",    "der ",    "die ",
    "das ",    "dem ",   "den ",    "des ",   "ein ", "eine ", "einem ", "einer ", "dieser ", "diese ",
    "dieses ", "unser ", "unsere ", "le ",    "la ",  "les ",  "l'",     "l’",     "ce ",     "cette ",
    "un ",     "une ",   "una ",    "el ",    "los ", "las ",  "este ",  "esta "};
/// Words that may be part of the name of a source, besides capitalised words and years.
constexpr std::string_view name_words[] = {
    "of",     "the",      "for",       "and",   "on",         "in",        "by",      "from",      "des",
    "der",    "dem",      "den",       "von",   "vom",        "zu",        "zum",     "zur",       "für",
    "über",   "und",      "de",        "du",    "la",         "le",        "les",     "et",        "del",
    "el",     "los",      "las",       "y",     "annual",     "quarterly", "monthly", "financial", "latest",
    "new",    "recent",   "official",  "cited", "provided",   "retrieved", "first",   "second",    "same",
    "annuel", "annuelle", "financier", "anual", "trimestral", "financiero"};

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
  if (text.size() < name.size() || !ascii::same_name(text.substr(0, name.size()), name)) return 0;
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

/// Removes the first of \p all from the start of \p text, if one is there. Returns whether it was.
[[nodiscard]] bool skip_start(std::string_view& text, std::span<const std::string_view> all) noexcept {
  const std::string_view found = opening_of(text, all);
  text.remove_prefix(found.size());
  return !found.empty();
}

/// Removes a verb of reporting, which a blank separates, from the end of \p text, or from its start if \p
/// first. Returns whether one was there.
[[nodiscard]] bool skip_verb(std::string_view& text, bool first) noexcept {
  const std::size_t blank = first ? text.find(' ') : text.rfind(' ');
  if (blank == std::string_view::npos) return false;
  const std::string_view before = text.substr(0, blank);
  const std::string_view after = text.substr(blank + 1);
  if (!is_reporting_verb(first ? before : after)) return false;
  text = trimmed_to_words(first ? after : before);
  return true;
}

/// Returns true for `report.pdf`.
[[nodiscard]] bool is_file_name(std::string_view word) noexcept {
  const std::size_t dot = std::min(word.rfind('.'), word.size());
  const std::string_view extension = word.substr(std::min(dot + 1, word.size()));
  return dot > 0 && extension.size() >= 2 && extension.size() <= 4 &&
         std::ranges::all_of(extension, &ascii::is_letter);
}

/// What the words of a phrase are.
struct phrase_words {
  std::size_t count{};
  bool name{true};  ///< all may be part of a name
  bool article{};
  bool ends_with_noun{};  ///< for a document, perhaps with more of a name after it
};

/// Reads at most \p most + 1 words of \p phrase. \param only_name  stop at a word that is not part of a name
[[nodiscard]] phrase_words words_of(std::string_view phrase, std::size_t most, bool only_name) noexcept {
  phrase_words out;
  while (!phrase.empty() && out.count <= most && (out.name || !only_name)) {
    const std::size_t blank = std::min(phrase.find(' '), phrase.size());
    const std::string_view word = trimmed_to_words(phrase.substr(0, blank));
    phrase.remove_prefix(std::min(blank + 1, phrase.size()));
    if (word.empty()) continue;
    ++out.count;
    const bool noun = is_source_noun(word) || is_file_name(word);
    out.article = out.article || ascii::is_one_of(determiners, word);
    const bool part =
        (word.front() >= 'A' && word.front() <= 'Z') || is_year(word) || ascii::is_one_of(name_words, word);
    out.ends_with_noun = noun || (out.ends_with_noun && part);
    out.name = out.name && (noun || part);
  }
  return out;
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
  if (word.empty() || (!std::ranges::all_of(word, ascii::is_ascii) && word.size() > max_wide_bytes))
    return false;
  text = text.substr(0, text.find_last_not_of(" \t\r\n*_") + 1);
  return text.ends_with(':') || text.ends_with(wide_colon);
}

bool is_lone_word(std::string_view text) noexcept {
  const std::string_view word = only_word(text);
  return !word.empty() && std::ranges::all_of(word, ascii::is_ascii);
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
    if (ascii::is_one_of(page_words, word)) {
      pages = true;
    } else if (!pages || !std::ranges::all_of(word, &ascii::is_digit)) {
      return false;
    }
  }
  return named;
}

bool only_introduces(std::string_view text, const reference* ref) noexcept {
  constexpr std::size_t longest = 90;  // bytes
  constexpr std::size_t most_words = 8;
  constexpr std::size_t most_others = 5;  // in a phrase of other words than names
  text = trimmed_to_words(text);
  if (text.size() > longest || text.find_first_of(",;:!?|\n") != std::string_view::npos ||
      text.find(". ") != std::string_view::npos)
    return false;
  std::string_view phrase = text;
  std::string_view before = text;
  const bool before_name = skip_start(before, before_names);
  const bool opens = skip_start(phrase, openings);
  const bool as = !opens && skip_start(phrase, as_words);
  bool article = skip_start(phrase, articles);
  bool reports = !opens && skip_verb(phrase, false);
  if (as && !reports && skip_verb(phrase, true)) {  // `Como indica el informe`
    reports = true;
    article = skip_start(phrase, articles);
  }
  if (!as && !opens && !article) return false;
  if (ref != nullptr && only_names(phrase, *ref)) return true;
  const phrase_words words = words_of(phrase, most_words, !opens);
  if (words.count == 0 || words.count > most_words) return false;
  return words.name ? words.ends_with_noun || before_name || (as && reports)
                    : opens && words.ends_with_noun && !words.article && words.count <= most_others;
}

bool starts_with_name(std::string_view text, const reference& ref) noexcept {
  text = trimmed_to_words(text);
  if (!skip_name(text, ref)) return false;
  while (text.starts_with(' ') || text.starts_with('*') || text.starts_with('_')) text.remove_prefix(1);
  const bool colon = text.starts_with(':') || text.starts_with(wide_colon);
  return text.empty() || (!colon && separator_size(text) > 0);
}

}  // namespace citestream

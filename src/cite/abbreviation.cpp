// How words that do not end a sentence are recognised.
//
// The text before a full stop is read backwards: a word of letters, or a number and the word before it. It is
// looked up in short lists of English, German, French and Spanish words. A single letter is an initial if it
// is a capital or one of `z d u i v` (`z. B.`, `u. a.`), unless it may be a unit (`230 V.`, `20 °C.`).
// Letters with full stops between them (`U.S.`, `p.m.`) are always an abbreviation. The last word before a
// marker is looked up in the same way.
#include "cite/abbreviation.hpp"

#include <cstddef>

#include "base/ascii.hpp"
#include "base/characters.hpp"

namespace citestream {
namespace {

/// Titles and other abbreviations in front of anything.
constexpr std::string_view before_anything[] = {
    "dr",  "prof", "mr",   "mrs", "ms",   "mme",  "mlle", "st",   "mt",    "sr",   "sra",
    "dra", "hr",   "gen",  "sen", "rep",  "gov",  "rev",  "capt", "sgt",   "dipl", "ing",
    "mrd", "mio",  "tsd",  "vs",  "inkl", "exkl", "zzgl", "mwst", "ggf",   "ca",   "ee",
    "bzw", "evtl", "insb", "sog", "gem",  "max",  "min",  "al",   "approx"};
/// Abbreviations in front of a number.
constexpr std::string_view before_number[] = {
    "p",   "pp",  "s",   "art", "arts", "abs", "nr",  "no",   "nos",  "fig", "figs", "kap", "vol",
    "sec", "ch",  "eq",  "tab", "rn",   "bd",  "lit", "cap",  "ziff", "pág", "págs", "núm", "jan",
    "feb", "mar", "apr", "jun", "jul",  "aug", "sep", "sept", "oct",  "okt", "nov",  "dec", "dez",
    "mär", "déc", "fév", "ene", "ago",  "dic", "env", "nro",  "chap", "sect"};
/// German words before an ordinal number.
constexpr std::string_view before_ordinal[] = {"am",  "vom", "zum", "bis",  "der",  "dem", "den",  "des",
                                               "das", "im",  "ab",  "seit", "beim", "und", "jeden"};
/// Words that introduce a source.
constexpr std::string_view before_source[] = {"to",       "in",     "per",    "laut",     "nach",
                                              "gemäß",    "selon",  "según",  "from",     "by",
                                              "document", "source", "quelle", "reference"};
/// Words that send the reader to a source, alone or as a label with a colon.
constexpr std::string_view references_to_source[] = {"see", "siehe", "vgl", "cf", "voir", "véase"};
constexpr std::string_view labels_of_source[] = {"source", "sources", "quelle",   "quellen",
                                                 "fuente", "ref",     "reference"};

/// Removes the bytes at the end of \p text that \p belongs is true for. Returns them.
template <typename Predicate>
[[nodiscard]] std::string_view take_end(std::string_view& text, Predicate belongs) noexcept {
  std::size_t begin = text.size();
  while (begin > 0 && belongs(text[begin - 1])) --begin;
  const std::string_view end = text.substr(begin);
  text.remove_suffix(end.size());
  return end;
}

/// Returns \p text without blanks, brackets and emphasis at its end.
[[nodiscard]] std::string_view without_marks(std::string_view text) noexcept {
  return text.substr(0, text.find_last_not_of(" \t([*_\"'") + 1);
}

/// Returns true if a single \p letter that follows \p text is an initial, or a part of `z. B.`, `v.` and the
/// like.
[[nodiscard]] bool is_initial(std::string_view text, char letter) noexcept {
  if (text.ends_with('.')) return true;  // `U.S`
  static_cast<void>(take_end(text, ascii::is_blank));
  const bool unit = !text.empty() && (ascii::is_digit(text.back()) || text.ends_with("°"));
  const bool capital = ascii::is_letter(letter) && ascii::lower(letter) != letter;
  return !unit && (capital || std::string_view("zduiv").find(letter) != std::string_view::npos);
}

}  // namespace

bool is_abbreviation(std::string_view text, char32_t next) noexcept {
  if (take_end(text, [](char byte) { return byte == '.'; }).empty()) return false;
  const bool digit = within(next, '0', '9');
  const std::string_view number = take_end(text, ascii::is_digit);
  if (!number.empty()) {
    const bool apart = !take_end(text, ascii::is_blank).empty();
    return apart && !digit && number.size() <= 2 &&
           ascii::is_one_of(before_ordinal, take_end(text, is_letter_byte));
  }
  const std::string_view word = take_end(text, is_letter_byte);
  if (word.size() == 1 && is_initial(text, word.front())) return true;
  return ascii::is_one_of(before_anything, word) || (digit && ascii::is_one_of(before_number, word));
}

bool leads_in(std::string_view text) noexcept {
  text = without_marks(text);
  return ascii::is_one_of(before_source, take_end(text, is_letter_byte));
}

bool refers(std::string_view text) noexcept {
  text = without_marks(text);
  if (!text.ends_with(':')) return ascii::is_one_of(references_to_source, take_end(text, is_letter_byte));
  text.remove_suffix(1);
  return ascii::is_one_of(labels_of_source, take_end(text, is_letter_byte));
}

}  // namespace citestream

// How a lead-in is found.
//
// There are three forms: an opening such as `According to` with everything up to the first comma, a clause up
// to a verb of reporting and `that`, and `As` with a clause up to such a verb and a comma, in each language
// of the vocabulary. German has no comma after an opening: the lead-in ends before the verb, or with
// `zufolge`, which follows the name of the source. A lead-in is short, ends before the first sentence does,
// and contains no negation. A clause with a number (`83% said that`) is part of the claim.
#include "check/lead_in.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "base/field_text.hpp"
#include "check/lexicon.hpp"
#include "check/vocabulary.hpp"
#include "check/words.hpp"
#include "cite/list_entry.hpp"
#include "cite/source_words.hpp"

namespace citestream::check_detail {
namespace {

constexpr std::size_t longest_opening = 90;  // bytes, up to the comma
constexpr std::size_t longest_clause = 110;  // bytes, up to `that`

/// Openings after which German has no comma: the verb of the claim follows the name of the source.
constexpr std::string_view german_openings[] = {
    "laut ", "gemäß ", "nach angaben ", "nach auskunft ", "nach ansicht ", "nach aussage ", "nach meinung "};
/// Words in lower case that continue the name of a source: `Angaben des Herstellers`, `Bericht von 2023`.
constexpr std::string_view german_joints[] = {"des", "der", "dem",  "den", "von", "vom", "zu", "zum",
                                              "zur", "für", "über", "und", "aus", "im",  "in"};

/// What a sentence may start with, lower case. Single words without other meaning are stop words
/// (lexicon.cpp).
constexpr auto openers = list_of(
    "yes", "note", "important", "answer", "short answer", "summary", "in summary", "in conclusion",
    "conclusion", "to summarize", "in addition", "as a result", "for example", "for instance",
    "in other words", "in particular", "key takeaway", "on the other hand", "tip", "ja", "nein", "hinweis",
    "antwort", "fazit", "zum beispiel", "kurz gesagt", "oui", "non", "remarque", "réponse", "en résumé",
    "en conclusion", "par exemple", "par conséquent", "sí", "nota", "respuesta", "en resumen",
    "en conclusión", "por ejemplo", "por lo tanto", "unfortunately", "fortunately", "importantly",
    "interestingly", "certainly", "absolutely", "of course", "sure", "please note", "remember", "leider",
    "natürlich", "gerne", "malheureusement", "bien sûr", "lamentablemente", "por desgracia", "por supuesto");

/// Other words that a sentence may start with and that are no names: adverbs, and verbs of requests.
constexpr auto no_names =
    list_of("typically", "generally", "normally", "currently", "recently", "usually", "commonly",
            "traditionally", "originally", "historically", "initially", "previously", "officially", "today",
            "visit", "contact", "email", "call", "check", "click", "enjoy", "ensure", "consider", "try",
            "follow", "choose", "select", "press", "keep", "avoid", "add", "enter", "read", "ask", "bring",
            "submit", "download", "install", "derzeit", "aktuell", "normalerweise", "grundsätzlich",
            "zurzeit", "momentan", "heute", "üblicherweise", "besuchen", "kontaktieren", "beachten", "wenden",
            "rufen", "prüfen", "bitte", "contactez", "visitez", "appelez", "consultez", "veuillez", "notez",
            "actuellement", "généralement", "normalement", "habituellement", "contacte", "visite", "llame",
            "consulte", "recuerde", "actualmente", "generalmente", "normalmente", "habitualmente");

struct reporting {
  std::string_view end;                     ///< what follows the verb
  std::span<const std::string_view> verbs;  ///< lower case
};

constexpr reporting reports[] = {{" that ", english_verbs}, {", dass ", german_verbs},
                                 {" que ", french_verbs},   {" qu'", french_verbs},
                                 {" qu’", french_verbs},    {" que ", spanish_verbs}};

[[nodiscard]] bool negates(std::string_view text) noexcept {
  word_reader reader(text);
  for (word seen; reader.next(seen);) {
    if (text.substr(seen.end).starts_with("'t")) return true;
    const std::string_view folded = reader.folded(seen);
    for (const language each : known_languages) {
      if (find_function_word(folded, each).role == word_role::negator) return true;
    }
  }
  return false;
}

/// Returns true if \p text has a number that may count something. A year, the number of a section (`4.2`) and
/// digits in a name (`Q3`) do not.
[[nodiscard]] bool has_count(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) return false;
    at = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    const std::string_view number = text.substr(begin, at - begin);
    const bool in_name = begin > 0 && ascii::is_letter(text[begin - 1]);
    const bool section = number.find('.') != std::string_view::npos;
    const bool followed = at < text.size() && text[at] != ' ' && text[at] != ',';
    if (followed || !(is_year(number) || in_name || section)) return true;
  }
  return false;
}

/// Returns the size of a German opening and the name of a source, up to the verb: `Laut dem Bericht stieg …`.
[[nodiscard]] std::size_t find_german_opening(std::string_view claim) {
  const std::string_view opening = opening_of(claim, german_openings);
  if (opening.empty()) return 0;
  bool named = opening.starts_with("nach ");
  std::size_t end = 0;
  for (std::size_t at = opening.size(); at < std::min(claim.size(), longest_opening); at = end + 1) {
    end = claim.find_first_of(" ,.;:!?\n", at);
    if (end == std::string_view::npos || claim[end] != ' ') return 0;
    if (end == at) continue;  // a second blank
    const std::string_view one = claim.substr(at, end - at);
    constexpr std::string_view umlauts[] = {"ä", "ö", "ü"};
    const bool lower = (one.front() >= 'a' && one.front() <= 'z') ||
                       std::ranges::any_of(umlauts, [one](auto each) { return one.starts_with(each); });
    const bool joint = lower && ascii::is_one_of(german_joints, one);
    if (lower && named && !joint) return negates(claim.substr(0, at)) ? 0 : at;
    named = !joint && (named || !lower);
  }
  return 0;
}

/// Returns the size of `Dem Bericht zufolge `.
[[nodiscard]] std::size_t find_zufolge(std::string_view claim) {
  constexpr std::string_view zufolge = " zufolge ";
  const std::string_view start = claim.substr(0, longest_opening);
  const std::size_t at = start.find(zufolge);
  const std::string_view inside = start.substr(0, at);
  if (at == std::string_view::npos || inside.find_first_of(",.;:!?\n") != std::string_view::npos ||
      negates(inside))
    return 0;
  return at + zufolge.size();
}

/// Returns true if \p named, between an opening and its comma, has a number that belongs to the claim and not
/// to a source: "from the age of 16", "based on 500 patients", but not "based on ISO 9001".
[[nodiscard]] bool has_condition(std::string_view opening, std::string_view named) noexcept {
  const bool from = opening.starts_with("from ");
  if (!from && !opening.starts_with("based ") && !opening.starts_with("con base ")) return false;
  const std::string_view before = named.substr(0, named.find_first_of("0123456789"));
  const bool name = std::ranges::any_of(before, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!has_count(named) || (name && !from)) return false;
  for (std::size_t at = 0; at < named.size();) {
    const std::size_t end = std::min(named.find_first_of(" '’()\"", at), named.size());
    if (is_source_noun(named.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

/// Returns the size of an opening and what follows it up to a comma and a blank.
[[nodiscard]] std::size_t find_opening(std::string_view claim) {
  const std::string_view opening = opening_of(claim, openings);
  if (opening.empty()) return 0;
  const std::size_t comma = claim.substr(0, longest_opening).find(", ");
  if (comma == std::string_view::npos) return 0;
  const std::string_view inside = claim.substr(0, comma);
  const bool time = opening == "nach " && std::ranges::any_of(inside, ascii::is_digit);  // "nach 30 Tagen"
  if (time || inside.find(". ") != std::string_view::npos ||
      has_condition(opening, inside.substr(opening.size())) || negates(inside))
    return 0;
  return comma + 2;
}

/// Returns the size of a clause with a verb of reporting up to a comma: `As the report notes, `, `Comme
/// l'indique le rapport, `.
[[nodiscard]] std::size_t find_as_clause(std::string_view claim) {
  const std::string_view as = opening_of(claim, as_words);
  const std::size_t comma = claim.substr(0, longest_opening).find(", ");
  if (as.empty() || comma == std::string_view::npos) return 0;
  const std::string_view inside = claim.substr(as.size(), comma - as.size());
  const auto is_verb = [](std::string_view word) {
    for (const std::string_view article : {"l'", "l’"}) {
      if (word.starts_with(article)) word.remove_prefix(article.size());
    }
    return is_reporting_verb(word);
  };
  const bool reported =
      is_verb(inside.substr(0, inside.find(' '))) || is_verb(inside.substr(inside.find_last_of(' ') + 1));
  if (!reported || inside.find(". ") != std::string_view::npos || has_count(inside) || negates(inside))
    return 0;
  return only_introduces(claim.substr(0, comma), nullptr) ? comma + 2 : 0;
}

/// Returns the place of \p end in \p text. Searches for its first letter, which is rarer than a blank.
[[nodiscard]] std::size_t find_end(std::string_view text, std::string_view end) noexcept {
  const std::size_t letter = end.find_first_not_of(", ");
  std::size_t at = text.find(end.substr(letter), letter);
  while (at != std::string_view::npos && !text.substr(at - letter).starts_with(end)) {
    at = text.find(end.substr(letter), at + 1);
  }
  return at == std::string_view::npos ? at : at - letter;
}

/// Returns true if one of the last words of \p clause, and not its first, is one of \p verbs: `The report
/// states`, `The report states in its annex`.
[[nodiscard]] bool reports_in(std::string_view clause, std::span<const std::string_view> verbs) noexcept {
  constexpr int most_words = 5;
  for (int i = 0; i < most_words; ++i) {
    const std::size_t blank = clause.find_last_of(' ');
    if (blank == std::string_view::npos) return false;
    if (ascii::is_one_of(verbs, clause.substr(blank + 1))) return true;
    clause.remove_suffix(clause.size() - blank);
  }
  return false;
}

/// Returns the size of a clause such as `The report states that `.
[[nodiscard]] std::size_t find_clause(std::string_view claim) {
  for (const reporting& each : reports) {
    const std::size_t that = find_end(claim.substr(0, longest_clause), each.end);
    if (that == std::string_view::npos) continue;
    const std::string_view before = claim.substr(0, that);
    if (!reports_in(before, each.verbs)) continue;
    const bool ends = before.find(". ") != std::string_view::npos ||
                      before.find_first_of(";:?!\n") != std::string_view::npos;
    if (ends || has_count(before) || negates(before)) return 0;
    return that + each.end.size();
  }
  return 0;
}

}  // namespace

std::size_t opener_end(std::string_view text, std::size_t at) noexcept {
  constexpr std::size_t longest = 20;  // bytes
  if (text[at] < 'A' || text[at] > 'Z') return at;
  const std::size_t last = text.substr(0, at).find_last_not_of(" *_#>-");
  const bool starts =
      last == std::string_view::npos || std::string_view(".!?:\n").find(text[last]) != std::string_view::npos;
  const std::string_view line = text.substr(at, longest);
  const std::size_t size = line.find_first_of(",:*_\n\xE2");
  if (!starts || size == std::string_view::npos || line[size] == '\n') return at;
  const std::string_view mark = text.substr(at + size);
  if (mark.front() == '\xE2' && !mark.starts_with("–") && !mark.starts_with("—")) return at;
  return ascii::is_one_of(openers, http::trim(line.substr(0, size))) ? at + size : at;
}

bool is_no_name(std::string_view word) noexcept {
  return ascii::is_one_of(openers, word) || ascii::is_one_of(no_names, word);
}

lead_in find_lead_in(std::string_view claim) noexcept {
  const std::size_t blanks = std::min(claim.find_first_not_of(" \t\r\n"), claim.size());
  const std::string_view text = claim.substr(blanks);
  for (const auto find : {find_opening, find_german_opening, find_zufolge, find_as_clause}) {
    if (const std::size_t size = find(text); size > 0) return {blanks + size, 2};
  }
  if (const std::size_t size = find_clause(text); size > 0) return {blanks + size, 3};
  return {};
}

}  // namespace citestream::check_detail

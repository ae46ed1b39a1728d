/// \file
/// Words that name the source of a claim: `According to the report`, `The study found`.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream {

/// Starts of texts that name their source, in lower case. `nach` also means "after".
inline constexpr std::string_view openings[] = {
    "according to ", "based on ",     "as stated ",    "as noted ",       "as described ",
    "as reported ",  "as mentioned ", "as explained ", "as outlined ",    "per our ",
    "per the ",      "per your ",     "as per ",       "from our ",       "from the ",
    "from your ",    "laut ",         "gemäß ",        "nach ",           "selon ",
    "d'après ",      "d’après ",      "según ",        "de acuerdo con ", "con base en "};

/// Words before a clause that names the source: `As the report notes`.
inline constexpr std::string_view as_words[] = {"as ", "wie ", "comme ", "como "};

/// Nouns for a source. Lower case, also with `s`. "Based on 3 reports, " is a lead-in, "Based on 3 patients,
/// " is not.
inline constexpr std::string_view source_nouns[] = {
    "analysis",   "answer",      "article",  "chapter",    "context",   "data",       "document",
    "excerpt",    "faq",         "figure",   "interview",  "file",      "guide",      "guideline",
    "handbook",   "information", "manual",   "note",       "page",      "paper",      "paragraph",
    "passage",    "policy",      "policies", "record",     "reference", "report",     "research",
    "result",     "review",      "section",  "source",     "statement", "study",      "studies",
    "survey",     "table",       "text",     "transcript", "website",   "dato",       "documento",
    "estudio",    "fuente",      "informe",  "texto",      "encuesta",  "artículo",   "contrato",
    "contract",   "bericht",     "berichte", "studie",     "studien",   "dokument",   "dokumente",
    "dokumenten", "quelle",      "quellen",  "artikel",    "handbuch",  "richtlinie", "daten",
    "angaben",    "analyse",     "umfrage",  "rapport",    "étude",     "guide",      "manuel",
    "texte",      "enquête",     "données"};

/// Verbs of reporting. Lower case.
inline constexpr std::string_view english_verbs[] = {
    "states",    "stated",    "reports",  "reported",  "explains", "explained", "finds",    "found",
    "says",      "said",      "notes",    "noted",     "shows",    "showed",    "suggests", "suggested",
    "indicates", "indicated", "confirms", "confirmed", "mentions", "mentioned", "writes",   "concludes"};
inline constexpr std::string_view german_verbs[] = {
    "besagt",  "sagt",  "berichtet", "meldet", "erklärt", "zeigt",     "bestätigt", "schreibt",
    "erwähnt", "ergab", "ergibt",    "belegt", "betont",  "berichten", "zeigen"};
inline constexpr std::string_view french_verbs[] = {
    "indique", "montre",  "affirme", "précise",   "explique", "rapporte", "confirme", "note",  "souligne",
    "suggère", "conclut", "dit",     "mentionne", "annonce",  "déclare",  "révèle",   "estime"};
inline constexpr std::string_view spanish_verbs[] = {
    "indica",   "muestra", "afirma",  "explica",   "informa", "señala", "confirma", "menciona",
    "concluye", "dice",    "sugiere", "establece", "declara", "revela", "estima"};

/// Returns the first of \p all that \p text starts with; empty if it starts with another word.
[[nodiscard]] inline std::string_view opening_of(std::string_view text,
                                                 std::span<const std::string_view> all) noexcept {
  const auto found = std::ranges::find_if(
      all, [text](std::string_view one) { return ascii::starts_with_any_case(text, one); });
  return found == all.end() ? std::string_view() : *found;
}

/// Returns true if \p word is one of \ref source_nouns, or one with `s`.
[[nodiscard]] inline bool is_source_noun(std::string_view word) noexcept {
  const std::string_view singular = word.substr(0, word.size() - (word.ends_with('s') ? 1U : 0U));
  return ascii::is_one_of(source_nouns, word) || ascii::is_one_of(source_nouns, singular);
}

/// Returns true for a year as sources have it: `2024`.
[[nodiscard]] inline bool is_year(std::string_view word) noexcept {
  return word.size() == 4 && std::ranges::all_of(word, ascii::is_digit) &&
         (word.starts_with("19") || word.starts_with("20"));
}

/// Returns true if \p word is a verb of reporting in one of the languages.
[[nodiscard]] inline bool is_reporting_verb(std::string_view word) noexcept {
  return ascii::is_one_of(english_verbs, word) || ascii::is_one_of(german_verbs, word) ||
         ascii::is_one_of(french_verbs, word) || ascii::is_one_of(spanish_verbs, word);
}

}  // namespace citestream

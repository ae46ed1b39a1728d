// How a remark is recognised.
//
// A question ends with `?`, an introduction with a colon. A greeting is short and starts with one of a few
// words. Other remarks have a phrase that says nothing, or a word for who may not know (`I`, `the documents`)
// and then, in the same clause, what they do not do (`not find`). So `The plan does not provide dental care.`
// is a statement.
#include "check/remark.hpp"

#include <algorithm>
#include <string>

#include "base/ascii.hpp"

namespace citestream::check_detail {
namespace {

/// Greetings and the like, with which a sentence of at most three words starts.
constexpr std::string_view greetings[] = {"hello",          "hi",        "hey",       "ok",
                                          "okay",           "sure",      "certainly", "of course",
                                          "great question", "thanks",    "thank",     "you're welcome",
                                          "hallo",          "gern",      "gerne",     "danke",
                                          "natürlich",      "bonjour",   "merci",     "de rien",
                                          "bien sûr",       "hola",      "gracias",   "de nada",
                                          "claro",          "sure thing"};
/// What is polite or says that the writer does not know, whoever writes.
constexpr std::string_view phrases[] = {"thank you for",
                                        "thanks for",
                                        "let me know",
                                        "happy to help",
                                        "glad to help",
                                        "hope this helps",
                                        "hope that helps",
                                        "feel free to ask",
                                        "feel free to reach",
                                        "feel free to contact",
                                        "feel free to let",
                                        "don't know",
                                        "do not know",
                                        "don’t know",
                                        "no information",
                                        "no mention of",
                                        "lassen sie mich wissen",
                                        "danke für",
                                        "geholfen habe",
                                        "keine angaben",
                                        "keine information",
                                        "weiß ich",
                                        "weiß es",
                                        "nicht beantworten",
                                        "nicht in den dokument",
                                        "n'hésitez pas",
                                        "merci de",
                                        "ne sais pas",
                                        "aucune information",
                                        "pas d'information",
                                        "no dudes en",
                                        "no dude en",
                                        "espero que",
                                        "no sé",
                                        "no encontr",
                                        "no hay información",
                                        "no tengo información"};
/// Who may not know something.
constexpr std::string_view speakers[] = {
    "i",           "we",         "document",   "documents", "context",  "source",    "sources",
    "reference",   "references", "passage",    "passages",  "text",     "texts",     "results",
    "information", "pages",      "ich",        "wir",       "dokument", "dokumente", "quelle",
    "quellen",     "kontext",    "unterlagen", "je",        "j",        "nous",      "contexte",
    "extraits",    "documento",  "documentos", "contexto",  "fuente",   "fuentes",   "texto"};
/// What they do not know.
constexpr std::string_view refusals[] = {"not find",
                                         "n't find",
                                         "n’t find",
                                         "not found",
                                         "not have access",
                                         "n't have access",
                                         "n’t have access",
                                         "not have any",
                                         "n't have any",
                                         "not have enough",
                                         "n't have enough",
                                         "n't have information",
                                         "not have information",
                                         "not contain",
                                         "n't contain",
                                         "n’t contain",
                                         "not mention",
                                         "n't mention",
                                         "n’t mention",
                                         "not provide",
                                         "n't provide",
                                         "not include",
                                         "n't include",
                                         "not specify",
                                         "n't specify",
                                         "not say",
                                         "n't say",
                                         "not answer",
                                         "n't answer",
                                         "cannot answer",
                                         "cannot find",
                                         "unable to",
                                         "not available in",
                                         "not sure",
                                         "nicht gefunden",
                                         "nicht erwähnt",
                                         "nicht enthalten",
                                         "nicht finden",
                                         "pas trouvé",
                                         "ne contien",
                                         "ne mentionne",
                                         "no contiene",
                                         "no mencion"};

[[nodiscard]] bool is_part(char byte) noexcept {
  return ascii::is_letter(byte) || static_cast<unsigned char>(byte) >= 0x80;
}

[[nodiscard]] bool has_speaker(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && is_part(text[at])) ++at;
    if (std::ranges::count(speakers, text.substr(begin, at - begin)) > 0) return true;
  }
  return false;
}

[[nodiscard]] bool greets(std::string_view sentence) noexcept {
  constexpr std::ptrdiff_t most_blanks = 2;
  const bool starts = std::ranges::any_of(greetings, [&](std::string_view one) {
    return sentence.starts_with(one) && (sentence.size() == one.size() || !is_part(sentence[one.size()]));
  });
  return starts && std::ranges::count(sentence, ' ') <= most_blanks;
}

/// Returns true if \p phrase is in \p sentence, nothing else is stated before it, and its clause has a
/// speaker.
[[nodiscard]] bool refuses(std::string_view sentence, std::string_view phrase) noexcept {
  const std::size_t at = sentence.find(phrase);
  if (at == std::string_view::npos) return false;
  std::string_view clause = sentence.substr(0, at + phrase.size());
  if (clause.find(';') != std::string_view::npos) return false;
  for (const std::string_view joint : {" that ", ", dass ", " que "}) {
    const std::size_t end = clause.rfind(joint);
    if (end != std::string_view::npos) clause.remove_prefix(end + joint.size());
  }
  return has_speaker(clause);
}

}  // namespace

bool is_remark(std::string_view sentence) {
  std::string lower(sentence);
  std::ranges::transform(lower, lower.begin(), ascii::lower);
  if (lower.ends_with(':') || lower.ends_with('?')) return true;
  const auto has = [&](std::string_view one) { return lower.find(one) != std::string::npos; };
  if (greets(lower) || std::ranges::any_of(phrases, has)) return true;
  return std::ranges::any_of(refusals, [&](std::string_view one) { return refuses(lower, one); });
}

}  // namespace citestream::check_detail

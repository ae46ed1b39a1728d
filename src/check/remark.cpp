// How a remark is recognised.
//
// A question ends with `?`, an introduction with a colon. A greeting is a whole sentence. Any other remark
// has a phrase such as `let me know`, or a word such as `documents` and after it, in the same clause, a
// phrase such as `not mention`. No other clause may follow. So `The plan does not provide dental care.` is a
// statement, and so is `The documents do not mention a CEO, but the founder is Ann.`
#include "check/remark.hpp"

#include <algorithm>
#include <string>

#include "base/ascii.hpp"
#include "base/characters.hpp"
#include "check/vocabulary.hpp"

namespace citestream::check_detail {
namespace {

/// Sentences that only greet or agree, without punctuation.
constexpr auto greetings =
    list_of("hello", "hello there", "hi", "hi there", "hey", "ok", "okay", "sure", "certainly", "of course",
            "great question", "good question", "thanks", "thanks a lot", "thank you", "thank you very much",
            "you're welcome", "hallo", "gern", "gerne", "gern geschehen", "danke", "natürlich", "bonjour",
            "merci", "de rien", "bien sûr", "hola", "gracias", "de nada", "claro");
/// What is polite or says that the writer does not know.
constexpr auto phrases = list_of(
    "thank you for", "thanks for", "let me know", "happy to help", "glad to help", "hope this helps",
    "hope that helps", "feel free to ask", "feel free to reach", "feel free to contact", "feel free to let",
    "i don't know", "i do not know", "i'm not sure", "i am not sure", "i'm unable to", "i am unable to",
    "i cannot find", "i can't find", "i could not find", "i couldn't find", "i did not find", "i didn't find",
    "i cannot answer", "i can't answer", "i don't have access", "i do not have access", "i don't have any",
    "i don't have enough", "i don't have information", "we could not find", "we couldn't find",
    "we did not find any information", "no information about", "no information on",
    "no information regarding", "no mention of", "lassen sie mich wissen", "danke für", "geholfen habe",
    "keine angaben", "keine informationen", "weiß ich", "ich weiß nicht", "nicht beantworten",
    "nicht in den dokument", "n'hésitez pas", "merci de", "ne sais pas", "n'ai pas trouvé",
    "aucune information", "pas d'information", "no dudes en", "no dude en", "espero que", "no sé",
    "no encontré", "no se encontr", "no hay información", "no tengo información");
/// Nouns for references.
constexpr std::string_view reference_nouns[] = {
    "document", "documents", "context",    "source",   "sources", "reference",   "references",
    "passage",  "passages",  "text",       "texts",    "results", "information", "pages",
    "dokument", "dokumente", "quelle",     "quellen",  "kontext", "unterlagen",  "contexte",
    "extraits", "documento", "documentos", "contexto", "fuente",  "fuentes",     "texto"};
/// Verbs with a negation: what references do not do.
constexpr std::string_view refusals[] = {
    "not contain",     "n't contain", "not mention",  "n't mention",      "not provide",    "n't provide",
    "not include",     "n't include", "not specify",  "n't specify",      "not say",        "n't say",
    "not answer",      "n't answer",  "not found",    "not available in", "nicht gefunden", "nicht erwähnt",
    "nicht enthalten", "ne contien",  "ne mentionne", "no contien",       "no mencion"};

/// Returns where \p phrase is in \p text, at the start of a word; npos if it is not.
[[nodiscard]] std::size_t find_phrase(std::string_view text, std::string_view phrase) noexcept {
  std::size_t at = text.find(phrase);
  while (at != std::string_view::npos && at > 0 && is_letter_byte(text[at - 1]) &&
         is_letter_byte(phrase.front()) && !phrase.starts_with("n't")) {
    at = text.find(phrase, at + 1);
  }
  return at;
}

[[nodiscard]] bool has_reference_noun(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && is_letter_byte(text[at])) ++at;
    if (std::ranges::count(reference_nouns, text.substr(begin, at - begin)) > 0) return true;
  }
  return false;
}

/// Returns true if \p phrase is in \p sentence after a word such as `documents` in the same clause. A
/// sentence with a semicolon has another statement and does not count.
[[nodiscard]] bool refuses(std::string_view sentence, std::string_view phrase) noexcept {
  const std::size_t at = find_phrase(sentence, phrase);
  if (at == std::string_view::npos || sentence.find(';') != std::string_view::npos) return false;
  std::string_view before = sentence.substr(0, at);
  for (const std::string_view joint : {" that ", ", dass ", " que "}) {
    const std::size_t end = before.rfind(joint);
    if (end != std::string_view::npos) before.remove_prefix(end + joint.size());
  }
  return has_reference_noun(before);
}

/// Returns true if a clause follows that states something else.
[[nodiscard]] bool states_more(std::string_view sentence) noexcept {
  constexpr std::string_view joints[] = {", but ", ", yet ", ", however", ", aber ", ", mais ", ", pero "};
  return std::ranges::any_of(
      joints, [&](std::string_view one) { return sentence.find(one) != std::string_view::npos; });
}

/// Returns \p sentence in lower case (ASCII), with plain apostrophes.
[[nodiscard]] std::string folded(std::string_view sentence) {
  constexpr std::string_view apostrophe = "’";
  std::string out(sentence);
  std::ranges::transform(out, out.begin(), ascii::lower);
  for (std::size_t at = out.find(apostrophe); at != std::string::npos; at = out.find(apostrophe, at + 1)) {
    out[at] = '\'';
    out.erase(at + 1, apostrophe.size() - 1);
  }
  return out;
}

}  // namespace

bool is_remark(std::string_view sentence) {
  const std::string lower = folded(sentence);
  if (lower.ends_with(':') || lower.ends_with('?')) return true;
  const std::string_view words = std::string_view(lower).substr(0, lower.find_last_not_of(" .!,") + 1);
  if (std::ranges::count(greetings, words) > 0) return true;
  if (states_more(lower)) return false;
  const auto has = [&](std::string_view one) { return find_phrase(lower, one) != std::string_view::npos; };
  return std::ranges::any_of(phrases, has) ||
         std::ranges::any_of(refusals, [&](std::string_view one) { return refuses(lower, one); });
}

}  // namespace citestream::check_detail

// How negation is read.
//
// A negator (`not`, `never`, `kein`, the French `ne`, `n't`) negates the next content word if that is at most
// five words away and no punctuation is between them. So "No," as an answer negates nothing. "Not only" and
// "not just" are no negation.
#include "check/negation.hpp"

#include <algorithm>
#include <array>

#include "check/vocabulary.hpp"

namespace citestream::check_detail {
namespace {

constexpr std::size_t reach = 5;  // words

/// Folded, as word_reader returns them; sorted.
constexpr std::array<std::string_view, 31> negators{
    "aucun",  "aucune",  "cannot",  "jamais", "jamas",   "kein",    "keine",  "keinem",
    "keinen", "keiner",  "keines",  "nadie",  "ne",      "neither", "never",  "nicht",
    "nie",    "niemals", "niemand", "ningun", "ninguna", "no",      "nobody", "none",
    "nor",    "not",     "nunca",   "ohne",   "sans",    "sin",     "without"};
static_assert(std::is_sorted(negators.begin(), negators.end()));

/// \param after  the text behind the word, which may go on with `n't`
[[nodiscard]] bool is_negator(std::string_view folded, std::string_view after) noexcept {
  if (after.starts_with("'t") || after.starts_with("’t")) return true;
  return std::binary_search(negators.begin(), negators.end(), folded);
}

/// Returns true if the word is "one", which is read as a number.
[[nodiscard]] bool is_one(std::string_view text, const word& seen) noexcept {
  return seen.kind == word::form::number && text.substr(seen.begin, seen.end - seen.begin) == "one";
}

[[nodiscard]] bool has_punctuation(std::string_view between) noexcept {
  return between.find_first_of(",.;:!?()\n") != std::string_view::npos;
}

}  // namespace

bool read_polarity(const claim_words& claim, std::string_view text, std::span<word_polarity> out) {
  bool any = false;
  bool ruled = false;  // "ruled out" negates, too
  word_reader reader(text);
  std::size_t left = 0;  // how many words the last negator still reaches
  std::size_t end_before = 0;
  for (word seen; reader.next(seen);) {
    const std::size_t between = std::min(end_before, seen.begin);
    if (has_punctuation(text.substr(between, seen.begin - between))) left = 0;
    end_before = seen.end;
    const std::string_view folded(reader.bytes().data(), seen.kind == word::form::number ? 0 : seen.size);
    const bool plain = seen.kind == word::form::plain;
    const bool ruled_out = ruled && folded == "out";
    ruled = plain && folded.starts_with("rul");
    if (plain && (ruled_out || is_negator(folded, text.substr(seen.end)))) {
      any = true;
      left = reach;
      continue;
    }
    if (is_one(text, seen) && left == reach) continue;  // "no one"
    if (plain && (folded == "only" || folded == "just")) left = 0;
    if (plain && is_stop_word(folded)) {
      if (left > 0) --left;
      continue;
    }
    const std::uint32_t index = claim.find(seen, reader);
    if (index != no_word) (left > 0 ? out[index].negated : out[index].plain) = true;
    left = 0;
  }
  return any;
}

}  // namespace citestream::check_detail

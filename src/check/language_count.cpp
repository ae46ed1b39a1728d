// How languages are told apart.
//
// Each language has short words that are in nearly every sentence of it. The language with most stop words in
// the first 256 bytes is taken; of several with equally many, the one with most words that have one of its
// letters (`ä`, `é`, `ñ`). Portuguese, Italian and Dutch have no vocabulary (language::other) and are counted
// only so that they are not taken for Spanish, French or German. A claim is often too short to tell; then its
// references are counted, too. Linear in the bytes counted.
#include "check/language_count.hpp"

#include <algorithm>

#include "check/lexicon.hpp"
#include "check/words.hpp"

namespace citestream::check_detail {

namespace {

/// Counts a word in the languages that have its letters.
void count_letters(std::string_view word, std::array<std::size_t, counted_languages>& letters) noexcept {
  constexpr std::array<std::string_view, counted_languages> own{"", "äöß", "àèêéùîô", "áíóúñ", "ãõç", "", ""};
  const std::size_t at = word.find('\xC3');
  if (at == std::string_view::npos) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    letters[i] += own[i].find(word.substr(at, 2)) != std::string_view::npos ? 1U : 0U;
  }
}

[[nodiscard]] std::size_t most_stops(const language_count& count) noexcept {
  return std::ranges::max(count.stops);
}

}  // namespace

language_count::language_count(std::string_view text) noexcept {
  constexpr std::size_t enough = 256;  // bytes
  text = text.substr(0, enough);
  word_reader reader(text);
  for (word seen; reader.next(seen);) {
    if (seen.kind != word::form::plain) continue;
    ++words;
    const unsigned is_stop = stop_languages_of(reader.folded(seen));
    for (std::size_t i = 0; i < stops.size(); ++i) stops[i] += is_stop >> i & 1U;
    count_letters(text.substr(seen.begin, seen.end - seen.begin), letters);
  }
}

void language_count::add(const language_count& other) noexcept {
  words += other.words;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    stops[i] += other.stops[i];
    letters[i] += other.letters[i];
  }
}

bool language_count::decides() const noexcept {
  const std::size_t most = most_stops(*this);
  if (is_foreign()) return true;
  return most * 4 >= words && std::ranges::count(stops, most) == 1;
}

bool language_count::is_foreign() const noexcept {
  constexpr std::size_t short_text = 8;  // words
  return words > short_text && most_stops(*this) * 10 < words;
}

language language_of(const language_count& claim, const language_count& all) noexcept {
  if (claim.is_foreign()) return language::other;
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.stops.size(); ++i) {
    const bool equal = all.stops[i] == all.stops[best];
    if (all.stops[i] > all.stops[best] || (equal && all.letters[i] > all.letters[best])) best = i;
  }
  const bool few = most_stops(claim) * 4 < claim.words;
  if (few && all.stops[best] * 5 < all.words) return language::english;
  return best < static_cast<std::size_t>(language::other) ? static_cast<language>(best) : language::other;
}

}  // namespace citestream::check_detail

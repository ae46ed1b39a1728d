// How words with the same meaning are found.
//
// stem() cuts regular endings, so `rises` and `rising` have the stem `ris`. Irregular forms (`rose`),
// abbreviations (`jan`) and some synonyms have other stems. `groups` maps each of these to its group. It is
// made by the compiler, and a stem is searched only among those with the same first letter.
//
// mentions_decline() looks at the start of each word for the stems of its language.
#include "check/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.hpp"
#include "check/unicode_letters.hpp"

namespace citestream::check_detail {
namespace {

/// Groups of stems with the same meaning. The entries are results of stem(): `ris` is the stem of `rise`,
/// `januari` that of `january`.
constexpr std::string_view group_lists =
    "grow grew grown growth|ris ros risen|fal fel fallen|buy bought|sel sold sal|hold held|lead led|"
    "begin began begun|writ wrot written|speak spok spoken|driv drov driven|giv gav given|tak took taken|"
    "com cam|find found|build built|send sent|spend spent|leav left|mean meant|meet met|pay paid|"
    "teach taught|think thought|bring brought|catch caught|fight fought|seek sought|know knew known|"
    "show shown|fly flew flown|draw drew drawn|throw threw thrown|break brok broken|choos chos chosen|"
    "steal stol stolen|wear wor worn|tear tor torn|bear bor born|swear swor sworn|shrink shrank shrunk|"
    "sing sang sung|sink sank sunk|swim swam swum|drink drank drunk|run ran|stand stood|"
    "understand understood|sit sat|feel felt|keep kept|sleep slept|sweep swept|tel told|feed fed|"
    "bleed bled|shoot shot|strik struck|stick stuck|dig dug|hang hung|lay laid|lie lain|eat ate eaten|"
    "forget forgot forgotten|hid hidden|rid rod ridden|shak shook shaken|freez froz frozen|"
    "wak wok woken|lend lent|bend bent|burn burnt|learn learnt|deal dealt|dream dreamt|child children|"
    "man men|woman women|person peopl|foot feet|tooth teeth|mous mic|goos gees|lif liv|wif wiv|"
    "half halv|shelf shelv|good better best|bad wors worst|analysis analys|crisis cris|index indic|"
    "datum data|criterion criteria|phenomenon phenomena|medium media|januari jan|februari feb|"
    "march mar|april apr|juli jul|august aug|september sep sept|october oct|november nov|december dec|"
    "color colour|center centr|defens defenc|organiz organis|labor labour|behavior behaviour|"
    "favor favour|tv televis|vs versus|kg kilogram|km kilometer kilometr|meter metr|hour hr|minut min|"
    "approximat rough|mondai mon|tuesdai tue|wednesdai wed|thursdai thu|fridai fri|sundai sun|"
    "hear heard|doubl twic|compani firm|cost pric|car automobil|doctor physician|film movi|decid decis|"
    "acquir acquisit|reduc reduct|produc product|expand expans|conclud conclus|describ descript|"
    "explain explanat|los lost|die dead death|long length|strong strength|wid width|high height|"
    "deep depth|abl abiliti|discover discoveri|deliver deliveri|approv approval|propos proposal|"
    "arriv arrival|receiv receipt|destroi destruct|introduc introduct|permit permis|"
    "emploi employe employer|compet competit competitor|manag manager|nation national|region regional|"
    "cultur cultural|environ environmental|economi economic|scienc scientific scientist|"
    "politic political|financ financial|industri industrial|histori historic historical|"
    "technologi technological|america american|europ european|germani german|franc french|china chines|"
    "japan japanes|russia russian|india indian|britain british|canada canadian|itali italian|"
    "spain spanish";

constexpr std::size_t grouped_stems = 1 + static_cast<std::size_t>(std::ranges::count_if(
                                              group_lists, [](char c) { return c == ' ' || c == '|'; }));

/// Finds the group of a stem.
class group_table {
 public:
  constexpr group_table() noexcept {
    std::array<entry, grouped_stems> read{};
    std::uint16_t count = 0;
    std::uint16_t begin = 0;
    for (std::size_t at = 0; at <= group_lists.size(); ++at) {
      const std::size_t end = std::min(group_lists.find_first_of(" |", at), group_lists.size());
      stems_[count] = group_lists.substr(at, end - at);
      read[count] = {stems_[count], begin, 0};
      ++count;
      at = end;
      if (end < group_lists.size() && group_lists[end] == ' ') continue;
      for (std::uint16_t i = begin; i < count; ++i) read[i].end = count;
      begin = count;
    }
    std::uint16_t placed = 0;
    for (std::size_t letter = 0; letter < letters; ++letter) {
      starts_[letter] = placed;
      for (const entry& each : read) {
        if (letter_of(each.stem) == letter) entries_[placed++] = each;
      }
    }
    starts_[letters] = placed;
  }

  /// Returns the group of \p stem, which is in it; empty if the stem is in no group.
  [[nodiscard]] std::span<const std::string_view> find(std::string_view stem) const noexcept {
    const std::size_t letter = stem.empty() ? letters : letter_of(stem);
    if (letter >= letters) return {};
    for (std::size_t i = starts_[letter]; i < starts_[letter + 1]; ++i) {
      const entry& each = entries_[i];
      if (each.stem == stem) return std::span(stems_).subspan(each.begin, std::size_t{each.end} - each.begin);
    }
    return {};
  }

 private:
  struct entry {
    std::string_view stem;
    std::uint16_t begin{};  ///< of its group in `stems_`
    std::uint16_t end{};
  };
  static constexpr std::size_t letters = 26;

  [[nodiscard]] static constexpr std::size_t letter_of(std::string_view stem) noexcept {
    return static_cast<unsigned char>(stem[0] - 'a');
  }

  std::array<std::string_view, grouped_stems> stems_{};  ///< one group after the other
  std::array<entry, grouped_stems> entries_{};           ///< by their first letter
  std::array<std::uint16_t, letters + 1> starts_{};      ///< of each letter in `entries_`
};
constexpr group_table groups;

constexpr std::array<std::string_view, 12> months{"januari",   "februari", "march",    "april",
                                                  "mai",       "jun",      "juli",     "august",
                                                  "september", "october",  "november", "december"};

[[nodiscard]] bool is_vowel(char c) noexcept {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

/// A word from which suffixes are cut.
class stemmed_word {
 public:
  explicit stemmed_word(std::span<char> word) noexcept : word_(word), size_(word.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is(std::string_view tail) const noexcept {
    if (size_ < tail.size()) return false;
    return std::equal(tail.begin(), tail.end(),
                      word_.begin() + static_cast<std::ptrdiff_t>(size_ - tail.size()));
  }
  /// The letter at \p place, counted from 1 at the end.
  [[nodiscard]] char& back(std::size_t place) const noexcept { return word_[size_ - place]; }
  void cut(std::size_t count) noexcept { size_ -= count; }
  [[nodiscard]] bool has_vowel_before(std::size_t count) const noexcept {
    return std::any_of(word_.begin(), word_.begin() + static_cast<std::ptrdiff_t>(size_ - count), is_vowel);
  }

 private:
  std::span<char> word_;
  std::size_t size_;
};

void cut_plural(stemmed_word& word) noexcept {
  if (word.back(1) != 's') return;
  if (word.is("ies") && word.size() > 4) {
    word.cut(2);
    word.back(1) = 'y';
  } else if (word.is("sses") || word.is("shes") || word.is("ches") || word.is("xes") || word.is("zes")) {
    word.cut(2);
  } else if (word.back(2) != 's' && word.back(2) != 'u' && word.back(2) != 'i') {
    word.cut(1);
  }
}

void cut_suffix(stemmed_word& word) noexcept {
  const std::size_t size = word.size();
  switch (word.back(1)) {
    case 'g':
      if (size >= 6 && word.is("ing") && word.has_vowel_before(3)) word.cut(3);
      return;
    case 'd':
      if (size > 4 && word.is("ied")) {
        word.cut(2);
        word.back(1) = 'y';
      } else if (size >= 5 && word.is("ed") && word.has_vowel_before(2) && word.back(3) != 'e') {
        word.cut(2);
      }
      return;
    case 'y':
      if (size >= 6 && word.is("ly")) word.cut(2);
      return;
    case 't':
      if (size >= 8 && word.is("ment")) word.cut(4);
      return;
    case 's':
      if (size >= 8 && word.is("ness")) word.cut(4);
      return;
    case 'n':
      if (size >= 8 && word.is("ion") && (word.back(4) == 's' || word.back(4) == 't')) word.cut(3);
      return;
    default:
      return;
  }
}

/// The suffixes that are cut in a language, in the order in which they are tried.
[[nodiscard]] std::span<const std::string_view> suffixes_of(language in) noexcept {
  static constexpr std::array<std::string_view, 10> german{"ern", "en", "er", "em", "es",
                                                           "et",  "e",  "n",  "s",  "t"};
  static constexpr std::array<std::string_view, 12> french{"ees", "ent", "ee", "es", "er", "ez",
                                                           "ir",  "aux", "al", "e",  "s",  "x"};
  static constexpr std::array<std::string_view, 22> spanish{
      "ieron", "ando", "aron", "ados", "adas", "idos", "idas", "ado", "ada", "ido", "ida",
      "ios",   "io",   "os",   "as",   "es",   "an",   "en",   "a",   "o",   "e",   "s"};
  if (in == language::german) return german;
  if (in == language::french) return french;
  return spanish;
}

}  // namespace

std::size_t stem(std::span<char> word, language in) noexcept {
  if (word.size() <= 3) return word.size();
  stemmed_word rest(word);
  if (in == language::german || in == language::french || in == language::spanish) {
    for (const std::string_view tail : suffixes_of(in)) {
      if (word.size() < tail.size() + 3 || !rest.is(tail)) continue;
      rest.cut(tail.size());
      if (in == language::german && rest.size() > 4 && rest.is("t")) rest.cut(1);  // `ermäßigte`, `ermäßigt`
      break;
    }
    return rest.size();
  }
  cut_plural(rest);
  cut_suffix(rest);
  if (rest.size() >= 4 && rest.back(1) == 'e') rest.cut(1);
  if (rest.size() >= 4 && rest.back(1) == rest.back(2) && rest.back(1) >= 'b' && rest.back(1) <= 'z' &&
      !is_vowel(rest.back(1))) {
    rest.cut(1);
  }
  if (rest.size() >= 3 && rest.back(1) == 'y') rest.back(1) = 'i';
  return rest.size();
}

std::span<const std::string_view> same_meaning(std::string_view stem) noexcept {
  return groups.find(stem);
}

std::string_view month_stem(unsigned number) noexcept {
  return months[number - 1];
}

bool mentions_decline(std::string_view text, language in) noexcept {
  using stem_list = std::span<const std::string_view>;
  // A stem that ends with a dot is a whole word: `down` says more than `download`.
  static constexpr std::string_view english[] = {
      "fall",        "fell",       "drop.",   "drops.",  "dropp",  "declin",  "decreas",    "loss",
      "lost",        "losing",     "negat",   "down.",   "low.",   "lower",   "minus",      "below",
      "shrink",      "shrank",     "shrunk",  "reduc",   "slid",   "sank",    "contracted", "contracting",
      "contraction", "contracts.", "cutting", "cutback", "lows.",  "downsiz", "downgrad",   "downbeat",
      "downturn",    "downward",   "cut.",    "cuts.",   "deficit"};
  static constexpr std::string_view german[] = {"minus",  "sank",       "sink",     "gesunk",  "fiel",
                                                "fallen", "gefallen",   "rückgang", "zurück",  "verlust",
                                                "verlor", "vermindert", "verring",  "senk",    "reduz",
                                                "abnahm", "nahm",       "defizit",  "schrumpf"};
  static constexpr std::string_view french[] = {"baiss", "recul", "chut",  "diminu",
                                                "repli", "perte", "perdu", "déficit"};
  static constexpr std::string_view spanish[] = {"caí",    "cay",     "bajó",   "bajar", "bajado",
                                                 "descen", "disminu", "pérdid", "perdi", "déficit"};
  const stem_list stems = in == language::german    ? stem_list(german)
                          : in == language::french  ? stem_list(french)
                          : in == language::spanish ? stem_list(spanish)
                                                    : stem_list(english);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && starts_letter(text[at - 1])) continue;
    const char initial = ascii::lower(text[at]);
    for (std::string_view stem : stems) {
      if (stem[0] != initial) continue;
      const bool whole = stem.ends_with('.');
      if (whole) stem.remove_suffix(1);
      const std::string_view rest = text.substr(at);
      const bool same = rest.size() >= stem.size() &&
                        std::ranges::equal(rest.substr(0, stem.size()), stem, {}, ascii::lower);
      if (same && !(whole && rest.size() > stem.size() && starts_letter(rest[stem.size()]))) return true;
    }
  }
  return false;
}

}  // namespace citestream::check_detail

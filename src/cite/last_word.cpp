#include "cite/last_word.hpp"

#include <algorithm>
#include <array>

namespace citestream {
namespace {

constexpr std::array abbreviations = []() {  // without () cppcheck 2.10 gives up
  constexpr std::string_view all[] = {
      "p",   "pp",  "s",   "art", "arts", "abs", "nr",  "no",  "nos", "fig",  "figs", "kap",   "vol", "sec",
      "ch",  "eq",  "tab", "rn",  "bd",   "lit", "cap", "al",  "ca",  "max",  "min",  "ziff",  "pág", "págs",
      "núm", "jan", "feb", "mar", "apr",  "jun", "jul", "aug", "sep", "sept", "oct",  "okt",   "nov", "dec",
      "dez", "mär", "déc", "fév", "ene",  "ago", "dic", "env", "nro", "chap", "sect", "approx"};
  std::array<last_word, std::size(all)> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i].add(all[i]);
  return words;
}();

}  // namespace

bool last_word::is_abbreviation() const noexcept {
  return std::ranges::find(abbreviations, *this) != abbreviations.end();
}

}  // namespace citestream

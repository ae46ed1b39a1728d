// Work is linear in the bytes, whatever they are. The time at four times the size is within eight times: four
// for the work, some for a table of words that leaves the nearest cache. What is quadratic takes sixteen.
#include <citestream/check/support.hpp>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using made = std::pair<std::string, std::vector<std::string>>;  // a claim and its references
using maker = std::function<made(std::size_t)>;

constexpr double max_ratio = 8;

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += part;
  return out;
}

std::string numbered(std::string_view word, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; out.size() < bytes; ++i) out += std::string(word) + std::to_string(i) + " ";
  return out;
}

double seconds(citestream::support_scorer& scorer, const made& given) {
  const std::vector<std::string_view> references(given.second.begin(), given.second.end());
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t start = std::clock();  // the processor's time: others may be busy meanwhile
    (void)scorer.score(given.first, references);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void check_linear(const maker& make) {
  const made small = make(1 << 12);
  const made large = make(1 << 14);
  citestream::support_scorer scorer;
  double best_small = 1e9;
  double best_large = 1e9;
  double ratio = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {  // a machine that was busy once is asked again
    best_large = std::min(best_large, seconds(scorer, large));
    best_small = std::min(best_small, seconds(scorer, small));
    ratio = best_large / std::max(best_small, 1e-6);
    if (ratio <= max_ratio) break;
  }
  CHECK(ratio <= max_ratio);
}

}  // namespace

TEST_CASE("hostile claims and references take time in proportion to their size") {
  const auto both = [](std::string text) { return made{text, {text}}; };
  const std::pair<const char*, maker> hostile[] = {
      {"the same word", [&](std::size_t n) { return both(repeated("tea ", n)); }},
      {"words all different", [&](std::size_t n) { return both(numbered("tea", n)); }},
      {"numbers all different", [&](std::size_t n) { return both(numbered("", n)); }},
      {"numbers that contradict",
       [](std::size_t n) {
         return made{numbered("ships 1", n), {numbered("ships 2", n)}};
       }},
      {"percentages",
       [](std::size_t n) {
         return made{repeated("grew 25% ", n), {repeated("grew 20% ", n)}};
       }},
      {"numbers that round",
       [](std::size_t n) {
         return made{numbered("1", n), {repeated("1.00000001 ", n)}};
       }},
      {"one word", [&](std::size_t n) { return both(repeated("a", n)); }},
      {"one number", [&](std::size_t n) { return both(repeated("9", n)); }},
      {"groups", [&](std::size_t n) { return both(repeated("111,", n)); }},
      {"dotted groups", [&](std::size_t n) { return both(repeated("111.", n)); }},
      {"initials", [&](std::size_t n) { return both(repeated("a.", n)); }},
      {"apostrophes", [&](std::size_t n) { return both(repeated("a'", n)); }},
      {"brackets", [&](std::size_t n) { return both(repeated("[1,", n)); }},
      {"addresses", [&](std::size_t n) { return both(repeated("http://", n)); }},
      {"names",
       [&](std::size_t n) {
         return made{"x " + repeated("Aa ", n), {"none"}};
       }},
      {"names all different",
       [&](std::size_t n) {
         return made{"x " + numbered("Aa", n), {"none"}};
       }},
      {"pairs", [&](std::size_t n) { return both(repeated("東京", n)); }},
      {"broken bytes", [&](std::size_t n) { return both(repeated("\xC3", n)); }},
      {"many references",
       [](std::size_t n) {
         return made{"tea grew", std::vector<std::string>(n / 8, "tea grew")};
       }},
      {"hyphens", [&](std::size_t n) { return both(repeated("twenty-", n)); }},
  };
  for (const auto& [name, make] : hostile) {
    INFO(name);
    check_linear(make);
  }
}

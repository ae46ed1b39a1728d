// Work is linear in the input for any bytes.
#include <citestream/check/support.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/linear.hpp"

using namespace citestream_tests;

namespace {

using made = std::pair<std::string, std::vector<std::string>>;  // a claim and its references
using maker = std::function<made(std::size_t)>;

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

preparation scoring(const maker& make) {
  return [make](std::size_t bytes) {
    const auto scorer = std::make_shared<citestream::support_scorer>();
    return [scorer, given = make(bytes)] {
      const std::vector<std::string_view> references(given.second.begin(), given.second.end());
      static_cast<void>(scorer->score(given.first, references));
    };
  };
}

}  // namespace

TEST_CASE("many claims that cite one hostile reference are scored in linear time") {
  const std::pair<const char*, std::string> hostile[] = {
      {"no end of a sentence", repeated("tea grew in June, ", 1 << 20)},
      {"numbers", numbered("", 600'000)},
      {"nested tables", repeated("<table><tr><td>tea | $20 | June", 1 << 20)},
      {"a table", repeated("| tea | $20 | June |\n", 1 << 20)},
  };
  for (const auto& [name, reference] : hostile) {
    INFO(name);
    check_linear(4, [&text = reference](std::size_t claims) {
      const auto scorer = std::make_shared<citestream::support_scorer>();
      return [scorer, &text, claims] {
        const std::string_view cited[] = {text};
        for (std::size_t i = 0; i < claims; ++i) {
          static_cast<void>(scorer->score("Tea costs $" + std::to_string(i) + " in May.", cited));
        }
      };
    });
  }
}

TEST_CASE("hostile claims and references are scored in linear time") {
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
      {"numbers joined by dots", [&](std::size_t n) { return both(repeated("12345.67890.", n)); }},
      {"numbers joined by commas", [&](std::size_t n) { return both(repeated("12345,6.5,", n)); }},
      {"lines of numbers", [&](std::size_t n) { return both(repeated("123,4\n", n)); }},
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
      {"parentheses", [&](std::size_t n) { return both(repeated("(tea ", n)); }},
      {"openers", [&](std::size_t n) { return both(repeated("- Note ", n)); }},
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
      {"a text without the end of a sentence",
       [](std::size_t n) {
         return made{"Tea grew in May.", {repeated("tea grew in June, ", n)}};
       }},
      {"sentences with the same words",
       [](std::size_t n) {
         return made{"Tea grew in May.", {repeated("Tea fell in June. ", n)}};
       }},
      {"rows of a table",
       [](std::size_t n) {
         return made{repeated("tea costs $10 in May. ", n), {repeated("| tea | $20 | June |\n", n)}};
       }},
      {"a table in one line",
       [](std::size_t n) {
         return made{"tea costs $10 in May", {repeated("| tea | $20 ", n)}};
       }},
      {"nested tables",
       [](std::size_t n) {
         return made{"tea costs $10", {repeated("<table><tr><td>tea|", n) + repeated("\n", n)}};
       }},
      {"comparisons",
       [&](std::size_t n) { return both(repeated("tea is higher than ice is lower than ", n)); }},
      {"verbs", [&](std::size_t n) { return both(repeated("Acme sold Tea bought ", n)); }},
      {"a claim that nearly occurs everywhere",
       [](std::size_t n) {
         return made{repeated("a", 500) + "b", {repeated("a", n)}};
       }},
      {"negations", [&](std::size_t n) { return both(repeated("not tea never ", n)); }},
      {"hyphens", [&](std::size_t n) { return both(repeated("twenty-", n)); }},
  };
  for (const auto& [name, make] : hostile) {
    INFO(name);
    check_linear(1 << 12, scoring(make));
  }
}

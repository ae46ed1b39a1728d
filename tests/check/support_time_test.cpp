// Work is linear in the input for any bytes.
#include <citestream/check/support.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/linear.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {

using made = std::pair<std::string, std::vector<std::string>>;  // a claim and its references
using maker = std::function<made(std::size_t)>;

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
      {"no end of a sentence", repeated_to(1 << 20, "tea grew in June, ")},
      {"numbers", numbered("", 600'000)},
      {"nested tables", repeated_to(1 << 20, "<table><tr><td>tea | $20 | June")},
      {"a table", repeated_to(1 << 20, "| tea | $20 | June |\n")},
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
      {"the same word", [&](std::size_t n) { return both(repeated_to(n, "tea ")); }},
      {"words all different", [&](std::size_t n) { return both(numbered("tea", n)); }},
      {"numbers all different", [&](std::size_t n) { return both(numbered("", n)); }},
      {"numbers that contradict",
       [](std::size_t n) {
         return made{numbered("ships 1", n), {numbered("ships 2", n)}};
       }},
      {"percentages",
       [](std::size_t n) {
         return made{repeated_to(n, "grew 25% "), {repeated_to(n, "grew 20% ")}};
       }},
      {"numbers joined by dots", [&](std::size_t n) { return both(repeated_to(n, "12345.67890.")); }},
      {"numbers joined by commas", [&](std::size_t n) { return both(repeated_to(n, "12345,6.5,")); }},
      {"lines of numbers", [&](std::size_t n) { return both(repeated_to(n, "123,4\n")); }},
      {"numbers that round",
       [](std::size_t n) {
         return made{numbered("1", n), {repeated_to(n, "1.00000001 ")}};
       }},
      {"one word", [&](std::size_t n) { return both(repeated_to(n, "a")); }},
      {"one number", [&](std::size_t n) { return both(repeated_to(n, "9")); }},
      {"groups", [&](std::size_t n) { return both(repeated_to(n, "111,")); }},
      {"dotted groups", [&](std::size_t n) { return both(repeated_to(n, "111.")); }},
      {"initials", [&](std::size_t n) { return both(repeated_to(n, "a.")); }},
      {"apostrophes", [&](std::size_t n) { return both(repeated_to(n, "a'")); }},
      {"parentheses", [&](std::size_t n) { return both(repeated_to(n, "(tea ")); }},
      {"openers", [&](std::size_t n) { return both(repeated_to(n, "- Note ")); }},
      {"brackets", [&](std::size_t n) { return both(repeated_to(n, "[1,")); }},
      {"addresses", [&](std::size_t n) { return both(repeated_to(n, "http://")); }},
      {"names",
       [&](std::size_t n) {
         return made{"x " + repeated_to(n, "Aa "), {"none"}};
       }},
      {"names all different",
       [&](std::size_t n) {
         return made{"x " + numbered("Aa", n), {"none"}};
       }},
      {"pairs", [&](std::size_t n) { return both(repeated_to(n, "東京")); }},
      {"broken bytes", [&](std::size_t n) { return both(repeated_to(n, "\xC3")); }},
      {"many references",
       [](std::size_t n) {
         return made{"tea grew", std::vector<std::string>(n / 8, "tea grew")};
       }},
      {"a text without the end of a sentence",
       [](std::size_t n) {
         return made{"Tea grew in May.", {repeated_to(n, "tea grew in June, ")}};
       }},
      {"sentences with the same words",
       [](std::size_t n) {
         return made{"Tea grew in May.", {repeated_to(n, "Tea fell in June. ")}};
       }},
      {"rows of a table",
       [](std::size_t n) {
         return made{repeated_to(n, "tea costs $10 in May. "), {repeated_to(n, "| tea | $20 | June |\n")}};
       }},
      {"a table in one line",
       [](std::size_t n) {
         return made{"tea costs $10 in May", {repeated_to(n, "| tea | $20 ")}};
       }},
      {"nested tables",
       [](std::size_t n) {
         return made{"tea costs $10", {repeated_to(n, "<table><tr><td>tea|") + repeated_to(n, "\n")}};
       }},
      {"comparisons",
       [&](std::size_t n) { return both(repeated_to(n, "tea is higher than ice is lower than ")); }},
      {"verbs", [&](std::size_t n) { return both(repeated_to(n, "Acme sold Tea bought ")); }},
      {"a claim that nearly occurs everywhere",
       [](std::size_t n) {
         return made{repeated_to(500, "a") + "b", {repeated_to(n, "a")}};
       }},
      {"negations", [&](std::size_t n) { return both(repeated_to(n, "not tea never ")); }},
      {"hyphens", [&](std::size_t n) { return both(repeated_to(n, "twenty-")); }},
  };
  for (const auto& [name, make] : hostile) {
    INFO(name);
    check_linear(1 << 12, scoring(make));
  }
}

// A warm scorer does not allocate. The program counts every call of operator new.
#include <citestream/check/support.hpp>

#include <cstddef>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/counted_new.hpp"

using citestream_tests::allocations;

TEST_CASE("a warm scorer does not allocate") {
  constexpr std::string_view references[] = {
      "In 2023 sales of the ferry company grew by 20% to $1.5 million, said Ingrid Moe in Halden.",
      "Bees dance to tell others where flowers are."};
  constexpr std::string_view claims[] = {
      "Sales grew 25% in 2023, said Tim Cook.", "Bees dance.", "",
      "The ferry company in Halden sold 3 boats to 4 men in 1999 for 5 dollars."};
  citestream::support_scorer scorer;
  for (const std::string_view claim : claims) (void)scorer.score(claim, references);
  const std::size_t before = allocations;
  double sum = 0;
  for (int round = 0; round < 100; ++round) {
    for (const std::string_view claim : claims) sum += scorer.score(claim, references).value;
  }
  CHECK(allocations == before);
  CHECK(sum > 0);
}

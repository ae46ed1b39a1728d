#include "check/lexicon.hpp"

#include <catch2/catch.hpp>

TEST_CASE("the vocabulary fills at most three quarters of its table") {
  CHECK(citestream::check_detail::lexicon_load() > 0.25);
  CHECK(citestream::check_detail::lexicon_load() < 0.75);
}

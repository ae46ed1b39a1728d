#include "check/lexicon.hpp"

#include <catch2/catch.hpp>

using citestream::check_detail::lexicon;

TEST_CASE("the vocabulary fills at most three quarters of its table") {
  CHECK(lexicon::shared().used() > 0);
  CHECK(lexicon::shared().used() <= lexicon::size / 4 * 3);
}

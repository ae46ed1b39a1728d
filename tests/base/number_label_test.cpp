#include "base/number_label.hpp"

#include <catch2/catch.hpp>

using citestream::is_number_label;
using citestream::name_in;

TEST_CASE("a label of numbers and their separators is not a name") {
  for (const char* label : {"", "1", "[1]", "1, 2", "1-3", "1\u20133", "\u2013", "^1", "[12] [3\u2013]"})
    CHECK(is_number_label(label));
  // The letters have the bytes of the en dash.
  for (const char* label : {"a", "1a", "1\u2013b", "\u24C0", "\u24D3", "1\u24C0", "\xE2", "\xE2\x80"}) {
    CHECK_FALSE(is_number_label(label));
    CHECK(name_in(label) == label);
  }
}

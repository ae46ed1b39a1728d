#include "style/printed.hpp"

using citestream_tests::printed;

TEST_CASE("superscript prints a raised number and removes the blanks before it") {
  const citestream::style& how = citestream::superscript_style;
  CHECK(printed(how, "grew by 20% [Financial_Report.pdf](id1).") == "grew by 20%<sup>[1]</sup>.");
  CHECK(printed(how, "The company revenue grew by 20% [A](a), [B](b) and [A](a)") ==
        "The company revenue grew by 20%<sup>[1]</sup>,<sup>[2]</sup> and<sup>[1]</sup>");
  CHECK(printed(how, "a [1, 2].", {}, {&citestream::numeric_grammar}) == "a<sup>[1]</sup><sup>[2]</sup>.");
}

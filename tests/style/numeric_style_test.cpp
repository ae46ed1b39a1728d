#include "style/printed.hpp"

using citestream_tests::printed;

TEST_CASE("numeric prints a source's number and keeps the blanks around it") {
  CHECK(printed(citestream::numeric_style, "grew by 20% [Financial_Report.pdf](id1).") == "grew by 20% [1].");
  CHECK(printed(citestream::numeric_style, "([A](1), [B](2)) ") == "([1], [2]) ");
}

TEST_CASE("numeric reuses the number of a source that is cited again") {
  CHECK(printed(citestream::numeric_style, "[A](a) [B](b) [C](a) [D](http://x/) [E](HTTP://X:80)") ==
        "[1] [2] [1] [3] [3]");
}

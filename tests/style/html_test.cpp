#include "style/printed.hpp"

using citestream_tests::printed;

TEST_CASE("html prints a link with the number and removes the blanks before it") {
  CHECK(printed(citestream::html_style, "grew by 20% [Financial_Report.pdf](id1).") ==
        "grew by 20%<sup><a href=\"#cite-1\" data-citation=\"1\">[1]</a></sup>.");
}

TEST_CASE("html puts no part of a label or identifier into its tags") {
  CHECK(printed(citestream::html_style, "a [\"><script>](javascript:x) [B](\"b)") ==
        "a<sup><a href=\"#cite-1\" data-citation=\"1\">[1]</a></sup>"
        "<sup><a href=\"#cite-2\" data-citation=\"2\">[2]</a></sup>");
}

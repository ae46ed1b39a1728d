#include "style/printed.hpp"

using citestream::reference;
using citestream_tests::printed;
using citestream_tests::sources;

namespace {

const citestream::style& how = citestream::label_style;

reference numbered(std::int64_t number, std::string title, std::string url = {}) {
  reference made;
  made.number = number;
  made.title = std::move(title);
  made.url = std::move(url);
  return made;
}

std::string by_number(std::string_view text, const sources& from) {
  return printed(how, text, from, {&citestream::numeric_grammar});
}

}  // namespace

TEST_CASE("label prints the label and keeps the blanks around it") {
  CHECK(printed(how, "grew by 20% [Financial_Report.pdf](id1).") == "grew by 20% Financial_Report.pdf.");
  CHECK(printed(how, "([A](1), [B](2)) ") == "(A, B) ");
}

TEST_CASE("label separates adjacent labels") {
  CHECK(printed(how, "[A](1)[B](2) [C](3)") == "A, B C");
  CHECK(printed(how, "a[\u200B](x)[B](2)") == "ax, B");
}

TEST_CASE("label prints a known title if the marker has no label") {
  const reference first = numbered(1, "The *first*");
  CHECK(by_number("a [1].", {{first}, {}}) == "a The \\*first\\*.");
  CHECK(by_number("a [1].", {{}, {first}}) == "a \\[1\\].");
  CHECK(by_number("a [1, 2] b", {{first, numbered(2, "", "http://x.example/")}, {}}) ==
        "a The \\*first\\*, http://x.example/ b");
  CHECK(printed(how, "a [doc1].", {}, {&citestream::source_grammar}) == "a doc1.");
}

TEST_CASE("label prints the title of the best reference") {
  reference low = numbered(1, "low");
  low.score = 0.1;
  reference high = numbered(1, "high");
  high.score = 0.9;
  CHECK(by_number("[1]", {{low, high, numbered(1, "none")}, {}}) == "high");
  CHECK(by_number("[1]", {{high, low}, {}}) == "high");
}

TEST_CASE("a label is inert at every position") {
  CHECK(printed(how, "[# x](1)\n[- y](2)\n[1. z](3)\n[===](4)") == "\\# x\n\\- y\n1\\. z\n\\===");
  CHECK(printed(how, "[a@x.example](1)") == "a@x.example");
  CHECK(printed(how, "[<b>a</b> &lt; &](1)") == "&lt;b&gt;a&lt;/b&gt; &amp;lt; &amp;");
}

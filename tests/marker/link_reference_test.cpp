// The reference against a table written by hand.
#include "marker/link_reference.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using citestream::grammar_options;
using citestream::identifier_kind;
using namespace citestream_tests;

std::string join(const std::vector<found_marker>& markers, std::string_view text) {
  std::string out;
  for (const found_marker& m : markers) {
    if (!out.empty()) out += " | ";
    out += text.substr(m.begin, m.end - m.begin);
  }
  return out;
}

struct find_case {
  std::string text;
  std::string markers;  ///< joined with ` | `
};

void check(const std::vector<find_case>& cases, const grammar_options& options = {}) {
  for (const find_case& c : cases) {
    INFO(c.text);
    CHECK(join(find_markers(c.text, options), c.text) == c.markers);
  }
}

std::string strip(std::string_view text) {
  return print(text, {}, printing::strip).text;
}

struct print_case {
  std::string text;
  std::string printed;
};

void check_strip(const std::vector<print_case>& cases) {
  for (const print_case& c : cases) {
    INFO(c.text);
    CHECK(strip(c.text) == c.printed);
  }
}

}  // namespace

TEST_CASE("brackets pair as in CommonMark") {
  check({
      {"[a](b)", "[a](b)"},
      {"[Report [2023].pdf](id)", "[Report [2023].pdf](id)"},
      {"see [a [b](id) c", "[b](id)"},
      {"see [a [b](id) c](d)", "[b](id)"},
      {"[x] (y) [z]", ""},
      {"[](x) [a]()", ""},
      {"[a]](x)", ""},
      {"[[a]](x)", "[[a]](x)"},
      {"[a\n](x) [b\r](x) [c\r\nd](x)", ""},
      {"![a](b) [c](d)", "[c](d)"},
      {"!![a](b) \\![c](d) \\\\![e](f)", "[c](d)"},
      {"[![a](b)](c)", "[![a](b)](c)"},
      {"[![](b)](c)", "[![](b)](c)"},
      {"![a [b](c)](d)", "[b](c)"},
      {"![a[b](c", ""},
      {"\\[a](b) [c\\](d) \\\\[e](f)", "[e](f)"},
      {"[a\\](b)](c)", "[a\\](b)](c)"},
      {"\\a[b](c) \\\xc3\xa9[d](e)", "[b](c) | [d](e)"},
  });
}

TEST_CASE("a destination is read raw and is not read again after it failed") {
  check({
      {"[W](https://en.wikipedia.org/wiki/Ruby_(gem))", "[W](https://en.wikipedia.org/wiki/Ruby_(gem))"},
      {"[a](b(c) [d](e)", "[d](e)"},
      {"[a](b[c](d)", "[c](d)"},
      {"[a](b![c](d)", ""},
      {"[a](b\\[c](d)", "[c](d)"},
      {"[a](b\\![c](d)", ""},
      {"[a](b`[c](d)`", "[c](d)"},
      {"[a](`b`) `[c](d)`", "[a](`b`)"},
      {"[x [a](b]c d](e)", "[x [a](b]c d](e)"},
      {"[a](<b c>)", "[a](<b c>)"},
      {"[a](<b>c) [d](<e\tf>)", "[d](<e\tf>)"},
      {"[a](<>) [b](<c[d](e)", "[d](e)"},
      {"[a](<b<c>)", ""},
      {"[a](b\"c)", "[a](b\"c)"},
      {"[a](b<c)", "[a](b<c)"},
      {"[a](b\tc) [d](e\x01) [f](g\x7f)", ""},
      {"[a](\xc3\xa9)", "[a](\xc3\xa9)"},
  });
}

TEST_CASE("a title follows spaces and is read again if it fails") {
  check({
      {"[a](b \"t\")", "[a](b \"t\")"},
      {"[a](b  \"\")", "[a](b  \"\")"},
      {"[a](<b> \"t\")", "[a](<b> \"t\")"},
      {"[a](b \"t\\\"u\")", "[a](b \"t\\\"u\")"},
      {"[a](b \"t\\\\\")", "[a](b \"t\\\\\")"},
      {"[a](b \"t\" )", ""},
      {"[a](b\t\"t\")", ""},
      {"[a](b(c \"t\")", ""},
      {"[a](b 't')", ""},
      {"[a](b \"[c](d)\")", "[a](b \"[c](d)\")"},
      {"[a](b \"[c](d)\" x", "[c](d)"},
      {"[a](b \"[c](d)\n\")", "[c](d)"},
      {"[a](b \"[c](d)", "[c](d)"},
      {"[a](b \"`[c](d)`\" x", ""},
  });
}

TEST_CASE("limits are counted in bytes and a link of exactly the limit is accepted") {
  grammar_options small;
  small.bounds.max_label_bytes = 3;
  small.bounds.max_identifier_bytes = 4;
  small.bounds.max_title_bytes = 2;
  small.bounds.max_parentheses = 1;
  check(
      {
          {"[abc](x) [abcd](x)", "[abc](x)"},
          {"[[a]](x) [[ab]](x)", "[[a]](x)"},
          {"[a [b](c) ![abcd](e) ![f](g)", "[b](c)"},
          {"[a](bcde) [a](bcdef)", "[a](bcde)"},
          {"[a](<bcde>) [a](<bcdef>)", "[a](<bcde>)"},
          {"[a](b(c)) [a](b(c)d)", "[a](b(c))"},
          {"[a](()) [a]((()))", "[a](())"},
          {"[a](b \"cd\") [a](b \"cde\")", "[a](b \"cd\")"},
          {"[a](b \"\\\"\") [a](b \"c\\\"\")", "[a](b \"\\\"\")"},
          {"[a](bcde[f](g)", "[f](g)"},
      },
      small);
}

TEST_CASE("identifiers of another kind are text and are skipped whole") {
  grammar_options urls;
  urls.identifiers = identifier_kind::url;
  check({{"[a](b) [c](http://d) [e](HTTPS://f)", "[c](http://d) | [e](HTTPS://f)"},
         {"[a](http://) [b](https:/x) [c](xhttp://d)", ""},
         {"[a [b](c) d](http://e)", "[a [b](c) d](http://e)"},
         {"[a](b \"[c](http://d)\")", ""}},
        urls);
  grammar_options uuids;
  uuids.identifiers = identifier_kind::uuid;
  check({{"[a](01234567-89ab-CDEF-0123-456789abcdef)", "[a](01234567-89ab-CDEF-0123-456789abcdef)"},
         {"[a](01234567-89ab-CDEF-0123-456789abcdeg) [a](01234567-89ab-CDEF-0123-456789abcdef0)", ""},
         {"[a](0123456-789ab-CDEF-0123-456789abcdef)", ""}},
        uuids);
}

TEST_CASE("code contains no markers") {
  check({
      {"`[a](b)` [c](d)", "[c](d)"},
      {"``[a](b)` [c](d)`` [e](f)", "[e](f)"},
      {"`[a](b)\n[c](d)\n\n[e](f)", "[e](f)"},
      {"`[a](b)\r\n \t\r\n[e](f)", "[e](f)"},
      {"`[a](b)\r\r[e](f)", "[e](f)"},
      {"\\`[a](b)` [c](d)", "[a](b)"},
      {"\\``[a](b)` [c](d)", "[c](d)"},
      {"`\\`[a](b)`", "[a](b)"},
      {"[a `]` b](c)", "[a `]` b](c)"},
      {"[a `\n` b](c)", ""},
      {"```\n[a](b)\n```\n[c](d)", "[c](d)"},
      {"> ```x\n[a](b)\n>````\t\n[c](d)", "[c](d)"},
      {"```\n[a](b)\n``\n~~~\n``` x\n[c](d)", ""},
      {"~~~ `x`\n[a](b)\n~~~~ \n[c](d)", "[c](d)"},
      {"``` [a](b) ` [c](d)\n\n[e](f)", "[e](f)"},
      {"``` [a](b) ``` [c](d)", "[c](d)"},
      {"x ~~~ [a](b)", "[a](b)"},
      {"x ```\n[a](b)\n```\n[c](d)", "[c](d)"},
      {"`x\n```\n[a](b)\n\n[c](d)", "[c](d)"},
      {"~~\n[a](b)", "[a](b)"},
  });
}

TEST_CASE("strip removes groups and their parentheses and tidies the text") {
  check_strip({
      {"grew by 20% [Financial_Report.pdf](id1).", "grew by 20%."},
      {"x [A](1), [B](2) y", "x y"},
      {"x [A](1) [B](2).", "x."},
      {"x [A](1) ; \t[B](2).", "x."},
      {"x [A](1),, [B](2).", "x,,."},
      {"foo[X](id)bar", "foobar"},
      {"foo [X](id)bar", "foo bar"},
      {"foo \t[X](id)", "foo"},
      {"foo [X](id)\nbar", "foo\nbar"},
      {"`[a](b)` [c](d).", "`[a](b)`."},
      {"[x] (y) [z]", "[x] (y) [z]"},
      {"claim ([W](url)).", "claim."},
      {"claim ( [W](url)\t)", "claim"},
      {"claim (([W](url)))", "claim ()"},
      {"claim \\([W](url)).", "claim \\()."},
      {"claim \\\\([W](url)).", "claim \\\\."},
      {"claim ( [W](url) x)", "claim ( x)"},
      {"claim ( [W](url)x)", "claim ( x)"},
      {"x [A](1) ([B](2))y", "x y"},
      {"x [A](1)([B](2))y", "x y"},
      {"x[A](1) ([B](2))y", "x y"},
      {"x ([A](1)), ([B](2)) y", "x, y"},
      {"x [A](1)( [B](2)y", "x ( y"},
      {"x [A](1)\xe2\x80\x99s", "x\xe2\x80\x99s"},
      {"x [A](1)\xe3\x80\x82", "x\xe3\x80\x82"},
      {"x [A](1)\xc3\xa9", "x \xc3\xa9"},
      {"x [A](1)\xe2\x80", "x \xe2\x80"},
      {"x [A](1)\xe2\x80\x83y", "x\xe2\x80\x83y"},
  });
}

TEST_CASE("strip at the start of a line removes the blanks after a group") {
  check_strip({
      {"[A](1) foo", "foo"},
      {"x\n  [A](1) \tfoo", "x\n  foo"},
      {"  ([A](1)) foo", "  foo"},
      {"[A](1) ([B](2)) foo", "foo"},
      {"[A](1)  , foo", ", foo"},
      {"(  [A](1) foo", "( foo"},
      {"x\r[A](1) foo", "x\rfoo"},
      {"[A](1) \n foo", "\n foo"},
      {"- [A](1) foo", "- foo"},
  });
}

TEST_CASE("a citation's position is the end of the text before it") {
  const auto starts = [](std::string_view text) {
    std::vector<std::size_t> out;
    for (const printed_citation& c : print(text, {}, printing::strip).citations) {
      CHECK(c.start == c.end);
      out.push_back(c.start);
    }
    return out;
  };
  CHECK(starts("x [A](1), [B](2) y") == std::vector<std::size_t>{1, 1});
  CHECK(starts("foo [X](id)bar [Y](id)") == std::vector<std::size_t>{3, 7});
  CHECK(starts("  [X](id) a") == std::vector<std::size_t>{2});
  CHECK(starts("a ( [X](id) b") == std::vector<std::size_t>{3});
  CHECK(starts("a ([X](id)) b") == std::vector<std::size_t>{1});
}

TEST_CASE("numbers follow first appearance and keep changes nothing") {
  const std::string text = "a [A](1) b [B](2) [C](1)[D](http://H/%7e) [E](HTTP://h:80/~#x)";
  const printed_text numeric = print(text, {}, printing::numeric);
  CHECK(numeric.text == "a [1] b [2] [1][3] [3]");
  REQUIRE(numeric.citations.size() == 5);
  CHECK(numeric.citations[2].label == "C");
  CHECK(numeric.citations[2].identifier == "1");
  CHECK(numeric.citations[2].marker == "[C](1)");
  CHECK(numeric.citations[2].start == 12);
  CHECK(numeric.citations[2].end == 15);
  const printed_text keep = print(text, {}, printing::keep);
  CHECK(keep.text == text);
  CHECK(keep.citations[1].start == 11);
  CHECK(keep.citations[1].end == 17);
  CHECK(print("a [A](1) b\t[B](2)", {}, printing::mark_stays).text == "a \x01 b\t\x01");
  CHECK(print("a [A](1) b\t[B](2)", {}, printing::mark_goes).text == "a\x01 b\x01");
}

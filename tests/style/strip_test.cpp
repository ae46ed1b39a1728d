// How text is tidied after its markers are removed.
#include <string>

#include "style/printed.hpp"

namespace {

struct example {
  std::string in;
  std::string out;
};

void check(std::initializer_list<example> examples) {
  for (const example& one : examples) {
    INFO(one.in);
    CHECK(citestream_tests::printed(citestream::strip_style, one.in) == one.out);
  }
}

}  // namespace

TEST_CASE("strip removes the blanks before a marker") {
  check({{"grew by 20% [Financial_Report.pdf](id1).", "grew by 20%."},
         {"foo \t [X](id).", "foo."},
         {"foo[X](id)bar", "foobar"},
         {"`[a](b)` [c](d).", "`[a](b)`."},
         {"[x] (y) [z]", "[x] (y) [z]"}});
}

TEST_CASE("strip removes what separates adjacent markers") {
  check({{"x [A](1), [B](2) y", "x y"},
         {"x [A](1) [B](2).", "x."},
         {"x [A](1);[B](2), [C](3)", "x"},
         {"x [A](1),, [B](2) y", "x,, y"},
         {"x [A](1), y", "x, y"}});
}

TEST_CASE("strip removes parentheses around a group and no others") {
  check({{"claim ([W](url)).", "claim."},
         {"claim ( [A](1), [B](2) ) on", "claim on"},
         {"claim \\([W](url)).", "claim \\()."},
         {"claim ([W](url) and more)", "claim ( and more)"},
         {"claim (([W](url)))", "claim ()"}});
}

TEST_CASE("strip inserts a space if words would run together") {
  check({{"foo [X](id)bar", "foo bar"},
         {"foo  ([X](id))bar", "foo bar"},
         {"foo [X](id)…", "foo…"},
         {"foo [X](id)。", "foo。"},
         {"foo [X](id)é", "foo é"},
         {"foo [X](id)", "foo"}});
}

TEST_CASE("strip removes the blanks after a group that starts a line") {
  check({{"[X](id) foo", "foo"},
         {"a\n[X](id)  foo\n", "a\nfoo\n"},
         {"a\n  [X](id) foo", "a\n  foo"},
         {"([X](id)) [Y](id) foo", "foo"},
         {"[X](id)\n\nfoo", "\n\nfoo"}});
}

// Several grammars at once: the marker that starts first wins, then the longest, then the first in the table.
// The order in which the grammars are given does not matter.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {

const grammar_list all(citestream::grammars().begin(), citestream::grammars().end());

/// The grammars whose bits are set in \p mask.
grammar_list chosen(unsigned mask) {
  grammar_list out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((mask >> i & 1U) != 0) out.push_back(all[i]);
  }
  return out;
}

const std::vector<grammar_example>& examples() {
  static const std::vector<grammar_example> out{
      {"a [1](u) b [1] (c)", "a b (c)", "a [1] b [2] (c)", {"u=1", "1"}},
      {"a [[1]](u) b", "a b", "a [1] b", {"u=1"}},
      {"a [doc1](u) [doc1].", "a.", "a [1] [2].", {"u=doc1", "doc1"}},
      {"a [see [1] and [2]](u).", "a.", "a [1].", {"u=see [1] and [2]"}},
      {"a [see [1] and [2]] (u)", "a [see and] (u)", "a [see [1] and [2]] (u)", {"1", "2"}},
      {"a [x [1](u) y](v)", "a [x y](v)", "a [x [1] y](v)", {"u=1"}},
      {"【4†s】【5】", "", "[1][2]", {"4=s", "5"}},
      {"【4†[1]】", "", "[1]", {"4=[1]"}},
      {"a [1], [doc2]; [REF|d_3] <|file-4|>【5†s】\uE200cite\uE202k\uE201.",
       "a.",
       "a [1], [2]; [3] [4][5][6].",
       {"1", "doc2", "d_3", "file-4", "5=s", "k"}},
      {"[1](u", "(u", "[1](u", {"1"}},
      {"[x](<|file-1|>)", "", "[1]", {"|file-1|=x"}},
      {"[[1]](<http://a.example/b>)", "", "[1]", {"http://a.example/b=[1]"}},
      {"([1][a](b)[doc1]) c", "c", "([1][2][1]) c", {"1", "b=a", "doc1"}},
      {"[^1](u)", "", "[1]", {"u=^1"}},
      {"![1](u) ![doc1](u) ![REF|d_1](u)",
       "![1](u) ![doc1](u) ![REF|d_1](u)",
       "![1](u) ![doc1](u) ![REF|d_1](u)",
       {}},
      {"[![1](u)](v) a![1][doc2](u)", "a!", "[1] a![2][3]", {"v=![1](u)", "1", "u=doc2"}},
      {"[1]: http://x\n[1](u)", "[1]: http://x\n", "[1]: http://x\n[1]", {"u=1"}},
      {"[^1]: [a](b)", "[^1]:", "[^1]: [1]", {"b=a"}},
  };
  return out;
}

}  // namespace

TEST_CASE("arbitration does not depend on the order of the grammars") {
  grammar_list order = all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::rotate(order.begin(), order.begin() + 1, order.end());
    check_examples(i == 0 ? all : order, examples());
    const grammar_list reversed(order.rbegin(), order.rend());
    citestream::answer a(grammar_run_options(order, printing::numeric));
    citestream::answer b(grammar_run_options(reversed, printing::numeric));
    for (const grammar_example& one : examples()) {
      CHECK(run_grammars(a, single_bytes(one.text)) == run_grammars(b, single_bytes(one.text)));
    }
  }
}

TEST_CASE("two grammars give the same for every cut in either order") {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      check_invariance({all[i], all[j]}, 250, static_cast<unsigned>(10 * i + j));
    }
  }
}

TEST_CASE("three and more grammars give the same for every cut in any order") {
  for (unsigned mask = 7; mask < 256; mask += 9) check_invariance(chosen(mask), 120, 1000 + mask);
  check_invariance(all, 1500, 1200);
}

TEST_CASE("several grammars without links hold only undecided text") {
  const grammar_list no_links = chosen(0b11111101);
  check_holds(no_links, 3, 1300);
  check_holds(no_links, 1, 1301, printing::strip);
  for (const unsigned mask :
       {0b0000101U, 0b0001001U, 0b0100001U, 0b0001100U, 0b0010001U, 0b1100000U, 0b1010000U, 0b10010000U}) {
    check_holds(chosen(mask), 3, 1310 + mask);
  }
}

TEST_CASE("links with other grammars hold only undecided text") {
  for (const unsigned mask : {0b0000011U, 0b0000110U, 0b0001010U}) check_holds(chosen(mask), 3, 1400 + mask);
  for (const std::string text :
       {"[1](u) [1] (", "a [[1]](u)", "[[1]](u v", "[x [1] y", "[x [1](u) y](v)", "[1][2](u)"}) {
    check_hold(chosen(0b0000011), text, printing::mark_stays);
  }
}

TEST_CASE("several grammars respect small limits and lose no byte") {
  for (unsigned mask = 3; mask < 256; mask += 7) {
    check_bounds(chosen(mask), 20, 1500 + mask);
    check_lossless(chosen(mask), 40, 1600 + mask);
  }
}

TEST_CASE("a failed link destination can contain markers of other grammars") {
  citestream::answer work(grammar_run_options(all, printing::numeric));
  struct example {
    std::string text;
    std::string numeric;
  };
  for (const example& one :
       {example{"[note](a<|file-1|> b) c", "[note](a[1] b) c"},
        example{"[note](see【4:0†source】 b)", "[note](see[1] b)"}, example{"[note](a<|file-1|>) c", "[1] c"},
        example{"[note[1]](sandbox:/a.csv) c", "[note[1]](sandbox:/a.csv) c"}}) {
    CHECK(run_grammars(work, {one.text}).text == one.numeric);
    CHECK(run_grammars(work, single_bytes(one.text)).text == one.numeric);
  }
}

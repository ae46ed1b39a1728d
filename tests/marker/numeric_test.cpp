// `[1]` and its relatives.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::numeric_grammar};

}  // namespace

TEST_CASE("numbers in brackets are markers and each number is a citation") {
  check_examples(on, {
                         {"grew by 20% [1].", "grew by 20%.", "grew by 20% [1].", {"1"}},
                         {"a [7] b [7] c [2]", "a b c", "a [1] b [1] c [2]", {"7", "7", "2"}},
                         {"a [1, 2] b", "a b", "a [1][2] b", {"1", "2"}},
                         {"a [1;2] b", "a b", "a [1][2] b", {"1", "2"}},
                         {"a[1][2].", "a.", "a[1][2].", {"1", "2"}},
                         {"a [1-3].", "a.", "a [1][2][3].", {"1", "2", "3"}},
                         {"a [1–3].", "a.", "a [1][2][3].", {"1", "2", "3"}},
                         {"a [3-3].", "a.", "a [1].", {"3"}},
                         {"a [5, 1-2; 9].", "a.", "a [1][2][3][4].", {"5", "1", "2", "9"}},
                         {"a [^1].", "a.", "a [1].", {"1"}},
                         {"a [^1]: b", "a: b", "a [1]: b", {"1"}},
                         {"[^1] b", "b", "[1] b", {"1"}},
                         {"[^1]", "", "[1]", {"1"}},
                         {"[1] b", "b", "[1] b", {"1"}},
                         {"a [1]: b", "a: b", "a [1]: b", {"1"}},
                         {"[1, 2]: b", ": b", "[1][2]: b", {"1", "2"}},
                         {"【1】: b", ": b", "[1]: b", {"1"}},
                         {"[[1]: b", "[: b", "[[1]: b", {"1"}},
                         {"a\n[2]: u\n[1] b", "a\n[2]: u\nb", "a\n[2]: u\n[1] b", {"1"}},
                         {"Great![1] z", "Great! z", "Great![1] z", {"1"}},
                         {"Great![1]", "Great!", "Great![1]", {"1"}},
                         {"Great![1][2](u)", "Great!(u)", "Great![1][2](u)", {"1", "2"}},
                         {"Great![[1]] z", "Great![] z", "Great![[1]] z", {"1"}},
                         {"Great![[^1]] z", "Great![] z", "Great![[1]] z", {"1"}},
                         {"Great![[1]", "Great![", "Great![[1]", {"1"}},
                         {"Great![[1] (u)", "Great![ (u)", "Great![[1] (u)", {"1"}},
                         {"Great![[[1]](u) z", "Great![ z", "Great![[1] z", {"u=1"}},
                         {"Great!\\[[1]](u) z", "Great!\\[](u) z", "Great!\\[[1]](u) z", {"1"}},
                         {"Great\\![[1]](u) z", "Great\\! z", "Great\\![1] z", {"u=1"}},
                         {"See ![[1]](u) ok [1].", "See ![[1]](u) ok.", "See ![[1]](u) ok [1].", {"1"}},
                         {"See ![1](u) ok [1].", "See ![1](u) ok.", "See ![1](u) ok [1].", {"1"}},
                         {"\\![1](u)", "\\!(u)", "\\![1](u)", {"1"}},
                         {"`!`[1](u)", "`!`(u)", "`!`[1](u)", {"1"}},
                         {"!［1］(u)", "!(u)", "![1](u)", {"1"}},
                         {"a ［1］ b", "a b", "a [1] b", {"1"}},
                         {"増加した【1】。", "増加した。", "増加した[1]。", {"1"}},
                         {"a 【1, 2】 b", "a b", "a [1][2] b", {"1", "2"}},
                         {"a [[1]](http://x/a_(b)) c", "a c", "a [1] c", {"http://x/a_(b)=1"}},
                         {"a [[1]](1Ⓚ) c", "a c", "a [1] c", {"1Ⓚ=1"}},
                         {"a [[1]](51-3) [[2]](02,3) c", "a c", "a [1] [2] c", {"51-3=1", "02,3=2"}},
                         {"a [[1, 2]](u) c", "a c", "a [1] c", {"u=1, 2"}},
                         {"[[1]] [[2]](", "[] [](", "[[1]] [[2]](", {"1", "2"}},
                         {"[[1]](a b)", "[](a b)", "[[1]](a b)", {"1"}},
                         {"[[1]](u【2】", "[](u", "[[1]](u[2]", {"1", "2"}},
                         {"[[1]]()", "[]()", "[[1]]()", {"1"}},
                         {"[[1]](<u>)", "[](<u>)", "[[1]](<u>)", {"1"}},
                         {"[[1]](u<v>)", "", "[1]", {"u<v>=1"}},
                         {"[1](u)", "(u)", "[1](u)", {"1"}},
                         {"【1【2】", "【1", "【1[1]", {"2"}},
                         {"［1［2］", "［1", "［1[1]", {"2"}},
                         {"[1[2]", "[1", "[1[1]", {"2"}},
                         {"[[^1]](u)", "[](u)", "[[1]](u)", {"1"}},
                         {"`arr[1]` [2]", "`arr[1]`", "`arr[1]` [1]", {"2"}},
                         {"\\【1】", "\\", "\\[1]", {"1"}},
                     });
}

TEST_CASE("text that only resembles a number in brackets is not a marker") {
  check_false_friends(on, {"[ 1 ]",
                           "[2024 report]",
                           "[x]",
                           "[-1]",
                           "[1.5]",
                           "1 < 2",
                           "`arr[1]`",
                           "\\[1]",
                           "[]",
                           "[1",
                           "[1,]",
                           "[,1]",
                           "[1 ]",
                           "[1 2]",
                           "[^]",
                           "[^a]",
                           "[^1, 2]",
                           "［1]",
                           "[1］",
                           "【1］",
                           "[1-]",
                           "[1--3]",
                           "[1–",
                           "[3-1]",
                           "[2024-01]",
                           "[2024-01-15]",
                           "[1-2-3]",
                           "[1]: https://x",
                           "   [1]:",
                           "> [1]: https://x",
                           "a\n[1]: b\r\n[2]: c",
                           "![1](u)",
                           "![1, 2](u) ![^1](u)",
                           "![[1]](u) ![[1, 2-3]](u v ![[^1]](",
                           "!![1](u)",
                           "[^1]: a note",
                           "  [^1]: a note",
                           "> [^1]: a note",
                           "a\n[^1]: b",
                           "```\n[1]\n```",
                           "[+1]",
                           "[1e5]",
                           "[[x]](u)",
                           "【1†",
                           "\\[[x"});
}

TEST_CASE("a number has at most ten digits and a list at most 64 bytes") {
  check_examples(on,
                 {{"[123456789]", "", "[1]", {"123456789"}}, {"[1234567890]", "", "[1]", {"1234567890"}}});
  check_false_friends(on, {"[12345678901]"});
  for (const std::size_t blanks : {61U, 62U}) {
    const std::string text = "[1," + std::string(blanks, ' ') + "2]";
    check_examples(on, {blanks < 62 ? grammar_example{text, "", "[1][2]", {"1", "2"}}
                                    : grammar_example{text, text, text, {}}});
    check_hold(on, text, printing::mark_stays);
  }
}

TEST_CASE("a range cites at most 64 sources") {
  for (const auto& [text, count] :
       {std::pair("[1-63]", 63U), std::pair("[1-64]", 64U), std::pair("[7–70]", 64U), std::pair("[1-65]", 0U),
        std::pair("[0-64]", 0U)}) {
    citestream::answer a(grammar_run_options(on, printing::strip));
    CAPTURE(text);
    CHECK(run_grammars(a, {text}).records.size() == count);
    for (const printing how : {printing::strip, printing::numeric}) {
      CHECK(run_grammars(a, single_bytes(text)).records.size() ==
            print_grammars(text, on, how).records.size());
    }
  }
}

TEST_CASE("the URL after a doubled number has the limits of a link") {
  for (const std::size_t bytes : {2047U, 2048U, 2049U}) {
    const std::string url(bytes, 'u');
    const std::string text = "[[1]](" + url + ")";
    citestream::answer a(grammar_run_options(on, printing::strip));
    const grammar_output got = run_grammars(a, single_bytes(text));
    REQUIRE(got.records.size() == 1);
    CHECK(got.records[0].key == (bytes > 2048 ? "1" : url));
  }
  for (const std::size_t depth : {31U, 32U, 33U}) {
    const std::string url = repeated("(", depth) + repeated(")", depth);
    const std::string text = "[[1]](" + url + ")";
    citestream::answer a(grammar_run_options(on, printing::strip));
    const grammar_output got = run_grammars(a, {text});
    REQUIRE(got.records.size() == 1);
    CHECK(got.records[0].key == (depth > 32 ? "1" : url));
  }
}

TEST_CASE("digits in place of a URL are one key and not a list") {
  for (const std::string url : {"18446744073709551615", "1-9999999999", "99999999999999999999999"}) {
    citestream::answer a(grammar_run_options(on, printing::strip));
    CHECK(run_grammars(a, {"[[1]](" + url + ")"}).records.size() <= 2);
  }
}

TEST_CASE("only text that may become a number in brackets is held") {
  for (const char* text : {"[1234567890] [12345678901]", "[12-70] [12-76] [95-159]", "[2024-01-15]",
                           "[^1]: a\n[^1]: b [^1]:", "[1]: a\n[1] b [1]:", "![1](u) ![1] ![[1]](",
                           "![1, 2](u) \\![1](", "[[1]](u(v)) [[1]](u v)", "[[[[1]]](u)", "【1【2】［3［4］",
                           "[1–2] [1–\xE2", "[9999999999-9999999999]"}) {
    check_hold(on, text, printing::mark_stays);
  }
  check_hold(on, "a ( [1] , [2] ) b ([3]).", printing::strip);
}

TEST_CASE("numbers in brackets meet the requirements of every grammar") {
  check_promises(on, 100);
}

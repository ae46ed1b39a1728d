// `[label](identifier)`, read as CommonMark reads links. The details are tested with the reference
// and its own tests (link_reference_test.cpp), cut by cut in scanner_test.cpp.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::link_grammar};
}

TEST_CASE("links are markers and their destination is what they cite") {
  check_examples(on, {
                         {"grew [Report.pdf](f-17).", "grew.", "grew [1].", {"f-17=Report.pdf"}},
                         {"a [b](<c d>) e", "a e", "a [1] e", {"c d=b"}},
                         {"a [b](c \"title\").", "a.", "a [1].", {"c=b"}},
                         {"[[2019] Smith](s(1))", "", "[1]", {"s(1)=[2019] Smith"}},
                         {"a ([b](c), [d](e)).", "a.", "a ([1], [2]).", {"c=b", "e=d"}},
                         {"[a[b](c)](d)", "[a](d)", "[a[1]](d)", {"c=b"}},
                         {"\\[a](b)", "\\[a](b)", "\\[a](b)", {}},
                         {"😀[é](ü)。", "😀。", "😀[1]。", {"ü=é"}},
                     });
}

TEST_CASE("text that only resembles a link is not a marker") {
  check_false_friends(
      on, {"[a]", "[a] (b)", "(b)[a]", "[a]()", "[](", "![a](b)", "`[a](b)`", "```\n[a](b)\n```", "[a](b c)",
           "[a](b \"c)", "[a](<b)", "[a](b\n\nc)", "[x] done", "f[i](", "[a]: b", "[a\n\nb](c)"});
}

// Held text of links is tested with separate continuations: continuations_test.cpp.
TEST_CASE("links are the same for every cut and no byte is lost") {
  check_invariance(on, 2'000, 100);
  check_bounds(on, 200, 101);
  check_lossless(on, 500, 102);
}

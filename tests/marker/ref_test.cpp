// `[REF|d_1|a_2]`.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::ref_grammar};
}

TEST_CASE("provenance keys are markers and each key is a citation") {
  check_examples(on,
                 {
                     {"Revenue grew 12%. [REF|d_1]", "Revenue grew 12%.", "Revenue grew 12%. [1]", {"d_1"}},
                     {"a [REF|d_1|a_2] b", "a b", "a [1][2] b", {"d_1", "a_2"}},
                     {"a [REF|a_2][REF|d_1|a_2].", "a.", "a [1][2][1].", {"a_2", "d_1", "a_2"}},
                     {"Great![REF|d_1] z", "Great! z", "Great![1] z", {"d_1"}},
                     {"[REF|[REF|d_1]", "[REF|", "[REF|[1]", {"d_1"}},
                     {"`[REF|d_1]` [REF|d_2]", "`[REF|d_1]`", "`[REF|d_1]` [1]", {"d_2"}},
                 });
}

TEST_CASE("text that only resembles a provenance key is not a marker") {
  check_false_friends(
      on, {"[REF|]", "[REF]", "[REF|d_]", "[REF|x_1]", "[REF|d1]", "[REF|d_1|]", "[REF||d_1]", "[ref|d_1]",
           "[REF|d_1 ]", "[REF| d_1]", "[REF|d_1,a_2]", "[REF|d_x]", "REF|d_1", "[REF|d_1", "\\[REF|d_1]",
           "`[REF|d_1]`", "[REF:d_1]", "![REF|d_1](u)", "![REF|d_1|a_2]("});
}

TEST_CASE("a provenance key has at most sixteen digits") {
  check_examples(on, {{"[REF|d_12345678]", "", "[1]", {"d_12345678"}},
                      {"a [REF|d_3f9a2c|a_0b] b", "a b", "a [1][2] b", {"d_3f9a2c", "a_0b"}},
                      {"[REF|d_0123456789abcdef]", "", "[1]", {"d_0123456789abcdef"}}});
  check_false_friends(on, {"[REF|d_0123456789abcdef0]", "[REF|d_3F]", "[REF|d_3g]"});
  check_hold(on, "[REF|d_0123456789abcdef0] [REF|d_12345678|a_0123456789abcdef0]", printing::mark_stays);
}

TEST_CASE("a list of provenance keys is released once it cannot end within 512 bytes") {
  for (const std::size_t bytes : {511U, 512U, 513U, 516U}) {
    std::string text = "[REF|d_1";
    while (text.size() + 8 < bytes) text += "|d_1";
    text += std::string(bytes - 1 - text.size(), '2') + "]";
    REQUIRE(text.size() == bytes);
    citestream::answer a(grammar_run_options(on, printing::mark_stays));
    CHECK(run_grammars(a, {text}).records.empty() == (bytes > 512));
    CHECK(run_grammars(a, single_bytes(text)) == print_grammars(text, on, printing::mark_stays));
  }
  std::string text = "[REF|d_1";
  while (text.size() < 508) text += "|a_2";
  check_hold(on, text + "|a_3]", printing::mark_stays);
}

TEST_CASE("provenance keys meet the requirements of every grammar") {
  check_promises(on, 300);
}

TEST_CASE("escaped bars are bars") {
  check_examples(on, {{"| a | b [REF\\|d_1] |", "| a | b |", "| a | b [1] |", {"d_1"}},
                      {"a [REF\\|d_1\\|a_2|d_3] b", "a b", "a [1][2][3] b", {"d_1", "a_2", "d_3"}}});
  check_false_friends(on, {"[REF\\\\|d_1]", "[REF\\d_1]", "[RE\\F|d_1]", "[REF|d_1\\]", "[REF|d_1\\a_2]",
                           "[REF|d_\\|1]", "[REF|\\|d_1]", "`[REF\\|d_1]`"});
}

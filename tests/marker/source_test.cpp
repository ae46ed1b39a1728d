// `[src_1]`, `[doc1]`, `[doc:0]`, `[Source 1]`.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::source_grammar};
}

TEST_CASE("named sources in brackets are markers and each name is a citation") {
  check_examples(on,
                 {
                     {"grew [src_1].", "grew.", "grew [1].", {"src_1"}},
                     {"a [src_Annual-report_2023] b", "a b", "a [1] b", {"src_Annual-report_2023"}},
                     {"a [doc1][doc2].", "a.", "a [1][2].", {"doc1", "doc2"}},
                     {"a [Source 1] b [source 12]", "a b", "a [1] b [2]", {"Source 1", "source 12"}},
                     {"a [doc1, doc2] b", "a b", "a [1][2] b", {"doc1", "doc2"}},
                     {"a [doc1; doc2,doc1] b", "a b", "a [1][2][1] b", {"doc1", "doc2", "doc1"}},
                     {"a [doc:0] b [doc:12, doc1].", "a b.", "a [1] b [2][1].", {"doc:0", "doc:12", "doc1"}},
                     {"a [src_x, Source 2] b", "a b", "a [1][2] b", {"src_x", "Source 2"}},
                     {"[doc[doc1]", "[doc", "[doc[1]", {"doc1"}},
                     {"Great![doc1] z", "Great! z", "Great![1] z", {"doc1"}},
                     {"![doc1][doc2]", "!", "![1][2]", {"doc1", "doc2"}},
                     {"[doc![doc1](u) [doc1]", "[doc![doc1](u)", "[doc![doc1](u) [1]", {"doc1"}},
                     {"[doc1](u)", "(u)", "[1](u)", {"doc1"}},
                     {"`[doc1]` [doc2]", "`[doc1]`", "`[doc1]` [1]", {"doc2"}},
                 });
}

TEST_CASE("text that only resembles a named source is not a marker") {
  check_false_friends(
      on, {"[doc:]",      "[doc::1]",     "[doc: 1]",       "[doc1:2]",        "[src_:1]",      "[Source :1]",
           "[src_]",      "[src 1]",      "[Src_1]",        "[doc]",           "[doc 1]",       "[docs]",
           "[doc1 ]",     "[document 1]", "[DOC1]",         "[Source1]",       "[Source  1]",   "[Sources 1]",
           "[SOURCE 1]",  "[source x]",   "[ doc1]",        "[doc1,]",         "[doc1 , doc2]", "[doc1 doc2]",
           "[src_a b]",   "[src_é]",      "doc1",           "[doc1",           "\\[doc1]",      "`[doc1]`",
           "[src_a.pdf]", "[1]",          "![doc1](u.png)", "!![src_a, doc2]("});
}

TEST_CASE("a source's name has at most 64 bytes") {
  for (const std::size_t bytes : {63U, 64U, 65U}) {
    for (const std::string prefix : {"src_", "doc", "doc:", "Source "}) {
      const std::string key = prefix + std::string(bytes, '1');
      const std::string text = "[" + key + "]";
      check_examples(
          on, {bytes > 64 ? grammar_example{text, text, text, {}} : grammar_example{text, "", "[1]", {key}}});
      check_hold(on, text, printing::mark_stays);
    }
  }
}

TEST_CASE("a list of sources is released once it cannot end within 512 bytes") {
  for (const std::size_t bytes : {511U, 512U, 513U, 520U}) {
    std::string text = "[doc1";
    while (text.size() + 6 <= bytes - 1) text += ",doc22";
    text += std::string(bytes - 1 - text.size(), '3') + "]";
    REQUIRE(text.size() == bytes);
    citestream::answer a(grammar_run_options(on, printing::mark_stays));
    CHECK(run_grammars(a, {text}).records.empty() == (bytes > 512));
    CHECK(run_grammars(a, single_bytes(text)) == print_grammars(text, on, printing::mark_stays));
    const std::string gap = "[doc1," + std::string(bytes - 11, ' ') + "doc2]";
    std::string left;
    a.reset();
    for (std::size_t at = 0; at + 5 < gap.size(); ++at) {
      a.push(gap.substr(at, 1), left);
    }
    CHECK(left.empty() == (bytes <= 512));
  }
}

TEST_CASE("named sources meet the requirements of every grammar") {
  check_promises(on, 200);
}

// `[cite_start]…[cite: 1, 2]`.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {

const grammar_list on{citestream::find_grammar("cite")};

/// The claim of each citation in \p text.
std::vector<std::string> claims_in(const std::string& text, const citestream::style& how) {
  citestream::session_options options = grammar_run_options(on, printing::strip);
  options.style = &how;
  std::vector<std::string> claims;
  for (const std::size_t size : {text.size(), std::size_t{1}}) {
    citestream::answer one(options);
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += size)
      one.push(std::string_view(text).substr(at, size), out);
    one.finish(out);
    std::vector<std::string> found;
    for (const citestream::citation& cite : one.cites().all()) {
      found.push_back(out.substr(cite.claim_start.utf8, cite.claim_end.utf8 - cite.claim_start.utf8));
    }
    if (size == text.size()) claims = found;
    CHECK(found == claims);
  }
  return claims;
}

}  // namespace

TEST_CASE("cite markers with numbers are citations") {
  check_examples(on,
                 {
                     {"grew [cite: 1].", "grew.", "grew [1].", {"1"}},
                     {"grew[cite: 4, 5, 212].", "grew.", "grew[1][2][3].", {"4", "5", "212"}},
                     {"grew[cite: 230-232] x", "grew x", "grew[1][2][3] x", {"230", "231", "232"}},
                     {"a[cite:1]b", "ab", "a[1]b", {"1"}},
                     {"a[cite: 9-7][cite: 1-99].", "a.", "a[1][2].", {"9-7", "1-99"}},
                     {"`[cite: 1]` \\[cite: 2]", "`[cite: 1]` \\[cite: 2]", "`[cite: 1]` \\[cite: 2]", {}},
                 });
}

TEST_CASE("the start and the end of a claim are removed and cite nothing") {
  check_examples(
      on, {
              {"[cite_start]It grew.[cite: 1] [cite_start]Then", "It grew. Then", "It grew.[1] Then", {"1"}},
              {"[cite_start]It grew.", "It grew.", "It grew.", {}},
              {"It grew[cite_end][cite: 2].", "It grew.", "It grew[1].", {"2"}},
              {"`[cite_start]`", "`[cite_start]`", "`[cite_start]`", {}},
          });
}

TEST_CASE("text that only resembles a cite marker is not a marker") {
  check_false_friends(on, {"[cite]", "[cite:]", "[cite: ]", "[cite: a]", "[cite: 1,]", "[cite: 1-2-3]",
                           "[cite: 1 ]", "[cite: 1234567890]", "[cite_]", "[cite_stop]", "[cite_started]",
                           "[cite_start", "[Cite: 1]", "[cite: 1;2]", "cite: 1]"});
}

TEST_CASE("a claim starts at its start marker and spans sentences") {
  for (const citestream::style* how : citestream::styles()) {
    CAPTURE(how->name);
    using claims = std::vector<std::string>;
    CHECK(claims_in("No. [cite_start]A b. C d[cite: 1]. E f[cite: 2]", *how) == claims{"A b. C d", "E f"});
    CHECK(claims_in("[cite_start]A b.\n\nC d[cite: 1]", *how) == claims{"C d"});
    CHECK(claims_in("A b. C d[cite: 1]", *how) == claims{"C d"});
  }
}

TEST_CASE("cite markers meet the requirements of every grammar") {
  check_promises(on, 900);
}

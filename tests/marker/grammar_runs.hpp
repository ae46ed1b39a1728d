/// \file
/// Runs answers with any grammars and checks the requirements of every grammar.
#pragma once

#include <citestream/session/answer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marker/grammar_reference.hpp"
#include "marker/texts.hpp"

namespace citestream_tests {

/// Options for one answer.
citestream::session_options grammar_run_options(const grammar_list& on, printing how);

/// \p deltas through \p a, which is reset first.
grammar_output run_grammars(citestream::answer& a, const std::vector<std::string_view>& deltas);

/// Every byte of \p text a delta.
std::vector<std::string_view> single_bytes(std::string_view text);

/// What a text gives.
struct grammar_example {
  std::string text;
  std::string strip;
  std::string numeric;
  std::vector<std::string> records;  ///< `key`, or `key=label`, of each record, in order
};

/// \p examples give what they say: whole, cut in two and in three everywhere, and by the reference.
void check_examples(const grammar_list& on, const std::vector<grammar_example>& examples);

/// Each of \p texts is text and nothing else.
void check_false_friends(const grammar_list& on, const std::vector<std::string>& texts);

/// A text from pieces of markers of the grammars that are \p on, most of them near misses.
std::string pieces_text(random_source& random, const grammar_list& on, std::size_t pieces);

/// Random texts give what the reference says, however cut and in whichever order the grammars are given.
void check_invariance(const grammar_list& on, std::size_t rounds, unsigned seed);

/// What has left after each byte of \p text, or after those of a \p phase, is what all continuations have in
/// common.
void check_hold(const grammar_list& on, const std::string& text, printing how,
                std::optional<std::size_t> phase = {});

/// The same for random texts, each in another phase.
void check_holds(const grammar_list& on, std::size_t rounds, unsigned seed,
                 printing how = printing::mark_stays);

/// Nothing is lost, and no more than a bound withheld, at small bounds.
void check_bounds(const grammar_list& on, std::size_t rounds, unsigned seed);

/// Tokens put together are the input.
void check_lossless(const grammar_list& on, std::size_t rounds, unsigned seed);

/// All that holds for every grammar: the above, with as many rounds as a unit test has time for.
void check_promises(const grammar_list& on, unsigned seed);

}  // namespace citestream_tests

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

/// Resets \p a and feeds it \p deltas.
grammar_output run_grammars(citestream::answer& a, const std::vector<std::string_view>& deltas);

/// \p text with one byte per delta.
std::vector<std::string_view> single_bytes(std::string_view text);

/// A text and its expected output.
struct grammar_example {
  std::string text;
  std::string strip;
  std::string numeric;
  std::vector<std::string> records;  ///< `key`, or `key=label`, of each record, in order
};

/// Checks \p examples: whole, for every cut in two and in three, and with the reference.
void check_examples(const grammar_list& on, const std::vector<grammar_example>& examples);

/// Checks that \p texts contain no markers.
void check_false_friends(const grammar_list& on, const std::vector<std::string>& texts);

/// A text from pieces of markers of the grammars that are \p on, most of them near misses.
std::string pieces_text(random_source& random, const grammar_list& on, std::size_t pieces);

/// Checks random texts against the reference, for random cuts and orders of the grammars.
void check_invariance(const grammar_list& on, std::size_t rounds, unsigned seed);

/// Checks that the text released after each byte of \p text, or after those of a \p phase, is the common
/// prefix of all continuations.
void check_hold(const grammar_list& on, const std::string& text, printing how,
                std::optional<std::size_t> phase = {});

/// The same for random texts, each in another phase.
void check_holds(const grammar_list& on, std::size_t rounds, unsigned seed,
                 printing how = printing::mark_stays);

/// Checks that small limits are respected and that no byte is lost.
void check_bounds(const grammar_list& on, std::size_t rounds, unsigned seed);

/// Checks that tokens join to the input.
void check_lossless(const grammar_list& on, std::size_t rounds, unsigned seed);

/// Checks all requirements of every grammar: the above, with a number of rounds suitable for a unit test.
void check_promises(const grammar_list& on, unsigned seed);

}  // namespace citestream_tests

// The scanner and every grammar: the result of the slow reference for every cut; no byte lost; no more text
// held than the limit; work in proportion to the bytes. Input: grammars, style, cuts, limit, then text.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "marker/grammar_reference.hpp"
#include "marker/grammar_runs.hpp"
#include "marker/scanner.hpp"

namespace citestream_tests {
namespace {

using citestream::answer;
using citestream::grammar;
using deltas = std::vector<std::string_view>;

/// One grammar alone, or all of them.
grammar_list chosen_grammars(std::size_t choice) {
  const auto all = citestream::grammars();
  if (choice < all.size()) return {all[choice]};
  return {all.begin(), all.end()};
}

std::string explain(const grammar_output& got, const grammar_output& expected, const std::string& how) {
  return how + ": " + shown(got.text) + " with " + std::to_string(got.records.size()) + " records, not " +
         shown(expected.text) + " with " + std::to_string(expected.records.size());
}

std::string check_reference(std::string_view text, const grammar_list& on, printing how, std::size_t seed,
                            fuzz_run planted) {
  answer one(grammar_run_options(on, how));
  const grammar_output whole = run_grammars(one, {text});
  // If a link's destination fails, the reference does not decide about its content (is_contested).
  const bool settled = text.size() <= 400 && !is_contested(text, on);
  const grammar_output expected = settled ? print_grammars(text, on, how) : whole;
  if (whole != expected) return explain(whole, expected, "whole");
  const auto cut_as = [&](const deltas& parts, const char* name) -> std::string {
    deltas given = parts;
    if (planted == fuzz_run::planted && given.size() > 1) given.erase(given.begin() + 1);
    const grammar_output got = run_grammars(one, given);
    return got == expected ? "" : explain(got, expected, name);
  };
  std::string wrong = cut_as(cut_by(text, 1, 1), "in single bytes");
  if (wrong.empty()) wrong = cut_as(cut_by(text, seed, 5), "in short pieces");
  if (wrong.empty()) wrong = cut_as(cut_by(text, seed + 1, 60), "in long pieces");
  return wrong;
}

std::string check_keep(std::string_view text, const grammar_list& on, std::size_t seed) {
  citestream::session_options options = grammar_run_options(on, printing::strip);
  options.style = &citestream::keep_style;
  answer one(options);
  std::string out;
  for (const std::string_view delta : cut_by(text, seed, 9)) one.push(delta, out);
  one.finish(out);
  return out == text ? "" : "keep changed the text to " + shown(out);
}

// --- steps

std::uint64_t steps = 0;

/// The grammar of this name that is used.
const grammar& original(const grammar& copy) {
  return *citestream::find_grammar(copy.name);
}

citestream::step count_step(const grammar& self, citestream::recogniser_state& state,
                            const citestream::lexed_byte& in, const citestream::grammar_options& options,
                            citestream::marker_match& match) {
  ++steps;
  const grammar& real = original(self);
  return real.advance(real, state, in, options, match);
}

/// Checks that tokens join to the text, that at most \p bound bytes are held, and that no grammar reads a
/// byte more than a few times.
std::string check_scanner(std::string_view text, const grammar_list& on, std::size_t bound,
                          std::size_t seed) {
  std::vector<grammar> copies;
  for (const grammar* one : on) copies.push_back(*one);
  citestream::scanner_options options;
  options.grammars.clear();
  for (grammar& one : copies) {
    one.advance = &count_step;
    options.grammars.push_back(&one);
  }
  options.markers.bounds.max_marker_bytes = bound;
  citestream::marker_scanner scanner(options);
  steps = 0;
  std::string out;
  std::size_t given = 0;
  const auto take = [&] {
    for (citestream::marker_token token; scanner.next(token);) out += token.text;
  };
  for (const std::string_view delta : cut_by(text, seed, 17)) {
    scanner.feed(delta);
    take();
    given += delta.size();
    if (out.size() + scanner.held() != given)
      return "bytes are neither out nor withheld at " + std::to_string(given);
    if (scanner.held() > bound) return "more withheld than the bound at " + std::to_string(given);
  }
  scanner.finish();
  take();
  if (out != text) return "tokens are " + shown(out);
  constexpr std::uint64_t most_steps = 4;
  if (steps > most_steps * on.size() * (text.size() + 1)) return std::to_string(steps) + " steps";
  return {};
}

}  // namespace

std::string check_marker(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const grammar_list on = chosen_grammars(input.choice(citestream::grammars().size() + 2));
  const printing styles[] = {printing::strip, printing::numeric, printing::mark_stays};
  const printing style = styles[input.choice(3)];
  const std::size_t seed = input.choice(251);
  const std::size_t bounds[] = {4096, 1, 2, 5, 16, 40};
  const std::size_t bound = bounds[input.choice(6)];
  const std::string_view text = input.rest();

  std::string wrong = check_reference(text, on, style, seed, how);
  if (wrong.empty()) wrong = check_keep(text, on, seed);
  if (wrong.empty()) wrong = check_scanner(text, on, bound, seed);
  return wrong;
}

}  // namespace citestream_tests

// What is the cost of cleaning a delta of four characters: markers, spans, claims and style?
#include <citestream/session/answer.hpp>

#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#include "cite/claim.hpp"
#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

void push(benchmark::State& state, density markers, const citestream::style* style) {
  const std::vector<std::string> given = four_character_deltas(markers, deltas_per_answer);
  citestream::session_options options;
  options.style = style;
  citestream::answer answer(options);
  std::string text;
  measure(state, given.size(), given.size() * 4, [&] {
    text.clear();
    for (const std::string& delta : given) answer.push(delta, text);
    answer.finish(text);
    answer.reset();
    benchmark::DoNotOptimize(text.data());
  });
}

void follow_claims(benchmark::State& state) {
  const std::vector<std::string> given = four_character_deltas(density::none, deltas_per_answer);
  citestream::claim_tracker claims;
  measure(state, given.size(), given.size() * 4, [&] {
    for (const std::string& delta : given) claims.text(delta);
    benchmark::DoNotOptimize(claims.claim());
    claims.reset();
  });
}

}  // namespace

void add_answer(const corpora&) {
  for (const citestream::style* style : citestream::styles()) {
    const std::string name = "answer/text-" + std::string(style->name);
    benchmark::RegisterBenchmark(name.c_str(), push, density::none, style);
    benchmark::RegisterBenchmark((name + "-dense").c_str(), push, density::dense, style);
  }
  benchmark::RegisterBenchmark("claim/text", follow_claims);
}

}  // namespace citestream_bench

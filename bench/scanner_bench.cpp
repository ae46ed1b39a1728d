// What is the cost of scanning a delta of four characters for markers?
#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#include "marker/scanner.hpp"
#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

void scan(benchmark::State& state, density markers, const std::vector<const citestream::grammar*>& grammars) {
  const std::vector<std::string> given = four_character_deltas(markers, deltas_per_answer);
  citestream::scanner_options options;
  options.grammars = grammars;
  citestream::marker_scanner scanner(options);
  citestream::marker_token token;
  measure(state, given.size(), given.size() * 4, [&] {
    std::size_t sum = 0;
    for (const std::string& delta : given) {
      scanner.feed(delta);
      while (scanner.next(token)) sum += token.text.size();
    }
    scanner.finish();
    while (scanner.next(token)) sum += token.text.size();
    scanner.reset();
    benchmark::DoNotOptimize(sum);
  });
}

}  // namespace

void add_scanner(const corpora&) {
  const std::vector<const citestream::grammar*> link{&citestream::link_grammar};
  const std::vector<const citestream::grammar*> all(citestream::grammars().begin(),
                                                    citestream::grammars().end());
  benchmark::RegisterBenchmark("scanner/text", scan, density::none, link);
  benchmark::RegisterBenchmark("scanner/text-usual", scan, density::usual, link);
  benchmark::RegisterBenchmark("scanner/text-dense", scan, density::dense, link);
  benchmark::RegisterBenchmark("scanner/text-all_grammars", scan, density::none, all);
}

}  // namespace citestream_bench

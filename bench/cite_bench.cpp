// What is the cost of a citation, from its number to its record in JSON? (An event is a citation here.)
#include <citestream/cite/citations.hpp>

#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#include "measured.hpp"
#include "questions.hpp"
#include "rewrite/json.hpp"

namespace citestream_bench {

namespace {

void cite(benchmark::State& state, std::size_t count, std::size_t sources) {
  std::vector<citestream::reference> known(sources);
  for (std::size_t i = 0; i < sources; ++i) {
    known[i].id = known[i].cite = "7c1e40aa-52d3-4f0b-9d6e-" + std::to_string(100'000'000'000 + i);
    known[i].text = "What the report says on this page.";
  }
  citestream::citations cites;
  std::string json;
  measure(state, count, 0, [&] {
    json.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& key = known[i % sources].id;
      cites.add({.label = "Report.pdf",
                 .identifier = key,
                 .marker = "[Report.pdf](key)",
                 .number = cites.number_of(key)});
    }
    for (const citestream::reference& one : known) cites.add_reference(one);
    cites.resolve();
    for (const citestream::citation& one : cites.all()) {
      citestream::append_citation_json(one, cites, 0, citestream::offset_unit::utf16, json);
    }
    cites.reset();
    benchmark::DoNotOptimize(json.data());
  });
}

}  // namespace

void add_cite(const corpora&) {
  benchmark::RegisterBenchmark("cite/1", cite, 1, 1);
  benchmark::RegisterBenchmark("cite/100", cite, 100, 8);
  benchmark::RegisterBenchmark("cite/10000", cite, 10'000, 8);
  benchmark::RegisterBenchmark("cite/10000-sources", cite, 10'000, 10'000);
}

}  // namespace citestream_bench

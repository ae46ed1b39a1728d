// What is the cost of reading a payload: checking it, and finding text, references and the end in it?
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <benchmark/benchmark.h>
#include <functional>
#include <string_view>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

void parse(benchmark::State& state, const corpus& one) {
  citestream::document reader;
  measure(state, one.events, one.bytes.size(), [&] {
    std::size_t sum = 0;
    for_each_payload(one.bytes, [&](std::string_view payload) {
      sum += reader.parse(payload) ? 0 : reader.root().range().size();
    });
    benchmark::DoNotOptimize(sum);
  });
}

const citestream::dialect* dialect_of(std::string_view payload) {
  citestream::document reader;
  if (reader.parse(payload)) return nullptr;
  for (const citestream::dialect* one : citestream::dialects()) {
    if (one->recognise(reader.root(), citestream::payload_kind::event)) return one;
  }
  return nullptr;
}

void parse_and_read(benchmark::State& state, const corpus& one) {
  const citestream::dialect* dialect{};
  for_each_payload(one.bytes, [&](std::string_view payload) {
    if (dialect == nullptr) dialect = dialect_of(payload);
  });
  if (dialect == nullptr) return state.SkipWithError("no dialect");
  citestream::document reader;
  citestream::dialect_event found;
  measure(state, one.events, one.bytes.size(), [&] {
    std::size_t sum = 0;
    for_each_payload(one.bytes, [&](std::string_view payload) {
      found.clear();
      if (reader.parse(payload)) return;
      if (dialect->read(reader.root(), citestream::payload_kind::event, found)) sum += found.choices.size();
    });
    benchmark::DoNotOptimize(sum);
  });
}

}  // namespace

void add_chunk(const corpora& given) {
  for (const corpus& one : given) {
    if (one.variant) continue;
    benchmark::RegisterBenchmark(("chunk/" + one.name).c_str(), parse, std::cref(one));
    benchmark::RegisterBenchmark(("dialect/" + one.name).c_str(), parse_and_read, std::cref(one));
  }
}

}  // namespace citestream_bench

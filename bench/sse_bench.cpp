// What is the cost of finding the events?
#include <benchmark/benchmark.h>
#include <functional>
#include <string_view>

#include "framing/sse_decoder.hpp"
#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

void decode(benchmark::State& state, const corpus& one, std::size_t read) {
  citestream::sse_decoder decoder;
  measure(state, one.events, one.bytes.size(), [&] {
    std::size_t sum = 0;
    citestream::frame item;
    for (std::size_t at = 0; at < one.bytes.size(); at += read) {
      decoder.feed(std::string_view(one.bytes).substr(at, read));
      while (decoder.next(item)) sum += item.data.size();
    }
    decoder.finish();
    while (decoder.next(item)) sum += item.data.size();
    decoder.reset();
    benchmark::DoNotOptimize(sum);
  });
}

}  // namespace

void add_sse(const corpora& given) {
  for (const corpus& one : given) {
    if (one.variant) continue;
    for (const std::size_t read : reads) {
      benchmark::RegisterBenchmark(name("sse", one, read).c_str(), decode, std::cref(one), read);
    }
  }
}

}  // namespace citestream_bench

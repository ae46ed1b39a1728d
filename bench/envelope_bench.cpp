// What is the cost of reading a stream whose events have the shapes of earlier ones, up to the text of each
// event?
#include <benchmark/benchmark.h>
#include <functional>
#include <string_view>
#include <vector>

#include "measured.hpp"
#include "questions.hpp"
#include "session/event_reader.hpp"

namespace citestream_bench {

namespace {

/// Reads one stream with a warm reader that learns all that it can.
void read(benchmark::State& state, const corpus& one, std::size_t size) {
  const citestream::session_options options;
  citestream::document parsed;
  citestream::dialect_event content;
  citestream::session_statistics counts;
  citestream::event_reader reader(options, parsed, content, counts, false);
  const citestream::event_cache::text_bits all(1);  // texts that grow repeat all that came before
  std::size_t known = 0;
  measure(state, one.events, one.bytes.size(), [&] {
    known = 0;
    for (std::size_t at = 0; at < one.bytes.size(); at += size) {
      reader.feed(std::string_view(one.bytes).substr(at, size));
      for (citestream::event_reading event; reader.next(event);) {
        if (event.kind != citestream::reading_kind::answer) continue;
        for (const citestream::choice_event& found : event.content->choices)
          benchmark::DoNotOptimize(found.text.data());
        if (event.shape != nullptr) {
          ++known;
        } else if (event.content->choices.size() == 1) {
          benchmark::DoNotOptimize(reader.learn(event, all, 1));
        }
      }
    }
    reader.reset();
  });
  if (one.alike && known < one.events / 2) state.SkipWithError("most events have other shapes");
  state.counters["known_shape"] = static_cast<double>(known) / static_cast<double>(one.events);
}

}  // namespace

void add_envelope(const corpora& given) {
  for (const corpus& one : given) {
    if (one.variant) continue;
    benchmark::RegisterBenchmark(name("envelope", one, usual_read).c_str(), read, std::cref(one), usual_read);
  }
}

}  // namespace citestream_bench

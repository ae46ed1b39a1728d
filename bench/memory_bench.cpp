// How much heap does a session use when it is new, while it streams, while it holds the maximum of text, and
// after a reset? (Does not measure time.)
#include <citestream/session/session.hpp>

#include <benchmark/benchmark.h>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

enum class moment { made, streaming, holding, again };

/// Inserts the start of a marker of the largest size before the texts of \p event.
std::string held_event(const std::string& event) {
  const std::string open = "[report](" + std::string(2040, 'x');
  std::string held = event;
  constexpr std::string_view key = "\"content\":\"";
  for (std::size_t at = held.find(key); at != std::string::npos;
       at = held.find(key, at + key.size() + open.size())) {
    held.insert(at + key.size(), open);
  }
  return held;
}

void weigh(benchmark::State& state, const corpus& one, moment when) {
  std::string out;
  out.reserve(2 * one.bytes.size());
  const std::size_t half = one.bytes.find("data: ", one.bytes.size() / 2);
  const std::string event = one.bytes.substr(half, one.bytes.find("\n\n", half) + 2 - half);
  const std::string held = held_event(event);
  std::size_t weight = 0;
  for (auto _ : state) {
    const std::size_t before = live_bytes();
    const auto session = std::make_unique<citestream::session>();
    out.clear();
    if (when != moment::made) {
      constexpr std::size_t read = 1400;
      const std::string_view first = std::string_view(one.bytes).substr(0, half);
      for (std::size_t at = 0; at < half; at += read)
        static_cast<void>(session->write(first.substr(at, read), out));
    }
    if (when == moment::holding) static_cast<void>(session->write(held, out));
    if (when == moment::again) {
      static_cast<void>(session->write(std::string_view(one.bytes).substr(half), out));
      static_cast<void>(session->finish(out));
      session->reset();
    }
    weight = live_bytes() - before;
  }
  state.counters["heap"] = static_cast<double>(weight);
}

}  // namespace

void add_memory(const corpora& given) {
  for (const corpus& one : given) {
    if (one.variant) continue;
    const auto add = [&](const char* name, moment when) {
      benchmark::RegisterBenchmark((std::string("memory/") + one.name + "/" + name).c_str(), weigh,
                                   std::cref(one), when)
          ->Iterations(1);
    };
    add("made", moment::made);
    add("streaming", moment::streaming);
    add("holding", moment::holding);
    add("again", moment::again);
  }
}

}  // namespace citestream_bench

// What is counted beside time: allocations, instructions where the machine has a counter, bytes of heap.
#pragma once

#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>

namespace citestream_bench {

// Since the start of the program, by all `operator new`.
[[nodiscard]] std::size_t allocations() noexcept;
// Not given back yet.
[[nodiscard]] std::size_t live_bytes() noexcept;

// Instructions that this program has retired, or nothing where there is no counter (virtual machines).
[[nodiscard]] bool has_instruction_counter() noexcept;
[[nodiscard]] std::uint64_t instructions() noexcept;

// Seconds of processor time of this thread: others on the machine do not count.
[[nodiscard]] double thread_seconds() noexcept;

// Runs `body`, which takes `events` events of `bytes` bytes in all, warm, and reports what an event costs.
template <typename Body>
void measure(benchmark::State& state, std::size_t events, std::size_t bytes, Body&& body) {
  for (int i = 0; i < 2; ++i) body();
  const std::size_t allocated = allocations();
  const std::uint64_t retired = instructions();
  for (auto _ : state) body();
  const auto count = static_cast<double>(state.iterations()) * static_cast<double>(events);
  if (has_instruction_counter()) {
    state.counters["instructions"] = static_cast<double>(instructions() - retired) / count;
  }
  state.counters["allocations"] = static_cast<double>(allocations() - allocated) / count;
  state.counters["events"] = static_cast<double>(events);
  state.counters["bytes"] = static_cast<double>(bytes);
}

}  // namespace citestream_bench

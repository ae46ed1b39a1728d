/// \file
/// Measures processor time, allocations, bytes of heap, and instructions if the machine can count them.
#pragma once

#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>

namespace citestream_bench {

/// Allocations by `operator new` since the start of the program.
[[nodiscard]] std::size_t allocations() noexcept;
/// Bytes allocated and not freed.
[[nodiscard]] std::size_t live_bytes() noexcept;

/// Instructions retired by this program, or nothing if there is no counter, as in virtual machines.
[[nodiscard]] bool has_instruction_counter() noexcept;
[[nodiscard]] std::uint64_t instructions() noexcept;

/// Processor time of this thread in seconds, which other programs do not affect.
[[nodiscard]] double thread_seconds() noexcept;

/// Runs \p body, which processes \p events events with \p bytes bytes in total, and reports the cost of an
/// event once it is warm.
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

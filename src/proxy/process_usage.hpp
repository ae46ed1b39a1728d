/// \file
/// What the process uses of the machine, the values of Prometheus' standard `process_*` metrics, and what it
/// may use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace citestream {

/// What the process uses of the machine.
struct process_usage {
  double cpu_seconds{};         ///< user and system
  double start_time_seconds{};  ///< since the Unix epoch
  std::uint64_t threads{};
  std::uint64_t resident_bytes{};
  std::uint64_t virtual_bytes{};
  std::uint64_t virtual_max_bytes{};  ///< the largest number if there is no limit
  std::uint64_t open_fds{};
  std::uint64_t max_fds{};
};

/// Returns when this process started, in seconds since the Unix epoch. It depends a little on when it is
/// called, because the clock is adjusted: call it once.
[[nodiscard]] double process_start_seconds();

/// Reads everything but the start time, from `/proc/self` and resource limits. What cannot be read is 0. If
/// no descriptor is left to look, all of them are reported as open.
[[nodiscard]] process_usage read_process_usage();

/// Returns the number of CPUs that the process may use, at least 1. A job scheduler or `taskset` may have
/// limited them, which std::thread::hardware_concurrency() need not see.
[[nodiscard]] std::size_t usable_cpus() noexcept;

}  // namespace citestream

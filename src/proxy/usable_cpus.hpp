/// \file
/// The number of CPUs that the process may use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <sched.h>
#include <thread>

namespace citestream {

/// Returns the number of CPUs that the process may use, at least 1. A job scheduler or `taskset` may have
/// limited them, which std::thread::hardware_concurrency() need not see.
inline std::size_t usable_cpus() noexcept {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace citestream

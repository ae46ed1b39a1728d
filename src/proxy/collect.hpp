/// \file
/// Metrics of all workers together.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "metrics.hpp"
#include "worker.hpp"

namespace citestream {

/// Asks each worker's thread for a copy of its counters, with what runs now, and adds them up. From any other
/// thread. \return false: a worker did not answer in time.
[[nodiscard]] bool collect(const std::vector<std::unique_ptr<worker>>& from,
                           std::chrono::milliseconds at_most, proxy_metrics& out);

}  // namespace citestream

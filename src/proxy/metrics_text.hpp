/// \file
/// Metrics as Prometheus reads them (text exposition format 0.0.4).
#pragma once

#include <cstdint>
#include <string>

#include "metrics.hpp"

namespace citestream {

/// What is counted outside of workers.
struct shared_metrics {
  std::uint64_t connections{};  ///< accepted
  std::uint64_t requests_changed{};
  std::uint64_t requests_unread{};
  std::uint64_t clients_left{};
  std::uint64_t unsent_max{};
  std::uint64_t log_lost{};
  std::uint64_t recordings{};
  std::uint64_t recordings_lost{};
  bool draining{};
};

/// Every family is there from the start, also where nothing was counted yet.
[[nodiscard]] std::string metrics_text(const proxy_metrics& all, const shared_metrics& shared);

}  // namespace citestream

// How many requests of a proxy have failed.
#pragma once

#include <cstdint>

#include "proxy/proxy_server.hpp"

inline std::uint64_t failed_requests(const citestream::proxy_server& of) {
  std::uint64_t sum = 0;
  const citestream::proxy_metrics metrics = of.metrics();
  for (const auto& [upstream, kinds] : metrics.ended.failed) {
    for (const std::uint64_t count : kinds) sum += count;
  }
  return sum;
}

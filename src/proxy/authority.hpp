/// \file
/// Addresses as they stand in URLs and in logs.
#pragma once

#include <string>

#include "asio.hpp"

namespace citestream {

/// `192.0.2.1:5000`, `[2001:db8::1]:5000`.
[[nodiscard]] inline std::string authority_of(const tcp::endpoint& of) {
  const std::string host = of.address().to_string();
  return (of.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(of.port());
}

}  // namespace citestream

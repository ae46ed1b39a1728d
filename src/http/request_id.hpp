/// \file
/// `X-Request-Id`: the identifier of a request that client, proxy and upstream share.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include "fields.hpp"

namespace citestream::http {

inline constexpr std::string_view request_id_name = "X-Request-Id";
inline constexpr std::size_t max_request_id_bytes = 128;

/// Makes random identifiers of 32 hexadecimal digits. Not thread-safe.
class request_ids {
 public:
  request_ids();
  [[nodiscard]] std::string make();
  /// Returns the identifier of the request if it has exactly one and that is valid, otherwise a new one.
  [[nodiscard]] std::string of(const fields& request);

 private:
  std::mt19937_64 random_;
};

}  // namespace citestream::http

/// \file
/// `X-Request-Id`: the name by which client, proxy and upstream speak of the same request.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include "field.hpp"

namespace citestream::http {

inline constexpr std::string_view request_id_name = "X-Request-Id";
inline constexpr std::size_t max_request_id_bytes = 128;

/// Whether \p text is passed on as it came: 1 to 128 bytes of visible ASCII.
[[nodiscard]] bool is_request_id(std::string_view text) noexcept;

/// Makes names of 32 hexadecimal digits (128 random bits), one source for each thread.
class request_ids {
 public:
  request_ids();
  [[nodiscard]] std::string make();
  /// The request's own where it has exactly one that is valid; otherwise a new one.
  [[nodiscard]] std::string of(const fields& request);

 private:
  std::mt19937_64 random_;
};

}  // namespace citestream::http

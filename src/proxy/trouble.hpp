/// \file
/// Why an exchange with upstream came to nothing, and what is said about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream {

enum class trouble : std::uint8_t {
  none,
  client_gone,      ///< nobody is left to tell
  shutdown,         ///< the proxy ends
  no_descriptors,   ///< the process has no file descriptor left for a connection
  unreachable,      ///< no address, or no connection
  tls,              ///< no trusted TLS connection
  connect_timeout,  ///< no connection in time
  head_timeout,     ///< no answer in time
  idle_timeout,     ///< silence inside an answer
  total_timeout,    ///< the answer did not end in time
  closed,           ///< the connection ended before the answer did
  reset,            ///< it was reset
  malformed,        ///< what came is not HTTP/1.1 that can be passed on
  internal,         ///< an error inside the proxy, as for want of memory; the connection ends
};

/// So many there are.
inline constexpr std::size_t trouble_count = static_cast<std::size_t>(trouble::internal) + 1;

/// What the client is told.
struct trouble_text {
  unsigned status{};         ///< where no byte of an answer has left yet
  std::string_view code;     ///< for programs; static storage
  std::string_view message;  ///< for people; static storage
};

/// For logs and metrics: `upstream_reset`, `client_left`, …; empty for none. Static storage.
[[nodiscard]] std::string_view trouble_name(trouble what) noexcept;

[[nodiscard]] trouble_text describe(trouble what) noexcept;

}  // namespace citestream

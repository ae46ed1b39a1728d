/// \file
/// The head of a request, strictly read: whatever two readers could understand differently is refused.
///
/// Source: RFC 9112 (2.2, 3, 5, 6, 11.2) and RFC 9110 (5.6, 7.2, 10.1.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "field.hpp"

namespace citestream::http {

/// A refusal: the answer that the client gets before its connection is closed.
struct [[nodiscard]] refusal {
  unsigned status{};         ///< HTTP status; 0: nothing is refused
  std::string_view code;     ///< for programs; static storage
  std::string_view message;  ///< one line for people; static storage

  explicit operator bool() const noexcept { return status != 0; }
};

/// A parsed request head. Views into the bytes given to parse_request_head().
struct request_head {
  std::string_view method;
  std::string_view target;  ///< origin-form: path and query, starts with `/`
  http_version version{http_version::http_1_1};
  fields all;
  framing body{framing::none};
  std::uint64_t length{};   ///< where `body` is length
  bool expects_continue{};  ///< `Expect: 100-continue`, HTTP/1.1 only
  bool persistent{};        ///< the client keeps the connection (HTTP/1.1 without `Connection: close`)
};

/// Parses \p head (request line to empty line, as found by head_finder). Refuses: 400 for everything
/// malformed or ambiguous, 417 for another Expect, 431 for too many fields, 501 for a transfer coding or a
/// method that a proxy would have to understand, 505 for another HTTP version.
[[nodiscard]] refusal parse_request_head(std::string_view head, std::size_t max_fields, request_head& out);

}  // namespace citestream::http

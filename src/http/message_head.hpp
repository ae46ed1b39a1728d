/// \file
/// Parses the heads of requests and responses. Rejects everything that two implementations could read
/// differently.
///
/// Sources: RFC 9112 (2.2, 3, 5, 6, 11.2) and RFC 9110 (5.6, 7.2, 10.1.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "error_response.hpp"
#include "fields.hpp"

namespace citestream::http {

enum class head_state : std::uint8_t {
  more,       ///< the empty line has not arrived yet
  found,      ///< size() is the length of the head including the empty line
  malformed,  ///< CR or LF alone, or NUL; reported at the byte that shows it
  too_long,   ///< longer than the limit
};

/// Finds the end of a head in bytes that arrive in pieces. Looks at every byte once.
class head_finder {
 public:
  explicit head_finder(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

  /// Continues the search in \p buffer, which begins with the head. The buffer may move and grow between
  /// calls, but scanned bytes must not change. The limit applies at the same byte however the input is
  /// divided.
  [[nodiscard]] head_state scan(std::string_view buffer) noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return scanned_; }

 private:
  std::size_t max_bytes_;
  std::size_t scanned_{};
  std::size_t line_{};  ///< bytes of the line so far, CR included
  bool after_cr_{};
};

/// A parsed request head. Views into the bytes given to parse_request_head().
struct request_head {
  std::string_view method;
  std::string_view target;  ///< origin-form: path and query, starts with `/`
  http_version version{http_version::http_1_1};
  fields all;
  framing body{framing::none};
  std::uint64_t length{};   ///< valid if `body` is framing::length
  bool expects_continue{};  ///< `Expect: 100-continue`, HTTP/1.1 only
  bool persistent{};        ///< the client keeps the connection (HTTP/1.1 without `Connection: close`)
};

/// Parses \p head (request line to empty line, as found by head_finder). Rejects: 400 for everything
/// malformed or ambiguous, 417 for an unknown Expect, 431 for too many fields, 501 for a transfer coding,
/// CONNECT or TRACE, 505 for another HTTP version.
[[nodiscard]] own_error parse_request_head(std::string_view head, std::size_t max_fields, request_head& out);

/// A parsed response head. Views into the bytes given to parse_response_head().
struct response_head {
  unsigned status{};
  std::string_view reason;  ///< may be empty
  http_version version{http_version::http_1_1};
  fields all;
  framing body{framing::none};
  std::uint64_t length{};  ///< valid if `body` is framing::length
  bool persistent{};       ///< the upstream keeps the connection open
};

/// Parses \p head (status line to empty line). \p method is the method of the request: the response to HEAD
/// has no body (RFC 9112, 6.3). \return false if the head is malformed or has more than \p max_fields
/// fields, its framing is ambiguous, or it has a transfer coding in HTTP/1.0 or other than chunked.
[[nodiscard]] bool parse_response_head(std::string_view head, std::size_t max_fields, std::string_view method,
                                       response_head& out);

}  // namespace citestream::http

/// \file
/// The head of an answer from upstream, and how its body ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "field.hpp"

namespace citestream::http {

/// A parsed answer head. Views into the bytes given to parse_response_head().
struct response_head {
  unsigned status{};
  std::string_view reason;  ///< may be empty
  http_version version{http_version::http_1_1};
  fields all;
  framing body{framing::none};
  std::uint64_t length{};  ///< where `body` is length
  bool persistent{};       ///< upstream keeps the connection
};

/// Parses \p head (status line to empty line). \p method is the request's: HEAD has no body (RFC 9112, 6.3).
/// \return false: malformed, ambiguous framing, or a transfer coding other than chunked.
[[nodiscard]] bool parse_response_head(std::string_view head, std::size_t max_fields, std::string_view method,
                                       response_head& out);

}  // namespace citestream::http

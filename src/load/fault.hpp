/// \file
/// Faults that an answer can have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream::load {

enum class fault : std::uint8_t {
  connect,       ///< no connection: refused, unreachable, or not in time
  tls,           ///< no TLS, or a certificate that is not trusted
  http,          ///< not valid HTTP/1.1 (RFC 9112)
  status,        ///< a status other than 200
  content_type,  ///< not the media type that was requested
  cut,           ///< the connection ended inside the answer: bytes or the last chunk are missing
  silence,       ///< no bytes arrived for too long
  error_event,   ///< the stream contains an error
  invalid_json,  ///< a payload is not JSON (RFC 8259), or not UTF-8
  too_large,     ///< an event or a body is over the limit
  unfinished,    ///< valid HTTP, but no event, or neither a finish event nor `[DONE]`
  marker,        ///< the text contains a raw marker
  text,          ///< the text is not what the request expects
};

inline constexpr std::size_t fault_kinds = 13;

/// The name of a fault in reports: `error-event`. Static storage.
[[nodiscard]] std::string_view name(fault kind) noexcept;

}  // namespace citestream::load

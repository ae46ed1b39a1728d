/// \file
/// Faults that an answer can have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace citestream::load {

enum class fault : std::uint8_t {
  connect,       ///< no connection: refused, unreachable, or not in time
  tls,           ///< no TLS, not in time, or a certificate that is not trusted
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

/// The names of faults in reports, by `fault`.
inline constexpr std::string_view fault_names[] = {
    "connect",     "tls",          "http",      "status",     "content-type", "cut", "silence",
    "error-event", "invalid-json", "too-large", "unfinished", "marker",       "text"};

inline constexpr std::size_t fault_kinds = std::size(fault_names);

}  // namespace citestream::load

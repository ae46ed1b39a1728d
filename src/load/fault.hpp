/// \file
/// What can be wrong with an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream::load {

enum class fault : std::uint8_t {
  connect,       ///< no connection: refused, unreachable, or not in time
  tls,           ///< no TLS, or a certificate that is not trusted
  http,          ///< not HTTP/1.1 as RFC 9112 has it
  status,        ///< another status than 200
  content_type,  ///< not the media type that the request asked for
  cut,           ///< the connection ended inside the answer: bytes or the last chunk are missing
  silence,       ///< nothing came for too long
  error_event,   ///< the stream says that it failed
  invalid_json,  ///< a payload is not JSON (RFC 8259), or not UTF-8
  too_large,     ///< an event or a body over the bound of `limits`
  unfinished,    ///< HTTP ended well, but inside the answer: neither a finish event nor `[DONE]`; or no event
  marker,        ///< a raw marker stands in the text
  text,          ///< the text is not what the request expects
};

inline constexpr std::size_t fault_kinds = 13;

/// Its name in reports: `error-event`. Static storage.
[[nodiscard]] std::string_view name(fault kind) noexcept;

}  // namespace citestream::load

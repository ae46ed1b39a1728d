/// \file
/// Makes the heads that a proxy forwards: drops hop-by-hop fields and sets Content-Length or chunked coding.
///
/// Sources: RFC 9110, 7.6.1 and 7.6.3; RFC 9112, 6.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "message_head.hpp"

namespace citestream::http {

/// Returns the name of an option for this proxy, which follows `X-Citestream-` in the name of \p field.
/// Nothing for other fields.
[[nodiscard]] std::optional<std::string_view> request_option_name(std::string_view field) noexcept;

/// Returns true if a Via field names \p pseudonym as a recipient: the message has passed through that proxy.
[[nodiscard]] bool has_passed(const fields& all, std::string_view pseudonym) noexcept;

/// How a request is sent to the upstream.
struct upstream_framing {
  std::string_view target;  ///< including the base path
  std::string_view host;
  std::uint64_t body_bytes{};
  bool changed{};                ///< the body was rewritten: fields that describe its exact bytes are dropped
  std::string_view request_id;   ///< replaces `X-Request-Id`; empty: that field is passed on
  std::string_view traceparent;  ///< replaces `traceparent`; empty: that field is passed on
  bool new_trace{};              ///< `tracestate` is dropped: it belongs to another trace
  std::string_view via;          ///< pseudonym of this proxy, added to `Via`; empty: nothing is added
};

/// Returns the request head for the upstream, with `Accept-Encoding: identity` and the length of the body
/// that is sent.
[[nodiscard]] std::string upstream_request_head(const request_head& request, const upstream_framing& how);

/// How a response is sent to the client.
struct client_framing {
  framing body{framing::none};
  std::uint64_t length{};
  bool close{};                 ///< the connection is closed after this response
  bool changed{};               ///< the body is rewritten: fields that describe its exact bytes are dropped
  std::string_view request_id;  ///< sent if the response has no `X-Request-Id`
  bool bypassed{};              ///< adds `X-Citestream: bypassed`: the response was not rewritten
  bool streamed{};  ///< adds `X-Accel-Buffering: no`, so that a proxy in front does not buffer events
};

/// Appends the response head for the client.
void append_client_head(const response_head& response, const client_framing& how, std::string& out);

/// Appends an interim response (1xx).
void append_interim_head(const response_head& response, std::string& out);

}  // namespace citestream::http

/// \file
/// Heads as they are passed on: hop-by-hop fields dropped, framing said anew.
///
/// Source: RFC 9110, 7.6.1; RFC 9112, 6.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "request_head.hpp"
#include "response_head.hpp"

namespace citestream::http {

/// Whether \p name is between two neighbours only: the fixed names, and those that a Connection field of
/// \p all lists, except the ones that no neighbour may take away (Authorization, Content-Length, Host, …).
[[nodiscard]] bool is_hop_by_hop(const fields& all, std::string_view name) noexcept;

/// The request head for upstream: \p target with its base path, its \p host, `Accept-Encoding: identity`, the
/// length of the body as it leaves. Where that was \p changed, what describes its exact bytes is dropped.
/// \p request_id stands in the place of the request's own `X-Request-Id`; empty: that one passes.
[[nodiscard]] std::string upstream_request_head(const request_head& request, std::string_view target,
                                                std::string_view host, std::uint64_t body_bytes,
                                                bool changed = false, std::string_view request_id = {});

/// What an answer's head says to the client about its body.
struct client_framing {
  framing body{framing::none};
  std::uint64_t length{};
  bool close{};                 ///< the connection ends after this answer
  bool changed{};               ///< the body is rewritten: what describes its exact bytes is dropped
  std::string_view request_id;  ///< sent where the answer has no `X-Request-Id` of its own
  bool bypassed{};              ///< says that an answer that would have been rewritten was not
  bool streamed{};              ///< asks a proxy in front, such as nginx, to pass each event on at once
};

/// Appends the answer head for the client.
void append_client_head(const response_head& answer, const client_framing& how, std::string& out);

/// Appends an interim answer (1xx).
void append_interim_head(const response_head& answer, std::string& out);

}  // namespace citestream::http

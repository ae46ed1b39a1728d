/// \file
/// What is known about a request when it has ended: the source of its log line and of the metrics.
#pragma once

#include <citestream/session/session.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/error_response.hpp"

namespace citestream {

/// Why a request failed after it was accepted.
enum class failure : std::uint8_t {
  none,
  client_disconnected,  ///< the client disconnected
  client_stalled,       ///< the client read nothing for too long and was disconnected
  shutdown,             ///< the proxy is stopping
  no_descriptors,       ///< the process has no file descriptor left for a connection
  internal,             ///< an error inside the proxy, such as a lack of memory; the connection is closed
  // All others are failures of the upstream.
  unreachable,      ///< the upstream has no address, or refuses connections
  tls,              ///< TLS handshake or certificate check failed
  connect_timeout,  ///< no connection in time
  head_timeout,     ///< no response head in time
  idle_timeout,     ///< no bytes of the response for too long
  total_timeout,    ///< the response did not end in time
  closed,           ///< the upstream closed the connection before the end of the response
  reset,            ///< the upstream reset the connection
  incomplete,       ///< the response is complete, but the answer in it is not
  malformed,        ///< the response is not valid HTTP/1.1
  head_too_large,   ///< the head of the response exceeds a limit of the proxy
};

/// The number of failures.
inline constexpr std::size_t failure_count = static_cast<std::size_t>(failure::head_too_large) + 1;

/// Returns true for a failure of the upstream, false for one of the client or the proxy.
[[nodiscard]] constexpr bool is_of_upstream(failure what) noexcept {
  return what >= failure::unreachable;
}

/// Returns true if the client caused the failure: it disconnected or stopped reading.
[[nodiscard]] constexpr bool is_of_client(failure what) noexcept {
  return what == failure::client_disconnected || what == failure::client_stalled;
}

/// Returns the name for logs and metrics: `upstream_reset`, `client_left`, …; empty for none. Static storage.
[[nodiscard]] std::string_view failure_name(failure what) noexcept;

/// Returns the error that the client gets. Its status is used only if no byte of a response has been sent.
/// Static storage.
[[nodiscard]] http::own_error describe(failure what) noexcept;

/// Why a response of a kind that is rewritten was passed through.
enum class bypass_reason : std::uint8_t {
  none,        ///< it was rewritten, or is not of such a kind
  compressed,  ///< it has a content coding
  option,      ///< an option of the route or of the request
  too_large,   ///< its body is longer than `limits::max_body_bytes`
};

/// The number of reasons, with `none`.
inline constexpr std::size_t bypass_reason_count = static_cast<std::size_t>(bypass_reason::too_large) + 1;

/// Returns the name for logs, traces and metrics; empty for none.
[[nodiscard]] std::string_view name(bypass_reason why) noexcept;

/// The trace of one request.
struct request_trace {
  std::string trace_id;   ///< 32 hexadecimal digits
  std::string span_id;    ///< 16 hexadecimal digits; of this proxy's span
  std::string parent_id;  ///< of the client's span; empty: the trace begins here
  std::string state;      ///< `tracestate` of the request
  bool sampled{};         ///< the span is exported, and the upstream is told to do the same
  std::optional<std::chrono::steady_clock::time_point>
      first_text;  ///< when text was written and none was held

  /// Returns the value of `traceparent` for the upstream.
  [[nodiscard]] std::string traceparent() const {
    return "00-" + trace_id + "-" + span_id + (sampled ? "-01" : "-00");
  }
};

/// What is requested, and from which upstream.
struct request_target {
  std::string_view method;    ///< empty unless the request line is valid and has a path
  std::string_view target;    ///< with the query, which is never logged
  std::string_view route;     ///< name of the route; empty if none matches
  std::string_view upstream;  ///< name of the upstream
};

/// Bytes of one request and its response.
struct transferred_bytes {
  std::uint64_t request{};   ///< of the received body
  std::uint64_t upstream{};  ///< of the response, with head and framing
  std::uint64_t client{};    ///< sent to the client, with head and framing
};

/// How a response was rewritten.
struct rewriting_facts {
  using duration = std::chrono::steady_clock::duration;

  bypass_reason bypassed{};
  std::string_view dialect;   ///< of a rewritten response, or `unknown`; empty if it was not rewritten
  std::string model;          ///< from the response; empty if it names none
  duration added_max{};       ///< longest time from an arrival to the write of its output
  duration hold_max{};        ///< longest time for which text was held without interruption
  session_statistics counts;  ///< set when the response has ended
  const session* running{};   ///< the session that rewrites the response now
};

/// Filled by the classes that serve the request, while it runs. Views are valid as long as the request
/// and its configuration exist.
struct request_facts {
  using clock = std::chrono::steady_clock;

  clock::time_point began;  ///< when the first byte of the head was read
  std::string id;           ///< `X-Request-Id` of the request, or a new one; empty until the head is read
  std::string answer_id;    ///< `X-Request-Id` of the response if it differs
  request_target requested;
  unsigned status{};              ///< of the response; 0: none was sent
  std::string_view refused;       ///< code of the \ref http::own_error if the request was not forwarded
  failure failed{failure::none};  ///< why the response is not complete
  std::string error;              ///< what went wrong, for the operator; empty if nothing did
  transferred_bytes bytes;
  rewriting_facts rewriting;
  std::unique_ptr<request_trace> trace;  ///< null: tracing is off
};

/// Returns how a request ended: `complete`, the code of a refusal, or the \ref failure_name.
[[nodiscard]] std::string_view end_name(const request_facts& of) noexcept;

/// Returns the value of the first member `"model"` in \p bytes of a response. Empty unless it is at most 64
/// bytes of visible ASCII without escapes.
[[nodiscard]] std::string_view model_in(std::string_view bytes) noexcept;

}  // namespace citestream

/// \file
/// Lines of the log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "proxy_options.hpp"
#include "request_facts.hpp"

namespace citestream {

/// Longer paths are truncated in the log.
inline constexpr std::size_t max_logged_path_bytes = 400;

/// Longer descriptions of an error are truncated in the log.
inline constexpr std::size_t max_logged_error_bytes = 200;

/// Appends \p when as `2026-11-21T19:30:15.123Z`.
void append_time(std::chrono::system_clock::time_point when, std::string& out);

/// Appends the line of a request that ends at \p now, without a line feed. It contains neither queries nor
/// bodies nor headers except `X-Request-Id`, only bytes 0x20–0x7E, and less than 4,096 bytes.
///
/// JSON: `time level request_id upstream_request_id client method path route upstream status end error
/// bytes_in bytes_upstream bytes_out dialect events citations unresolved native supported contradicted
/// not_found unsure bypassed model hold_ms added_ms duration_ms`; text has the same keys. Times are in
/// milliseconds. A key without a value is left out, and so are the verdicts if no claim was checked.
void append_request_line(log_format format, log_level level, std::chrono::system_clock::time_point now,
                         const request_facts& of, std::string_view client,
                         request_facts::clock::duration took, std::string& out);

/// Appends a line about the proxy itself.
void append_message_line(log_format format, log_level level, std::chrono::system_clock::time_point now,
                         std::string_view message, std::string& out);

}  // namespace citestream

/// \file
/// Send times in a stream: a comment line before an event has the time at which the event was sent.
///
/// \code{.txt}
///   : citestream sent 00000004711123456789
///   data: {"choices":…}
/// \endcode
/// The number is nanoseconds of this machine's monotonic clock (`std::chrono::steady_clock`), so a receiver
/// on the same machine can measure the latency of the event. Clients ignore comments (WHATWG HTML, 9.2.6),
/// and the payload does not change.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// The number of digits, padded with zeros, so that all lines have the same length.
inline constexpr std::size_t send_time_digits = 20;

/// The text before the digits.
inline constexpr std::string_view send_time_start = ": citestream sent ";

/// Returns the line for time 0, with its LF. Its digits begin at `send_time_start.size()`.
[[nodiscard]] std::string blank_send_time();

/// Writes \p time over the \ref send_time_digits bytes at \p digits.
void write_send_time(std::chrono::steady_clock::time_point time, char* digits) noexcept;

/// Returns the time in \p comment, a comment line with or without its line end. Returns nothing for other
/// comments.
[[nodiscard]] std::optional<std::chrono::steady_clock::time_point> read_send_time(
    std::string_view comment) noexcept;

}  // namespace citestream

/// \file
/// Send times in a stream: a comment line in front of an event says when the event was sent.
///
/// \code{.txt}
///   : citestream sent 00000004711123456789
///   data: {"choices":…}
/// \endcode
/// The number is nanoseconds of this machine's monotonic clock (`std::chrono::steady_clock`), so a receiver
/// on the same machine knows how long the event was on its way. Comments mean nothing to clients (WHATWG
/// HTML, 9.2.6), and the payload stays what it was.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// How many digits the number has, zeros in front: a line's length does not depend on the time.
inline constexpr std::size_t send_time_digits = 20;

/// What stands before the digits.
inline constexpr std::string_view send_time_start = ": citestream sent ";

/// The line with the time 0, and its LF. Its digits begin at `send_time_start.size()`.
[[nodiscard]] std::string blank_send_time();

/// Writes \p time over the \ref send_time_digits bytes at \p digits.
void write_send_time(std::chrono::steady_clock::time_point time, char* digits) noexcept;

/// The time in \p comment, a comment line with or without its line end; nothing where it is another comment.
[[nodiscard]] std::optional<std::chrono::steady_clock::time_point> read_send_time(
    std::string_view comment) noexcept;

}  // namespace citestream

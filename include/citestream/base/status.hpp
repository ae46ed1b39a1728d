/// \file
/// Results of calls: an error code and the position in the stream where the error occurred.
///
/// After construction, the core throws only std::bad_alloc: every call that can fail returns a
/// \ref citestream::status.
#pragma once

#include <citestream/base/version.hpp>

#include <cstdint>
#include <string_view>
#include <system_error>

namespace citestream {

/// What went wrong. The numbers are those of the C interface, which reports `finished` as
/// CITESTREAM_BAD_STATE. 6 is not used. Only the limits on events, bodies and nesting have codes; `limits`
/// describes what the others do.
enum class errc : std::uint8_t {
  ok = 0,           ///< nothing
  event_too_large,  ///< an event is larger than `limits::max_event_bytes`; it passes through unchanged
  invalid_json,     ///< a payload is not JSON (RFC 8259), or not UTF-8
  json_too_deep,    ///< a payload nests deeper than `limits::max_json_depth`
  duplicate_key,    ///< an object has a key twice that the dialect reads
  body_too_large,   ///< a JSON body is larger than `limits::max_body_bytes`
  upstream_incomplete = 7,  ///< the stream ended inside an answer or an event, or a JSON body is truncated
  finished,                 ///< bytes were written after `finish()`
  damaged_message,  ///< a binary message has a wrong CRC or length; all bytes from there pass unchanged
};

/// One line about \p code, without a full stop. Static storage.
[[nodiscard]] std::string_view message(errc code) noexcept;

/// The category of \ref errc for `std::error_code`; its name is "citestream".
[[nodiscard]] const std::error_category& error_category() noexcept;

/// Converts an \ref errc to a `std::error_code` of error_category().
[[nodiscard]] inline std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), error_category()};
}

/// The result of a call. Converts to true if an error occurred, like `std::error_code`.
struct [[nodiscard]] status {
  errc code{};             ///< `ok`: no error, and `offset` has no meaning
  std::uint64_t offset{};  ///< bytes from the start of the stream to where the error was seen

  /// Returns true if an error occurred.
  explicit operator bool() const noexcept { return code != errc::ok; }
};

}  // namespace citestream

/// \cond
template <>
struct std::is_error_code_enum<citestream::errc> : std::true_type {};
/// \endcond

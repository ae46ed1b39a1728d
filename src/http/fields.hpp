/// \file
/// Fields of an HTTP head (RFC 9110, 5.1, 5.5, 5.6), and types that all heads share. Pure functions on text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_text.hpp"

namespace citestream::http {

/// One field line. Views into the head that it was parsed from.
struct field {
  std::string_view name;   ///< case is kept
  std::string_view value;  ///< trimmed; contains no CR, LF or NUL
};

using fields = std::vector<field>;

enum class http_version : std::uint8_t { http_1_0, http_1_1 };

/// Returns true if \p text is a `token` (RFC 9110, 5.6.2). Returns false if it is empty.
[[nodiscard]] bool is_token(std::string_view text) noexcept;
/// Returns true if \p text has no control bytes other than tab.
[[nodiscard]] bool is_field_value(std::string_view text) noexcept;
/// Returns the first field with that name, or null.
[[nodiscard]] const field* find(const fields& all, std::string_view name) noexcept;
/// Returns the field with that name, or null unless there is exactly one.
[[nodiscard]] const field* find_only(const fields& all, std::string_view name) noexcept;
/// Returns the number of fields with that name.
[[nodiscard]] std::size_t count(const fields& all, std::string_view name) noexcept;

/// Returns true if a list field, such as Connection, has that element in any of its lines, ignoring case.
[[nodiscard]] bool lists(const fields& all, std::string_view name, std::string_view element) noexcept;

/// Returns the media type without parameters; empty unless there is exactly one Content-Type (RFC 9110, 8.3).
[[nodiscard]] std::string_view media_type(const fields& all) noexcept;
/// Returns true if Content-Encoding names a coding other than identity (RFC 9110, 8.4).
[[nodiscard]] bool is_encoded(const fields& all) noexcept;

/// Returns `host:port`, with brackets around an IPv6 address (RFC 3986, 3.2.2).
[[nodiscard]] std::string authority_of(std::string_view host, std::string_view port);

enum class field_error : std::uint8_t {
  none,
  malformed,  ///< empty name, white space before the colon, folded line, or control byte
  too_many,
};

/// Parses field lines, each ended by CR LF, and appends them to \p out (RFC 9112, 5).
[[nodiscard]] field_error parse_fields(std::string_view lines, std::size_t max_fields, fields& out);

/// How the end of a body is determined (RFC 9112, 6.3).
enum class framing : std::uint8_t {
  none,    ///< there is no body
  length,  ///< `Content-Length`
  chunked,
  until_close,  ///< the end of the connection; responses only
};

}  // namespace citestream::http

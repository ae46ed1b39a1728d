/// \file
/// Fields of an HTTP head: names, values, lists (RFC 9110, 5.1, 5.5, 5.6). Pure functions on text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "session/field_text.hpp"

namespace citestream::http {

/// One field line. Views into the head that it was parsed from.
struct field {
  std::string_view name;   ///< as it came: case and all
  std::string_view value;  ///< without white space around it; no CR, LF or NUL
};

using fields = std::vector<field>;

enum class http_version : std::uint8_t { http_1_0, http_1_1 };

/// `token` of RFC 9110, 5.6.2: not empty.
[[nodiscard]] bool is_token(std::string_view text) noexcept;
/// Neither CR, LF, NUL nor another control byte except tab.
[[nodiscard]] bool is_field_value(std::string_view text) noexcept;
/// The first field with that name, or null.
[[nodiscard]] const field* find(const fields& all, std::string_view name) noexcept;
[[nodiscard]] std::size_t count(const fields& all, std::string_view name) noexcept;

/// Whether a list field, over all its lines, has that element; case does not matter.
[[nodiscard]] bool lists(const fields& all, std::string_view name, std::string_view element) noexcept;

/// The media type of Content-Type, without parameters; empty where it is not said once (RFC 9110, 8.3).
[[nodiscard]] std::string_view media_type(const fields& all) noexcept;
/// Whether Content-Encoding names a coding other than identity (RFC 9110, 8.4).
[[nodiscard]] bool is_encoded(const fields& all) noexcept;

/// Digits only, no overflow.
[[nodiscard]] std::optional<std::uint64_t> decimal(std::string_view text) noexcept;

enum class field_error : std::uint8_t {
  none,
  malformed,  ///< no name, white space before the colon, a folded line, a control byte
  too_many,
};

/// Parses field lines, each ended by CR LF. Strict (RFC 9112, 5): nothing is repaired.
[[nodiscard]] field_error parse_fields(std::string_view lines, std::size_t max_fields, fields& out);

/// How the end of a body is known (RFC 9112, 6.3).
enum class framing : std::uint8_t {
  none,    ///< there is no body
  length,  ///< `Content-Length`
  chunked,
  until_close,  ///< answers only
};

}  // namespace citestream::http

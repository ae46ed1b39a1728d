/// \file
/// Checks values of documents: publication dates, as pages and search engines write them, and web addresses.
#pragma once

#include <string_view>

namespace citestream::tools {

/// Returns true if \p text is an ISO 8601 date: a year (1000 to 2999), a month, or a day (`2024-03-15` or
/// `20240315`) with an optional time.
[[nodiscard]] bool is_date(std::string_view text) noexcept;

/// Returns true if \p text looks like a date to people, although it may not be ISO 8601: `Mar 15, 2024`,
/// `15.03.2024`. It has at most 40 bytes, only letters, digits, spaces and `,./:+-`, and contains a year.
[[nodiscard]] bool is_written_date(std::string_view text) noexcept;

/// Returns true if \p text is an absolute http or https URL (RFC 3986) with a valid host. A host name must
/// contain a letter or a digit and no empty labels. The port, if there is one, is at most 65535.
[[nodiscard]] bool is_valid_web_url(std::string_view text) noexcept;

}  // namespace citestream::tools

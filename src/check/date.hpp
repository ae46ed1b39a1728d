// Dates of publication, as pages and search engines write them.
#pragma once

#include <string_view>

namespace citestream::check_detail {

/// Whether \p text, which is no \ref is_date, still reads as a date to people: `Mar 15, 2024`, `15.03.2024`.
/// At most 40 bytes of letters, digits, blanks and `,./:+-`, with a year.
[[nodiscard]] bool is_written_date(std::string_view text) noexcept;

}  // namespace citestream::check_detail

/// \file
/// Reads decimal numbers.
#pragma once

#include <string_view>
#include <system_error>

namespace citestream {

/// Reads a number such as `-1.5e3`, with a point whatever the locale. All of \p text must be the number.
/// \return `errc::invalid_argument`, or `errc::result_out_of_range`; \p out is then unchanged
[[nodiscard]] std::errc read_decimal(std::string_view text, double& out) noexcept;

}  // namespace citestream

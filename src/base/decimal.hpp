/// \file
/// Reads and writes decimal numbers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace citestream {

/// Larger integers are not exact in a double (IEEE 754 binary64), so neither in JavaScript.
inline constexpr std::int64_t max_exact_integer = std::int64_t{1} << 53U;

/// Reads an integer that is all of \p text. Returns nothing if it is not one, or out of range.
template <typename Integer>
[[nodiscard]] std::optional<Integer> whole_number(std::string_view text) noexcept {
  Integer number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Reads a number such as `-1.5e3`, with a point whatever the locale. All of \p text must be the number.
/// \return `errc::invalid_argument`, or `errc::result_out_of_range`; \p out is then unchanged
[[nodiscard]] std::errc read_decimal(std::string_view text, double& out) noexcept;

/// Appends the shortest text that read_decimal() reads as \p value, as std::to_chars() does: `0.5`, `1e-04`.
void append_decimal(double value, std::string& out);

}  // namespace citestream

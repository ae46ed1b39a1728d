/// \file
/// Labels and titles that are only the number of a citation.
#pragma once

#include <string_view>

namespace citestream {

/// Returns true for `1`, `[1]`, `1, 2`, `1–3`, `^1` and an empty text.
[[nodiscard]] constexpr bool is_number_label(std::string_view text) noexcept {
  return text.find_first_not_of("0123456789,-–^ []") == std::string_view::npos;
}

/// Returns \p text, or an empty text if it is only a number.
[[nodiscard]] constexpr std::string_view name_in(std::string_view text) noexcept {
  return is_number_label(text) ? std::string_view() : text;
}

}  // namespace citestream

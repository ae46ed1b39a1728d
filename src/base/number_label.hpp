/// \file
/// Labels and titles that are only the number of a citation.
#pragma once

#include <algorithm>
#include <string_view>

namespace citestream {

/// Returns true if \p text has no other characters than those of `1`, `[1]`, `1, 2`, `1-3`, `1–3` and `^1`.
[[nodiscard]] constexpr bool is_number_label(std::string_view text) noexcept {
  constexpr std::string_view en_dash = "\u2013";
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of("0123456789,-^ []"), text.size()));
    if (!text.starts_with(en_dash)) return text.empty();
    text.remove_prefix(en_dash.size());
  }
}

/// Returns \p text, or an empty text if it is only a number.
[[nodiscard]] constexpr std::string_view name_in(std::string_view text) noexcept {
  return is_number_label(text) ? std::string_view() : text;
}

}  // namespace citestream

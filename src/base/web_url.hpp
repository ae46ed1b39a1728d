/// \file
/// Tests for web URLs.
#pragma once

#include <string_view>

#include "base/ascii.hpp"

namespace citestream {

/// Returns the scheme that \p text starts with (in any case): `http://`, `https://`, or nothing.
[[nodiscard]] constexpr std::string_view web_scheme(std::string_view text) noexcept {
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (ascii::starts_with_any_case(text, scheme)) return scheme;
  }
  return {};
}

/// Returns true if \p text is `http://` or `https://` (in any case) and at least one byte more.
[[nodiscard]] constexpr bool is_web_url(std::string_view text) noexcept {
  const std::string_view scheme = web_scheme(text);
  return !scheme.empty() && text.size() > scheme.size();
}

}  // namespace citestream

/// \file
/// Names and messages of enumerations.
#pragma once

#include <cstddef>
#include <string_view>

namespace citestream {

/// The text of \p value in \p texts, which has one for each number up to that of \p last. Empty for larger
/// numbers.
template <auto last, std::size_t count>
[[nodiscard]] constexpr std::string_view enum_text(const std::string_view (&texts)[count],
                                                   decltype(last) value) noexcept {
  static_assert(count == static_cast<std::size_t>(last) + 1);
  const auto at = static_cast<std::size_t>(value);
  return at < count ? texts[at] : std::string_view();
}

}  // namespace citestream

/// \file
/// Names and messages of enumerations.
#pragma once

#include <cstddef>
#include <optional>
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

/// The inverse of enum_text(): the value with this text, or nothing.
template <typename Enum, std::size_t count>
[[nodiscard]] constexpr std::optional<Enum> enum_named(const std::string_view (&texts)[count],
                                                       std::string_view text) noexcept {
  for (std::size_t at = 0; at < count; ++at) {
    if (texts[at] == text) return static_cast<Enum>(at);
  }
  return std::nullopt;
}

}  // namespace citestream

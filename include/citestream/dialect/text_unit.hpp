/// \file
/// The texts of an answer that consists of several.
#pragma once

#include <citestream/base/language.hpp>

#include <compare>
#include <cstdint>
#include <string_view>

namespace citestream {

/// One of several texts of a choice, which come one after the other: a content part of an output item, a
/// content block. All zero if a choice has one text. If texts have ids instead, see unit_named().
struct text_unit {
  std::uint32_t item{};  ///< index of the output item
  std::uint32_t part{};  ///< index of the part in it

  friend auto operator<=>(const text_unit&, const text_unit&) = default;  ///< in order of place
};

/// The text that came last.
inline constexpr text_unit last_text{~std::uint32_t{}, ~std::uint32_t{}};

/// The text of an answer that has one, if records shall have a path: its item is null there.
inline constexpr text_unit only_text{~std::uint32_t{}, 1};

/// All texts of the answer, joined in the order of their places.
inline constexpr text_unit all_texts{~std::uint32_t{}, 0};

/// The text with this id.
[[nodiscard]] text_unit unit_named(std::string_view id) noexcept;

}  // namespace citestream

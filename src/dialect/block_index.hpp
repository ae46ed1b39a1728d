/// \file
/// The indices by which events name choices, content blocks and sources: reading them and writing one.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/choice_event.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// Far above what any answer has, and small enough for all arithmetic.
inline constexpr std::int64_t max_index = 1'000'000;

/// Returns nothing if \p value is not an integer from 0 to max_index.
[[nodiscard]] inline std::optional<std::uint32_t> read_index(json_value value) noexcept {
  const auto index = value.integer();
  if (!index || *index < 0 || *index > max_index) return std::nullopt;
  return static_cast<std::uint32_t>(*index);
}

/// The same, but a missing \p value is 0.
[[nodiscard]] inline std::optional<std::uint32_t> read_index_or_first(json_value value) noexcept {
  return value ? read_index(value) : 0;
}

/// The content block with the index \p value.
[[nodiscard]] inline std::optional<text_unit> read_block_index(json_value value) noexcept {
  const auto index = read_index(value);
  return index ? std::optional(text_unit{*index, 0}) : std::nullopt;
}

/// Returns an event of our own with the index \p index, whose payload lacks further members and its brace.
[[nodiscard]] inline own_event begin_event(std::string_view type, std::size_t index) {
  own_event out{type, "{\"type\":\""};
  out.payload.append(type).append("\",\"index\":").append(std::to_string(index));
  return out;
}

}  // namespace citestream

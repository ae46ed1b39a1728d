/// \file
/// The numbers in events: positions in a text, and the indices by which events name choices, content blocks
/// and sources.
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

/// Reads an index as read_index() does. A missing \p value is 0.
[[nodiscard]] inline std::optional<std::uint32_t> read_index_or_first(json_value value) noexcept {
  return value ? read_index(value) : 0;
}

/// The content block with the index \p value.
[[nodiscard]] inline std::optional<text_unit> read_block_index(json_value value) noexcept {
  const auto index = read_index(value);
  return index ? std::optional(text_unit{*index, 0}) : std::nullopt;
}

/// The positions of an annotation, as the provider counts them.
struct position_pair {
  std::uint64_t start{};
  std::uint64_t end{};
};

/// Returns nothing if \p start or \p end is not an integer from 0, or if they are not in order.
[[nodiscard]] inline std::optional<position_pair> read_positions(json_value start, json_value end) noexcept {
  const auto first = start.integer();
  const auto last = end.integer();
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return position_pair{static_cast<std::uint64_t>(*first), static_cast<std::uint64_t>(*last)};
}

/// Reads positions as read_positions() does. A missing \p start is 0.
[[nodiscard]] inline std::optional<position_pair> read_positions_from_0(json_value start,
                                                                        json_value end) noexcept {
  const auto at = read_positions(start ? start : end, end);
  return at && !start ? position_pair{0, at->end} : at;
}

/// Sets where an annotation is: at \p at, counted from native_annotation::origin. \p start and \p end are the
/// numbers, of which \p start may be missing.
inline void set_positions(position_pair at, json_value start, json_value end,
                          native_annotation& found) noexcept {
  found.start = found.origin + at.start;
  found.end = found.origin + at.end;
  if (start) found.start_token = start.range();
  found.end_token = end.range();
}

/// Returns the passage of a source that is quoted; nothing if \p start or \p end is not an integer. Pages are
/// counted from 1.
[[nodiscard]] inline std::optional<source_span> read_quoted(json_value start, json_value end,
                                                            source_unit unit) noexcept {
  const auto first = start.integer();
  const auto last = end.integer();
  if (!first || !last) return std::nullopt;
  return source_span{unit, *first, *last, unit == source_unit::page ? 1 : 0};
}

/// Returns the part of the request with this index; nothing if it is not an integer from 0.
[[nodiscard]] inline std::optional<request_place> read_requested(json_value index,
                                                                 request_part part) noexcept {
  const auto place = index.integer();
  return place && *place >= 0 ? std::optional(request_place{part, *place}) : std::nullopt;
}

/// Returns an event of our own with the index \p index, whose payload lacks further members and its brace.
[[nodiscard]] inline own_event begin_event(std::string_view type, std::size_t index) {
  own_event out{type, "{\"type\":\""};
  out.payload.append(type).append("\",\"index\":").append(std::to_string(index));
  return out;
}

}  // namespace citestream

/// \file
/// Values of HTTP fields as text (RFC 9110, 5.6, 8.4).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream::http {

using ascii::is_one_of;
using ascii::same_name;

/// Removes spaces and tabs at both ends.
[[nodiscard]] inline std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && ascii::is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && ascii::is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Removes and returns the next element of a comma-separated list (RFC 9110, 5.6.1). Skips empty elements.
[[nodiscard]] inline std::optional<std::string_view> next_element(std::string_view& list) noexcept {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view element = trim(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (!element.empty()) return element;
  }
  return std::nullopt;
}

/// Returns true if a value of Content-Encoding names a coding other than identity (RFC 9110, 8.4).
[[nodiscard]] inline bool is_encoded(std::string_view list) noexcept {
  while (const auto coding = next_element(list)) {
    if (!same_name(*coding, "identity")) return true;
  }
  return false;
}

/// The media type of a value of Content-Type, without parameters (RFC 9110, 8.3).
[[nodiscard]] inline std::string_view media_type(std::string_view value) noexcept {
  return trim(value.substr(0, value.find(';')));
}

/// Returns true if a value of Content-Type is that of an event stream.
[[nodiscard]] inline bool is_event_stream(std::string_view value) noexcept {
  return same_name(media_type(value), "text/event-stream");
}

/// Returns true if a value of Content-Type is that of newline-delimited JSON. None of its names is
/// registered.
[[nodiscard]] inline bool is_ndjson(std::string_view value) noexcept {
  const std::string_view type = media_type(value);
  return same_name(type, "application/x-ndjson") || same_name(type, "application/ndjson") ||
         same_name(type, "application/jsonl");
}

/// The media type of a stream of binary messages (eventstream_message.hpp).
inline constexpr std::string_view message_stream_type = "application/vnd.amazon.eventstream";

/// Returns true if a value of Content-Type is that of a stream in any framing.
[[nodiscard]] inline bool is_stream(std::string_view value) noexcept {
  return is_event_stream(value) || is_ndjson(value) || same_name(media_type(value), message_stream_type);
}

}  // namespace citestream::http

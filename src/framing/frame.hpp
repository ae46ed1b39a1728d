/// \file
/// A frame: one event of a stream, or bytes between events. A decoder divides a stream into frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace citestream {

struct eventstream_message;

/// U+FEFF, with which a stream or a file may begin. It does not belong to the first event, and it is not
/// valid JSON (RFC 8259, 8.1).
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// White space and the bytes of a byte order mark: what may precede JSON.
inline constexpr std::string_view before_json = " \t\r\n\xEF\xBB\xBF";

/// Returns \p text without a byte order mark at its start.
[[nodiscard]] constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept {
  return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

/// The minimum of `max_event_bytes`. With fewer bytes, the name of a field after a byte order mark at the
/// start of an event stream could not be recognised.
inline constexpr std::size_t least_event_limit = byte_order_mark.size() + std::string_view("retry").size();

/// What a frame is.
enum class frame_kind : std::uint8_t {
  event,         ///< SSE: a block with `data` and its blank line; NDJSON: a line; array: an element; or a
                 ///< binary message
  unterminated,  ///< an `event` cut off by the end of the stream: clients of event streams ignore it
  cut,           ///< the start of an event, without data, cut off by the end of the stream
  other,         ///< bytes that are not an event; they pass through unchanged
  foreign,       ///< a piece of a line without a field, before the first field: perhaps this is not an event
                 ///< stream; it passes through unchanged
  end,           ///< the closing bracket of an array: no event follows
  oversize,      ///< a piece of an event over `limits::max_event_bytes`, or of a stream after a damaged
                 ///< message; it passes through unchanged
};

/// What precedes an element of a streamed JSON array. It decides how another one is inserted there.
enum class frame_gap : std::uint8_t {
  none,     ///< the opening bracket
  comma,    ///< a comma
  element,  ///< another element
};

/// One frame of the stream. Views are valid until the next call of next(), feed(), finish() or reset() of the
/// decoder.
struct frame {
  frame_kind kind{};       ///< decides which members are set
  bool failure{};          ///< a message that reports a failure
  std::string_view raw{};  ///< the bytes of the frame, including line ends and blank line
  std::uint64_t offset{};  ///< position of `raw` in the stream, in bytes

  // The other members are set for `event` and `unterminated` only.
  /// The payload: the `data` lines joined with LF, without a final one; the line without its line end; the
  /// payload of a message, or the event encoded in it. Not checked for UTF-8.
  std::string_view data{};
  std::string_view event{};  ///< the event's type; empty: `message`. Always empty in NDJSON and arrays
  std::string_view id{};     ///< the last event id, from this event or an earlier one
  std::optional<std::uint64_t> retry{};  ///< milliseconds, if this block has a valid `retry` field
  /// Position of `data` in `raw`; npos if several lines were joined, or the data was encoded.
  std::size_t data_offset{std::string_view::npos};
  const eventstream_message* message{};  ///< set if the frame is a binary message: its parts

  /// The position in `raw` of the byte `data[position]`, even if `data` was joined from several lines. If it
  /// was encoded, 0.
  [[nodiscard]] std::size_t raw_offset(std::size_t position) const noexcept;

  /// One of several `data` lines: where its bytes start in `data` and in `raw`.
  struct line {
    std::size_t data{};  ///< byte of frame::data
    std::size_t raw{};   ///< byte of frame::raw
  };
  const std::vector<line>* lines{};  ///< set if `data` was joined from several lines
};

}  // namespace citestream

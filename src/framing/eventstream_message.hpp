/// \file
/// Messages of `application/vnd.amazon.eventstream`, a binary framing of AWS.
///
/// A message has a prelude (total length, length of the headers, CRC32 of both), headers, a payload and a
/// CRC32 of everything before it. Numbers are big-endian. Source: Smithy 2.0, "Amazon Event Stream".
///
/// Some services put the event of another protocol into the payload, encoded:
/// `{"bytes":"<base64>","p":…}`. Messages of this form have the event type `chunk`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// The lengths and the CRC at the start of a message.
inline constexpr std::size_t eventstream_prelude_bytes = 12;
/// Returns true if a message may begin with this byte: its length begins with 0 or 1, and no text does.
[[nodiscard]] constexpr bool may_begin_message(char first) noexcept {
  return static_cast<unsigned char>(first) <= 1;
}
/// The event type of messages that contain an encoded event.
inline constexpr std::string_view eventstream_chunk = "chunk";

/// The lengths of a message.
struct eventstream_lengths {
  std::size_t total{};    ///< bytes of the message
  std::size_t headers{};  ///< bytes of its headers
};

/// A message. Views of its bytes.
struct eventstream_message {
  std::string_view headers;  ///< encoded, in the order in which they were received
  std::string_view payload;
  std::string_view encoded;  ///< the part of `payload` that is base64; empty if it has none
};

/// The types in the headers of a message.
struct eventstream_type {
  std::string_view event;  ///< `:event-type`, in an exception `:exception-type`
  bool failure{};          ///< `:message-type` is `exception` or `error`
};

/// CRC32 of zlib, gzip and PNG (ISO 3309).
[[nodiscard]] std::uint32_t crc32(std::string_view bytes) noexcept;

/// Reads the prelude at the start of \p bytes, which has at least eventstream_prelude_bytes. Returns nothing
/// if its CRC is wrong, or a length is over the limits of the format: 24 MiB of payload, 128 KiB of headers.
[[nodiscard]] std::optional<eventstream_lengths> read_prelude(std::string_view bytes) noexcept;

/// Reads a complete message. Returns nothing if the CRC at its end is wrong.
[[nodiscard]] std::optional<eventstream_message> read_message(std::string_view bytes,
                                                              const eventstream_lengths& size) noexcept;

/// Reads encoded headers. Returns nothing if they do not end where they should.
[[nodiscard]] std::optional<eventstream_type> read_headers(std::string_view headers) noexcept;

/// The base64 string in the member `bytes` of \p payload, without its quotes. Empty if \p payload is not an
/// object whose members are strings, numbers or literals, one of them `bytes`, without escapes.
[[nodiscard]] std::string_view encoded_event(std::string_view payload) noexcept;

/// Appends a message with these headers, already encoded.
void append_message(std::string_view headers, std::string_view payload, std::string& out);
/// Appends \p message with another event instead of its own. \p event is encoded if that one is.
void append_message(const eventstream_message& message, std::string_view event, std::string& out);
/// Appends an event of this type. For the type eventstream_chunk, \p event is encoded.
void append_event_message(std::string_view type, std::string_view event, std::string& out);
/// Appends an exception. \p payload: JSON
void append_exception_message(std::string_view type, std::string_view payload, std::string& out);

}  // namespace citestream

/// \file
/// Divides a stream into frames. Recognises its framing from the first bytes.
///
/// A stream is NDJSON if its first byte is `{`, after a byte order mark and white space, and server-sent
/// events otherwise. No line of an event stream begins with `{`, so nothing else needs to tell the two apart.
///
/// \code
///   citestream::frame_decoder decoder(limits.max_event_bytes);
///   decoder.feed(bytes);
///   for (citestream::frame item; decoder.next(item);) use(item);
/// \endcode
///
/// This file also contains what depends on the framing when a frame of our own is written.
#pragma once

#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "frame.hpp"
#include "ndjson_decoder.hpp"
#include "sse_decoder.hpp"

namespace citestream {

/// How a stream is divided into frames.
enum class stream_framing : std::uint8_t {
  unknown,  ///< only white space has come so far
  sse,      ///< server-sent events
  ndjson,   ///< one JSON text on each line
};

/// The decoder of a stream of either framing. See sse_decoder for the contract of its functions.
class frame_decoder {
 public:
  explicit frame_decoder(std::size_t max_event_bytes) : sse_(max_event_bytes), ndjson_(max_event_bytes) {}

  void feed(std::string_view bytes) {
    if (framing_ == stream_framing::unknown) return feed_first(bytes);
    if (lines()) return ndjson_.feed(bytes);
    sse_.feed(bytes);
  }
  [[nodiscard]] bool next(frame& out) { return lines() ? ndjson_.next(out) : sse_.next(out); }
  void finish() noexcept {
    if (lines()) return ndjson_.finish();
    sse_.finish();
  }
  [[nodiscard]] bool cut_off() const noexcept { return lines() ? ndjson_.cut_off() : sse_.cut_off(); }
  [[nodiscard]] std::string_view unread() noexcept { return lines() ? ndjson_.unread() : sse_.unread(); }
  void skip(std::size_t count, std::size_t before = 0) noexcept {
    if (lines()) return ndjson_.skip(count, before);
    sse_.skip(count, before);
  }
  void put_off() noexcept {
    if (lines()) return ndjson_.put_off();
    sse_.put_off();
  }
  [[nodiscard]] status error() const noexcept { return lines() ? ndjson_.error() : sse_.error(); }
  void reset() noexcept;

  [[nodiscard]] stream_framing framing() const noexcept { return framing_; }

 private:
  [[nodiscard]] bool lines() const noexcept { return framing_ == stream_framing::ndjson; }
  void feed_first(std::string_view bytes);

  sse_decoder sse_;  ///< also decodes white space while the framing is unknown
  ndjson_decoder ndjson_;
  stream_framing framing_{};
  std::uint64_t fed_{};  ///< bytes, while the framing is unknown
  std::string start_;    ///< the first bytes of NDJSON, if they came in several feeds
};

/// Appends what precedes the payload of a frame: in an event stream its event type, if it has one, and
/// `data:`.
void begin_frame(stream_framing how, std::string_view type, std::string_view line_end, std::string& out);
/// Appends what follows the payload: one line end, in an event stream two.
void end_frame(stream_framing how, std::string_view line_end, std::string& out);
/// Appends the line ends that are missing after the bytes that end with \p last, so that the next frame does
/// not become part of the same event or line. \p last: four bytes, or all that there are.
void close_frame(stream_framing how, std::string_view last, std::string& out);

}  // namespace citestream

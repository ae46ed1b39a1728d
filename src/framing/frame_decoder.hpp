/// \file
/// Divides a stream into frames. Recognises its framing from the first bytes.
///
/// After a byte order mark and white space, a stream that begins with `{` is NDJSON, and one that begins with
/// `[` is a streamed JSON array. It is binary messages (eventstream_message.hpp) if its first bytes are a
/// prelude with a valid CRC. Otherwise it is server-sent events. No line of an event stream begins with such
/// a byte, so nothing else needs to tell them apart.
///
/// \code
///   citestream::frame_decoder decoder(limits.max_event_bytes);
///   decoder.feed(bytes);
///   for (citestream::frame item; decoder.next(item);) use(item);
/// \endcode
///
/// This file also contains how to write a frame in each framing.
#pragma once

#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "array_decoder.hpp"
#include "eventstream_decoder.hpp"
#include "frame.hpp"
#include "ndjson_decoder.hpp"
#include "sse_decoder.hpp"

namespace citestream {

/// How a stream is divided into frames.
enum class stream_framing : std::uint8_t {
  unknown,      ///< too few bytes have come so far
  sse,          ///< server-sent events
  ndjson,       ///< one JSON text on each line
  array,        ///< one JSON array, whose elements are the events
  eventstream,  ///< binary messages
};

/// The decoder of a stream of any framing. See sse_decoder for the contract of its functions.
class frame_decoder {
  /// Calls \p use with the decoder of this framing. A new framing is a case here.
  template <typename Self, typename Use>
  static auto with(Self& self, const Use& use) {
    if (self.framing_ == stream_framing::sse) return use(self.sse_);  // most streams
    switch (self.framing_) {
      case stream_framing::ndjson:
        return use(self.ndjson_);
      case stream_framing::array:
        return use(self.array_);
      case stream_framing::eventstream:
        return use(self.messages_);
      case stream_framing::unknown:
      case stream_framing::sse:
        break;
    }
    return use(self.sse_);
  }

 public:
  explicit frame_decoder(std::size_t max_event_bytes)
      : sse_(max_event_bytes),
        ndjson_(max_event_bytes),
        array_(max_event_bytes),
        messages_(max_event_bytes) {}

  void feed(std::string_view bytes) {
    if (framing_ == stream_framing::unknown) return feed_first(bytes);
    with(*this, [&](auto& decoder) { decoder.feed(bytes); });
  }
  [[nodiscard]] bool next(frame& out) {
    const auto decode = [&](auto& decoder) { return decoder.next(out); };
    if (with(*this, decode)) return true;
    if (json_.empty()) return false;
    begin_json();
    return with(*this, decode);
  }
  void finish();
  /// Call after finish(). Returns true if the stream ended inside an event over the size limit, or inside an
  /// array. Other events that are cut off are frames: `unterminated` or `cut`.
  [[nodiscard]] bool cut_off() const noexcept {
    return with(*this, [](const auto& decoder) { return decoder.cut_off(); });
  }
  [[nodiscard]] std::string_view unread() noexcept {
    return with(*this, [](auto& decoder) { return decoder.unread(); });
  }
  void skip(std::size_t count, std::size_t before = 0) noexcept {
    with(*this, [&](auto& decoder) {
      if constexpr (requires { decoder.skip(count, before); }) decoder.skip(count, before);
    });
  }
  void defer() noexcept {
    with(*this, [](auto& decoder) {
      if constexpr (requires { decoder.defer(); }) decoder.defer();
    });
  }
  [[nodiscard]] status error() const noexcept {
    return with(*this, [](auto& decoder) { return decoder.error(); });
  }
  void reset() noexcept;

  /// How the frames so far are divided. `unknown`: only white space, or too little to tell.
  [[nodiscard]] stream_framing framing() const noexcept { return framing_; }
  /// In an array: see array_decoder::gap().
  [[nodiscard]] frame_gap gap() const noexcept { return array_.gap(); }
  /// In an array: see array_decoder::inside_element().
  [[nodiscard]] bool inside_element() const noexcept {
    return framing_ == stream_framing::array && array_.inside_element();
  }

 private:
  void feed_first(std::string_view bytes);
  void begin_json();
  [[nodiscard]] bool begins_message(std::string_view bytes);

  sse_decoder sse_;  ///< also decodes white space while the framing is unknown
  ndjson_decoder ndjson_;
  array_decoder array_;
  eventstream_decoder messages_;
  stream_framing framing_{};
  std::uint64_t fed_{};    ///< bytes, while the framing is unknown
  std::string_view json_;  ///< what was fed, from the byte that begins JSON; decoded after what precedes it
  std::string start_;      ///< the first bytes of JSON or messages, if they came in several feeds
};

/// Returns the line end that the frame uses.
[[nodiscard]] std::string_view line_end_of(std::string_view raw) noexcept;

/// Where a generated frame is written.
struct frame_place {
  stream_framing how{};             ///< of the stream
  std::string_view line_end{"\n"};  ///< that the stream uses
  frame_gap gap{};                  ///< in an array: what precedes the frame
  bool last{};                      ///< nothing follows: an array is closed
};

/// Appends a generated frame; in an array with the comma that is missing before or after it. Binary messages
/// of the type `chunk` contain an encoded event (eventstream_message.hpp).
void append_frame(const frame_place& at, std::string_view type, std::string_view payload, std::string& out);
/// Appends the line ends that are missing after the bytes that end with \p last, so that the next frame does
/// not become part of the same event or line. A message cannot be ended. \p last: four bytes, or all that
/// there are. \p line_end: that the stream uses.
void close_frame(stream_framing how, std::string_view last, std::string_view line_end, std::string& out);

/// Calls \p take with each frame of the whole stream \p bytes.
template <typename Take>
void for_each_frame(std::string_view bytes, std::size_t max_event_bytes, const Take& take) {
  frame_decoder decoder(max_event_bytes);
  frame item;
  decoder.feed(bytes);
  while (decoder.next(item)) take(item);
  decoder.finish();
  while (decoder.next(item)) take(item);
}

}  // namespace citestream

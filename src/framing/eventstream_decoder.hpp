/// \file
/// `application/vnd.amazon.eventstream`, decoded incrementally: see eventstream_message.hpp.
///
/// The decoder divides the byte stream into messages, with the interface of sse_decoder. All frames together
/// are the stream again. Both CRCs are checked. After a message that is damaged (a wrong CRC, a length over
/// the limits of the format, headers that do not fit their length), the next one cannot be found: everything
/// from there on passes as `oversize`.
///
/// The data of a frame is the payload, or the event that it contains in base64.
///
/// \code
///   citestream::eventstream_decoder decoder;
///   decoder.feed(bytes);
///   for (citestream::frame message; decoder.next(message);) use(message);
///   decoder.finish();                                                   // the stream has ended
///   for (citestream::frame message; decoder.next(message);) use(message);
/// \endcode
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "eventstream_message.hpp"
#include "frame.hpp"

namespace citestream {

/// The incremental decoder. However the stream is divided into reads, the frames are the same, including
/// bytes and offsets. Only the division of `oversize` pieces depends on the reads. Movable between two
/// frames.
class eventstream_decoder {
 public:
  /// \param max_event_bytes  maximum size of a message; a larger one passes in pieces
  explicit eventstream_decoder(std::size_t max_event_bytes = limits{}.max_event_bytes) noexcept
      : max_event_bytes_(max_event_bytes) {}

  /// Gives the next bytes of the stream, which may end anywhere. \p bytes is borrowed until next() returns
  /// false; call feed() again only then.
  void feed(std::string_view bytes);
  /// Returns the next message, or false if more bytes are needed. A message is returned by the call that sees
  /// its last byte. A message without a payload is an `other` frame, unless it reports a failure.
  [[nodiscard]] bool next(frame& out);
  /// Ends the stream. next() returns a message that is cut off as `cut`.
  void finish() noexcept { finished_ = true; }
  /// Call after finish(). Returns true if the stream ended inside a message over the size limit.
  [[nodiscard]] bool cut_off() const noexcept { return finished_ && passing_ != everything && passing_ > 0; }

  /// Always empty: the bytes of two messages with the same shape differ in their lengths and CRCs, so nobody
  /// can know a message without decoding it.
  [[nodiscard]] static std::string_view unread() noexcept { return {}; }

  /// The last error, with the offset of its message: \ref errc::event_too_large or \ref
  /// errc::damaged_message. It is kept until reset().
  [[nodiscard]] status error() const noexcept { return error_; }
  /// Prepares for another stream. Keeps capacity: a warm decoder does not allocate.
  void reset() noexcept;

 private:
  /// Value of `passing_` after a damaged message.
  static constexpr std::uint64_t everything = ~std::uint64_t{0};

  void drop_frame() noexcept;
  bool keep(frame& out);
  bool give(frame& out, frame_kind kind, std::string_view raw);
  bool give_message(frame& out, std::string_view raw, const eventstream_lengths& size);
  bool pass(frame& out);
  bool pass_from_here(frame& out, errc why, std::uint64_t size);

  std::size_t max_event_bytes_;
  std::string_view input_;       ///< what was fed last and has not been taken
  std::string kept_;             ///< the message so far, if it came in several feeds
  std::string decoded_;          ///< the event that was in base64
  eventstream_message message_;  ///< the message returned last
  std::size_t given_{};          ///< size of the frame returned last
  std::uint64_t offset_{};       ///< of the next message in the stream
  std::uint64_t passing_{};      ///< number of the next bytes that are not decoded
  bool finished_{};
  status error_;
};

}  // namespace citestream

/// \file
/// Newline-delimited JSON, decoded incrementally: one JSON text on each line (NDJSON, JSON Lines).
///
/// The decoder divides the byte stream into lines, with the interface of sse_decoder. All frames together are
/// the stream again. A line ends with LF; a CR in front of it belongs to the line end. White space alone is
/// not an event. The decoder does not check that a line is JSON.
///
/// \code
///   citestream::ndjson_decoder decoder;
///   decoder.feed(bytes);
///   for (citestream::frame line; decoder.next(line);) use(line);
///   decoder.finish();                                           // the stream has ended
///   for (citestream::frame line; decoder.next(line);) use(line);
/// \endcode
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "frame.hpp"

namespace citestream {

/// The incremental decoder. However the stream is divided into reads, the frames are the same, including
/// bytes and offsets. Only the division of `oversize` pieces depends on the reads. Movable between two
/// frames.
class ndjson_decoder {
 public:
  /// \param max_event_bytes  maximum size of a line, including its line end; at least \ref least_event_limit
  explicit ndjson_decoder(std::size_t max_event_bytes = limits{}.max_event_bytes);

  /// Gives the next bytes of the stream, which may end anywhere. \p bytes is borrowed until next() returns
  /// false; call feed() again only then.
  void feed(std::string_view bytes);
  /// Returns the next line, or false if more bytes are needed. A line is returned by the call that sees its
  /// LF.
  [[nodiscard]] bool next(frame& out);
  /// Ends the stream. next() returns a last line without LF as `unterminated` or `other`.
  void finish() noexcept { finished_ = true; }
  /// Call after finish(). Returns true if the stream ended inside a line over the size limit.
  [[nodiscard]] bool cut_off() const noexcept { return finished_ && passing_; }

  /// The bytes that were fed and not yet decoded, if they begin a line other than the first. Otherwise empty.
  /// Invalidates views of the last frame.
  [[nodiscard]] std::string_view unread() noexcept {
    if (given_) drop_frame();
    const bool between = kept_.empty() && !passing_ && !at_start_;
    return between ? input_.substr(position_) : std::string_view();
  }
  /// Skips the first \p count bytes of unread(). The caller knows that they are whole lines within the size
  /// limit. \p before: how many bytes of the first line were deferred.
  void skip(std::size_t count, std::size_t before = 0) noexcept {
    position_ += count;
    offset_ += before + count;
  }
  /// Defers all of unread(), in which no line ends. See sse_decoder::defer().
  void defer() noexcept;

  /// The last error, with the offset of its line: \ref errc::event_too_large. It is kept until reset();
  /// decoding continues.
  [[nodiscard]] status error() const noexcept { return error_; }
  /// Prepares for another stream whose first byte is at \p offset. Keeps capacity: a warm decoder does not
  /// allocate.
  void reset(std::uint64_t offset = 0) noexcept;

 private:
  void drop_frame() noexcept;
  void take(std::size_t count);
  void give(frame& out, frame_kind kind);
  void give_line(frame& out, frame_kind kind);

  std::size_t max_event_bytes_;
  std::string_view input_;  ///< what was fed last
  std::size_t position_{};  ///< of the next byte in `input_`
  std::string kept_;        ///< bytes of the line up to `position_`, if it came in several feeds
  std::string_view line_;   ///< the frame returned last
  std::uint64_t offset_{};  ///< of the line in the stream
  bool at_start_{true};     ///< in the first line, which may begin with a byte order mark
  bool given_{};            ///< `line_` belongs to the caller until the next call
  bool passing_{};          ///< a line over the size limit is passing through
  bool finished_{};
  status error_;
};

}  // namespace citestream

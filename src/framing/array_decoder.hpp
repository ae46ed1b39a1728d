/// \file
/// One streamed JSON array, decoded incrementally: each element is an event (`[{…},\n{…}]`).
///
/// The decoder divides the byte stream into elements and the bytes between them, with the interface of
/// sse_decoder. All frames together are the stream again. An element is an object, an array or a string
/// (RFC 8259); other values and everything after the closing bracket are passed through. The decoder counts
/// brackets and does not check that an element is JSON.
///
/// \code
///   citestream::array_decoder decoder;
///   decoder.feed(bytes);
///   for (citestream::frame item; decoder.next(item);) use(item);
///   decoder.finish();                                            // the stream has ended
///   for (citestream::frame item; decoder.next(item);) use(item);
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

/// The incremental decoder. However the stream is divided into reads, the elements are the same, including
/// bytes and offsets. Only the division of `oversize` pieces and of the bytes between elements depends on the
/// reads. Movable between two frames.
class array_decoder {
 public:
  /// \param max_event_bytes  maximum size of an element; at least \ref least_event_limit
  explicit array_decoder(std::size_t max_event_bytes = limits{}.max_event_bytes);

  /// Gives the next bytes of the stream, which may end anywhere. \p bytes is borrowed until next() returns
  /// false; call feed() again only then.
  void feed(std::string_view bytes);
  /// Returns the next frame, or false if more bytes are needed. An element is returned by the call that sees
  /// its last byte, the closing bracket of the array as `end`.
  [[nodiscard]] bool next(frame& out);
  /// Ends the stream. next() returns an element that is cut off as `unterminated`.
  void finish() noexcept { finished_ = true; }
  /// Call after finish(). Returns true if the array was not closed.
  [[nodiscard]] bool cut_off() const noexcept { return finished_ && part_ != part::after; }

  /// The bytes that were fed and not yet decoded, if they begin an element. Otherwise empty. Invalidates
  /// views of the last frame.
  [[nodiscard]] std::string_view unread() noexcept;
  /// Skips the first \p count bytes of unread(). The caller knows that they are a whole element within the
  /// size limit. \p before: how many of its bytes were deferred.
  void skip(std::size_t count, std::size_t before = 0) noexcept;
  /// Defers all of unread(), in which no element ends. See sse_decoder::defer().
  void defer() noexcept;

  /// Returns true if the last frame is a piece of an element over the size limit and the element goes on. No
  /// element can be inserted there.
  [[nodiscard]] bool inside_element() const noexcept { return part_ == part::passing; }
  /// What precedes the last frame, and after finish() what was given last.
  [[nodiscard]] frame_gap gap() const noexcept { return gap_; }
  /// The last error, with the offset of its element: \ref errc::event_too_large. It is kept until reset();
  /// decoding continues.
  [[nodiscard]] status error() const noexcept { return error_; }
  /// Prepares for another stream whose first byte is at \p offset. Keeps capacity: a warm decoder does not
  /// allocate.
  void reset(std::uint64_t offset = 0) noexcept;

 private:
  /// Of the array. `passing`: in an element over the size limit.
  /// `cut`: after an element that the end of the stream has cut off.
  enum class part : std::uint8_t { before, between, element, passing, cut, after };
  /// Of an element: whether a string is open, and whether a backslash is its last byte.
  enum class text : std::uint8_t { outside, inside, escape };
  /// Where `position_` is in an element.
  struct nesting {
    std::size_t depth{};  ///< open brackets
    text in{};
  };
  /// What read_element() has found.
  struct scan {
    std::size_t end{};
    bool complete{};
  };

  void drop_frame() noexcept;
  [[nodiscard]] scan read_element() noexcept;
  bool give(frame& out, frame_kind kind, std::size_t count);
  bool give_element(frame& out);
  bool give_gap(frame& out);

  std::size_t max_event_bytes_;
  std::string_view input_;  ///< what was fed last
  std::size_t position_{};  ///< of the next byte in `input_`
  std::string kept_;        ///< bytes of the element up to `position_`, if it came in several feeds
  std::size_t given_{};     ///< size of the frame that belongs to the caller until the next call
  std::uint64_t offset_{};  ///< of that frame, or of the next, in the stream
  part part_{};             ///< where `position_` is
  frame_gap gap_{};
  frame_gap next_gap_{};  ///< `gap_` after the frame given last
  nesting nesting_;
  bool finished_{};
  status error_;
};

}  // namespace citestream

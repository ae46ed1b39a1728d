/// \file
/// Server-sent events, decoded incrementally (WHATWG HTML, 9.2.6 "Interpreting an event stream").
///
/// The decoder divides the byte stream into frames. All frames together are the stream again: nothing is
/// dropped, so a rewriter can pass on what it does not change. A frame is an event with its lines, or bytes
/// that are not an event (comments, blank lines, blocks without `data`), or a piece of an event over the size
/// limit.
///
/// \code
///   citestream::sse_decoder decoder;
///   decoder.feed(bytes);
///   for (citestream::frame item; decoder.next(item);) use(item);
///   decoder.finish();                                            // the stream has ended
///   for (citestream::frame item; decoder.next(item);) use(item);
/// \endcode
#pragma once

#include <citestream/base/byte_range.hpp>
#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frame.hpp"

namespace citestream {

/// The incremental decoder. However the stream is divided into reads, the frames are the same, including
/// bytes and offsets. Only the division of `oversize` and `foreign` pieces depends on the reads. Movable
/// between two frames.
class sse_decoder {
 public:
  /// \param max_event_bytes  maximum size of a block, or of a comment line outside a block, including line
  /// ends; at least \ref least_event_limit
  explicit sse_decoder(std::size_t max_event_bytes = limits{}.max_event_bytes);

  /// Gives the next bytes of the stream, which may end anywhere. \p bytes is borrowed until next() returns
  /// false; call feed() again only then.
  void feed(std::string_view bytes);

  /// Returns the next frame, or false if more bytes are needed. A complete event, a complete comment line
  /// outside a block and a blank line are returned by the call that sees their last byte. CR ends a line
  /// immediately, without waiting for an LF. Such an LF after a block, a comment or a blank line is always an
  /// `other` frame of its own: the `raw` of an event whose lines end in CRLF ends with the CR.
  [[nodiscard]] bool next(frame& out);

  /// Ends the stream. next() returns what remains: a block with `data` as `unterminated`, a block with
  /// another field or the start of a field name as `cut`, anything else as `other`.
  void finish() noexcept { finished_ = true; }

  /// Call after finish(). Returns true if the stream ended inside a block over the size limit.
  [[nodiscard]] bool cut_off() const noexcept {
    return finished_ && (passing_ == passing::blank_line || passing_ == passing::line);
  }

  /// The bytes that were fed and not yet decoded, if they begin a frame that does not depend on earlier
  /// bytes: between two frames, after the first field of the stream. Otherwise empty. Invalidates views of
  /// the last frame.
  [[nodiscard]] std::string_view unread() noexcept {
    if (block_.is == block_state::given) drop_frame();
    const bool between =
        kept_.empty() && input_.block == input_.next && passing_ == passing::nothing && has_field_;
    if (!between || input_.at_end() || (after_cr_ && input_.byte() == '\n')) return {};
    return input_.bytes.substr(input_.next);
  }

  /// Skips the first \p count bytes of unread(). The caller knows that they are whole events within the size
  /// limit, each perhaps followed by the LF of its CRLF. next() continues after them as if it had returned
  /// them, except that ids in them have no effect. \p before: how many bytes of the first event were
  /// deferred.
  void skip(std::size_t count, std::size_t before = 0) noexcept {
    input_.next += count;
    input_.block = input_.next;
    offset_ += before + count;
    block_.line = 0;
    after_cr_ = input_.bytes[input_.next - 1] == '\r';
  }

  /// Defers all of unread(), in which no frame may end. The caller keeps these bytes. Later it either feeds
  /// them again before any others, or feeds the bytes that follow and skips the event that begins with the
  /// kept bytes. Until then next() returns false.
  void defer() noexcept;

  /// The bytes of a block that has begun, if next() returned false. Valid until the next call of feed() or
  /// reset().
  [[nodiscard]] std::string_view begun() noexcept {
    if (block_.is == block_state::given) drop_frame();
    return kept_;
  }

  /// The last error, with the offset of its block: \ref errc::event_too_large. It is kept until reset();
  /// decoding continues.
  [[nodiscard]] status error() const noexcept { return error_; }

  /// Prepares for another stream. Keeps capacity: a warm decoder does not allocate.
  void reset() noexcept;

 private:
  /// The bytes that were fed last.
  struct window {
    std::string_view bytes;
    std::size_t next{};     ///< the next byte to read
    std::size_t block{};    ///< where the block begins, if all of it is here
    std::size_t next_lf{};  ///< first LF from `next` on; npos: not looked up yet

    [[nodiscard]] bool at_end() const noexcept { return next >= bytes.size(); }
    [[nodiscard]] char byte() const noexcept { return bytes[next]; }
    [[nodiscard]] std::size_t line_end() noexcept;
  };
  enum class block_state : std::uint8_t {
    begun,  ///< has only comments, or nothing
    event,  ///< has a line that is not a comment
    given,  ///< its bytes belong to the caller until the next call
  };
  /// What is known of the current block.
  struct block_fields {
    block_state is{};
    std::size_t line{};  ///< where the current line starts in the block
    byte_range event;    ///< in the block
    std::optional<byte_range> id;
    std::optional<std::uint64_t> retry;
    std::vector<frame::line> data;  ///< the `data` lines
    std::size_t data_size{};        ///< size of all of them, joined

    void reset() noexcept;
  };
  /// What passes through in pieces: a line that is foreign, or what is over the size limit.
  enum class passing : std::uint8_t {
    nothing,
    foreign_line,  ///< up to its end
    comment,       ///< up to the end of its line
    blank_line,    ///< in a block, at the start of a line
    line,          ///< in a block, inside a line
  };

  [[nodiscard]] std::string_view block_bytes() const noexcept;
  [[nodiscard]] std::string line_start(std::string_view more) const;
  [[nodiscard]] bool is_foreign(std::string_view more, bool whole) const;
  [[nodiscard]] bool fits(std::size_t more) const noexcept;
  void take(std::size_t count);
  void keep();
  void drop_frame() noexcept;
  bool give(frame& out, frame_kind kind);
  bool give_block(frame& out, frame_kind with_data);
  bool end_of_line(frame& out, std::string_view line, std::size_t begin);
  void field(std::string_view line, std::size_t begin);
  bool exceed_limit(frame& out);
  bool pass_foreign(frame& out);
  bool pass(frame& out);
  bool left_over(frame& out);

  std::size_t max_event_bytes_;
  window input_;
  std::string kept_;        ///< bytes of the block up to `input_.next`, if it came in several feeds
  std::uint64_t offset_{};  ///< of the block in the stream
  block_fields block_;
  bool at_start_{true};  ///< no line is complete yet: a byte order mark may come
  bool has_field_{};     ///< the stream has had a line with a field
  bool after_cr_{};      ///< the last line ended in CR: an LF here belongs to it
  passing passing_{};
  bool finished_{};
  std::string joined_;
  std::string id_;  ///< the last event id
  status error_;
};

}  // namespace citestream

/// \file
/// Server-sent events, decoded incrementally (WHATWG HTML, 9.2.6 "Interpreting an event stream").
///
/// The decoder divides the byte stream into items. All items together are the stream again: nothing is
/// dropped, so a rewriter can pass on what it does not change. An item is an event with its lines, or bytes
/// that are not an event (comments, blank lines, blocks without `data`), or a piece of an event over the size
/// limit.
///
/// \code
///   citestream::sse_decoder decoder;
///   decoder.feed(bytes);
///   for (citestream::sse_item item; decoder.next(item);) use(item);
///   decoder.finish();                                            // the stream has ended
///   for (citestream::sse_item item; decoder.next(item);) use(item);
/// \endcode
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What an `sse_item` is.
enum class sse_kind : std::uint8_t {
  event,         ///< a block with `data`, ended by a blank line: clients receive it
  unterminated,  ///< a block with `data` that the end of the stream cut off: clients ignore it
  other,         ///< bytes that are not an event; they pass through unchanged
  oversize,      ///< a piece of a block over `limits::max_event_bytes`; it passes through unchanged
};

/// One item of the stream. Views are valid until the next call of next(), feed(), finish() or reset().
struct sse_item {
  sse_kind kind{};         ///< decides which members are set
  std::string_view raw;    ///< the bytes of the item, including line ends and blank line
  std::uint64_t offset{};  ///< position of `raw` in the stream, in bytes

  // The other members are set for `event` and `unterminated` only.
  std::string_view data;   ///< the `data` lines joined with LF, without a final one; not checked for UTF-8
  std::string_view event;  ///< the event's type; empty means "message"
  std::string_view id;     ///< the last event id, from this event or an earlier one
  std::optional<std::uint64_t> retry;  ///< milliseconds, if this block has a valid `retry` field
  /// Position of `data` in `raw` if it is one line; npos if several lines were joined.
  std::size_t data_offset{std::string_view::npos};

  /// The position in `raw` of the byte `data[position]`, even if `data` was joined from several lines.
  [[nodiscard]] std::size_t raw_offset(std::size_t position) const noexcept;

  /// One of several `data` lines: where its bytes start in `data` and in `raw`.
  struct line {
    std::size_t data{};  ///< byte of sse_item::data
    std::size_t raw{};   ///< byte of sse_item::raw
  };
  const std::vector<line>* lines{};  ///< set if `data` was joined from several lines
};

/// The incremental decoder. However the stream is divided into reads, the items are the same, including bytes
/// and offsets. Only the division of `oversize` pieces depends on the reads. Movable between two items.
class sse_decoder {
 public:
  /// \param max_event_bytes  maximum size of a block, or of a comment line outside a block, including line
  /// ends; at least 4, so that a byte order mark and one more byte fit
  explicit sse_decoder(std::size_t max_event_bytes = limits{}.max_event_bytes);

  /// Gives the next bytes of the stream, which may end anywhere. \p bytes is borrowed until next() returns
  /// false; call feed() again only then.
  void feed(std::string_view bytes);

  /// Returns the next item, or false if more bytes are needed. A complete event, a complete comment line
  /// outside a block and a blank line are returned by the call that sees their last byte. CR ends a line
  /// immediately, without waiting for an LF. Such an LF after a block, a comment or a blank line is always an
  /// `other` item of its own: the `raw` of an event whose lines end in CRLF ends with the CR.
  [[nodiscard]] bool next(sse_item& out);

  /// Ends the stream. next() returns what remains as `unterminated` or `other`.
  void finish() noexcept;

  /// Call after finish(), with or after the last item. Returns true if the stream ended inside an event:
  /// inside a block over the size limit, or inside one that has a field or the start of a field name. A block
  /// without `data` is an `other` item; a comment is not an event.
  [[nodiscard]] bool cut_off() const noexcept { return cut_off_; }

  /// The bytes that were fed and not yet decoded, if they begin an item that does not depend on earlier
  /// bytes: between two items, and not at the start of the stream. Otherwise empty. Invalidates views of the
  /// last item.
  [[nodiscard]] std::string_view unread() noexcept {
    if (given_) drop_block();
    const bool between = kept_.empty() && begin_ == position_ && passing_ == passing::nothing && !at_start_;
    if (!between || position_ == input_.size() || (after_cr_ && input_[position_] == '\n')) return {};
    return input_.substr(position_);
  }

  /// Skips the first \p count bytes of unread(). The caller knows that they are whole events within the size
  /// limit, each perhaps followed by the LF of its CRLF. next() continues after them as if it had returned
  /// them, except that ids in them have no effect. \p before: how many bytes of the first event were put off.
  void skip(std::size_t count, std::size_t before = 0) noexcept {
    position_ += count;
    begin_ = position_;
    offset_ += before + count;
    line_ = 0;
    after_cr_ = input_[position_ - 1] == '\r';
  }

  /// Puts off all of unread(), in which no item may end. The caller keeps these bytes. Later it either feeds
  /// them again before any others, or feeds the bytes that follow and skips the event that begins with the
  /// kept bytes. Until then next() returns false.
  void put_off() noexcept;

  /// The last error, with the offset of its block: \ref errc::event_too_large. It is kept until reset();
  /// decoding continues.
  [[nodiscard]] status error() const noexcept;

  /// Prepares for another stream. Keeps capacity: a warm decoder does not allocate.
  void reset() noexcept;

 private:
  /// What is passing through because it is over the size limit.
  enum class passing : std::uint8_t { nothing, block, comment };
  /// Bytes `[begin, begin + size)` of the block.
  struct range {
    std::size_t begin{};
    std::size_t size{};
  };

  [[nodiscard]] std::string_view block() const noexcept;
  [[nodiscard]] std::size_t line_end() noexcept;
  [[nodiscard]] bool fits(std::size_t more) const noexcept;
  void take(std::size_t count);
  void keep();
  void drop_block() noexcept;
  bool give(sse_item& out, sse_kind kind);
  bool give_block(sse_item& out, sse_kind with_data);
  bool end_of_line(sse_item& out, std::string_view line, std::size_t begin);
  void field(std::string_view line, std::size_t begin);
  bool trip(sse_item& out);
  bool pass(sse_item& out);
  bool left_over(sse_item& out);

  std::size_t max_event_bytes_;
  std::string_view input_;  ///< what was fed last
  std::size_t position_{};  ///< of the next byte in `input_`
  std::size_t begin_{};     ///< of the block in `input_`, if all of it is there
  std::size_t next_lf_{};   ///< first LF in `input_` from `position_` on; npos: not looked up yet
  std::string kept_;        ///< bytes of the block up to `position_`, if it came in several feeds
  std::uint64_t offset_{};  ///< of the block in the stream
  std::size_t line_{};      ///< where the current line starts in the block
  bool at_start_{true};     ///< no line is complete yet: a byte order mark may come
  bool after_cr_{};         ///< the last line ended in CR: an LF here belongs to it
  bool open_{};             ///< the block has a line that is not a comment
  bool given_{};            ///< the bytes of the block belong to the caller until the next call
  bool finished_{};
  bool cut_off_{};  ///< the end of the stream cut off an event
  passing passing_{};
  bool line_has_bytes_{};  ///< while passing: the current line is not blank
  range event_;
  std::optional<range> id_range_;
  std::optional<std::uint64_t> retry_;
  std::vector<sse_item::line> lines_;  ///< the block's `data` lines
  std::size_t data_size_{};            ///< size of all of them, joined
  std::string joined_;
  std::string id_;  ///< the last event id
  status error_;
};

}  // namespace citestream

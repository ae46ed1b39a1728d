/// \file
/// Server-sent events, decoded incrementally (WHATWG HTML, 9.2.6 "Interpreting an event stream").
///
/// The decoder cuts the byte stream into items that, put together, are the stream again: nothing is
/// dropped, so a rewriter can pass on what it does not change. An item is an event with its lines, or bytes
/// that are no event (comments, blank lines, blocks without `data`), or a piece of an event over the bound.
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
  event,         ///< a block with `data`, ended by a blank line: the standard dispatches it
  unterminated,  ///< a block with `data` that the end of the stream cut off: the standard drops it
  other,         ///< bytes that make no event; they pass as they are
  oversize,      ///< a piece of a block over `limits::max_event_bytes`; it passes as it is
};

/// One item of the stream. Every view dies at the next call of next(), feed(), finish() or reset().
struct sse_item {
  sse_kind kind{};         ///< which members are set
  std::string_view raw;    ///< the item's bytes as they came, line ends and blank line included
  std::uint64_t offset{};  ///< of `raw`, in bytes from the start of the stream

  // The rest is set for `event` and `unterminated` only.
  std::string_view data;   ///< the `data` lines joined with LF, without the last one. Not checked for UTF-8
  std::string_view event;  ///< the event's type; empty means "message"
  std::string_view id;     ///< the last event id in force, from this event or an earlier one
  std::optional<std::uint64_t> retry;  ///< milliseconds, where this block has a valid `retry` field
  /// Where `data` lies in `raw` when it came in one line; npos when several lines were joined.
  std::size_t data_offset{std::string_view::npos};

  /// The place in `raw` of the byte `data[position]`, also where `data` was joined from several lines.
  [[nodiscard]] std::size_t raw_offset(std::size_t position) const noexcept;

  /// One `data` line of several: its bytes start at `data` in `data` and at `raw` in `raw`.
  struct line {
    std::size_t data{};  ///< byte of sse_item::data
    std::size_t raw{};   ///< byte of sse_item::raw
  };
  const std::vector<line>* lines{};  ///< set where `data` was joined from several lines
};

/// The incremental decoder. The items are the same for every way of cutting the stream, bytes and offsets
/// included; only `oversize` pieces are cut as the bytes came. Movable, between two items.
class sse_decoder {
 public:
  /// \param max_event_bytes  the bound on one block, or one comment line outside a block, line ends
  ///                         included; at least 4, so that a byte order mark and a byte more fit
  explicit sse_decoder(std::size_t max_event_bytes = limits{}.max_event_bytes);

  /// Gives the next bytes of the stream, cut anywhere. \p bytes is borrowed until next() returns false; feed
  /// again only then.
  void feed(std::string_view bytes);

  /// The next item, or false: feed more, or finish. A complete event, a complete comment line outside a
  /// block and a blank line are given in the call that saw their last byte. CR ends a line at once, without
  /// waiting for the LF that may follow: after a block, a comment or a blank line that LF is always an
  /// `other` item of its own, so the `raw` of an event whose lines end in CRLF ends with the CR.
  [[nodiscard]] bool next(sse_item& out);

  /// The stream has ended: what is left comes out of next() as `unterminated` or `other`.
  void finish() noexcept;

  /// Call after finish(), with the last item or behind it: whether the stream ended inside an event, that is,
  /// inside a block over the bound or one that has a field, perhaps only the start of its name. A block
  /// without `data` is an `other` item; a comment is not an event.
  [[nodiscard]] bool cut_off() const noexcept { return cut_off_; }

  /// The bytes that were fed and not looked at, where they begin an item whose cut depends on nothing that
  /// came before: between two items, not at the start of the stream. Else empty. Views of the last item die.
  [[nodiscard]] std::string_view unread() noexcept {
    if (given_) drop_block();
    const bool between = kept_.empty() && begin_ == position_ && passing_ == passing::nothing && !at_start_;
    if (!between || position_ == input_.size() || (after_cr_ && input_[position_] == '\n')) return {};
    return input_.substr(position_);
  }

  /// Passes over the first \p count of unread(), which the caller knows for whole events, none over the
  /// bound, each perhaps with the LF that ends its CRLF: next() goes on behind them as if it had given them,
  /// except that ids in them are not in force. \p before: that many bytes of the first event were put off.
  void skip(std::size_t count, std::size_t before = 0) noexcept {
    position_ += count;
    begin_ = position_;
    offset_ += before + count;
    line_ = 0;
    after_cr_ = input_[position_ - 1] == '\r';
  }

  /// Passes over all of unread(), in which no item ends, for now: the caller keeps these bytes and either
  /// feeds them again, before any others, or feeds what follows and skips the event that it all begins with.
  /// next() has nothing to give before that.
  void put_off() noexcept;

  /// The last error, with the offset of the block it belongs to: \ref errc::event_too_large. Sticky until
  /// reset(); decoding goes on.
  [[nodiscard]] status error() const noexcept;

  /// Back to the start of a stream. Keeps its capacity: a warm decoder allocates nothing.
  void reset() noexcept;

 private:
  /// Whose bytes are passing because they are too many.
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
  std::size_t begin_{};     ///< of the block in `input_`, where all of it came in one feed
  std::size_t next_lf_{};   ///< the first LF in `input_` from `position_` on as last looked up; npos: not yet
  std::string kept_;        ///< the block's bytes up to `position_`, where it came in several feeds
  std::uint64_t offset_{};  ///< of the block in the stream
  std::size_t line_{};      ///< where the current line starts in the block
  bool at_start_{true};     ///< no line of the stream is complete: a byte order mark may stand here
  bool after_cr_{};         ///< the line before ended in CR: an LF here belongs to it
  bool open_{};             ///< the block has a line that is no comment
  bool given_{};            ///< the block's bytes are the caller's until the next call
  bool finished_{};
  bool cut_off_{};  ///< the end of the stream cut off an event
  passing passing_{};
  bool line_has_bytes_{};  ///< while passing: the current line is not blank
  range event_;
  std::optional<range> id_range_;
  std::optional<std::uint64_t> retry_;
  std::vector<sse_item::line> lines_;  ///< the block's `data` lines
  std::size_t data_size_{};            ///< of all of them, joined
  std::string joined_;
  std::string id_;  ///< the last event id
  status error_;
};

}  // namespace citestream

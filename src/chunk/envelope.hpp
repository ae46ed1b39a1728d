/// \file
/// An event's envelope: the bytes around its texts, learned from an event that was parsed. Where the next
/// event has the same bytes, it need not be parsed.
///
/// Why a match cannot be wrong. Let E be an event that was decoded, parsed and read by a dialect, and F bytes
/// that its envelope matched. F has the fixed bytes of E in order; in each hole it has a valid JSON string
/// body, number or value, as the hole says, of which the parser accepts every one, and no CR and no LF.
/// 1. Lines: every line break and every byte up to a line's value is fixed, as holes lie inside of JSON in
/// the
///    value of one `data` line. So the decoder, between two events and not at the start of the stream, cuts F
///    where it cut E: one event with the same fields, where `data` alone differs, in the holes.
/// 2. JSON: the payload of F is that of E with tokens or values exchanged for valid ones. It is valid;
/// nesting
///    is counted in the holes that can have any; keys, order and kinds are the same, except inside of a hole
///    for any value. So the document of F is that of E, other values in the holes, places moved.
/// 3. Reading: a dialect asks the document, and what it asks next depends on answers alone. A hole for a text
///    is one that the dialect says decides nothing. Into the others nobody looked
///    (`document::unread`), so by induction every question about F is one that was asked about E, and has
///    the same answer. The reading of F is that of E with other texts and places.
/// 4. Mirrors: what must equal the text has the same bytes; what repeats all that came has the bytes of the
///    last event's and then those of the text, so what they stand for is put together likewise.
/// What depends on more than the reading (the state of the choices) is the caller's, who takes a matched
/// event the way of a parsed one, and learns from no event that changed more than texts.
///
/// Bytes that end inside an event: they may be the start of one of this shape (cut()), and resume() goes on
/// with them and more: behind the fixed bytes that were compared, or at the start of the hole that did not
/// end, which it reads again. So what it finds is what match() would find. Where cut() is set, no event ends
/// in these bytes: fixed bytes up to there are those of E, of which none ends before its last byte, and in
/// holes, whole or not, are no CR and no LF.
///
/// \code
///   citestream::envelope envelope(limits.max_json_depth);
///   envelope.learn(event_bytes, holes, 1);
///   if (envelope.match(next_bytes) > 0) use(envelope.texts()[0]);
/// \endcode
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What stands in a hole of an `envelope`.
enum class hole_kind : std::uint8_t {
  text,    ///< the body of a string: a text
  same,    ///< the body of a string: a text again, byte for byte
  grown,   ///< the body of a string: all that has come of a text, byte for byte
  string,  ///< the body of any string
  number,  ///< any number
  value,   ///< any JSON value
};

/// A place that may differ from event to event. `string`, `number` and `value` are fixed until two events are
/// seen to differ there.
struct envelope_hole {
  hole_kind kind{};       ///< what may stand there
  byte_range place;       ///< in the event; a string's without its quotes
  std::uint32_t text{};   ///< for `text`, `same`, `grown`: which text
  std::uint32_t depth{};  ///< for `value`: arrays and objects around it
  const std::string*
      before{};  ///< for `grown`: the body that the event before had here; outlives the envelope
  bool open{};   ///< events were seen to differ here; set by the envelope
};

/// A text of the event that was matched last. Views are of the bytes given.
struct envelope_text {
  std::string_view body;  ///< between the quotes
  bool escaped{};         ///< `body` has escapes: \ref append_unescaped
  std::size_t at{};       ///< where `body` begins in the event
  byte_range token;       ///< in the event, quotes included
  byte_range other;       ///< the same of `same` or `grown`; empty where there is none
};

/// One envelope. Reusable: learning a shape no larger than one before allocates nothing.
class envelope {
 public:
  /// \param max_depth  levels of nesting that a hole for a value may add up to, those around it counted
  explicit envelope(std::size_t max_depth = limits{}.max_json_depth) noexcept : max_depth_(max_depth) {}

  /// Learns from an event, all of its bytes, that was parsed. \p holes: in order of place, apart from each
  /// other; exactly one `text` for each text from 0 to \p texts.
  void learn(std::string_view event, std::span<const envelope_hole> holes, std::size_t texts);

  /// The same where \p event is the event learned last but for its holes, which then open where the two
  /// differ; those that were open stay open. \return whether it is.
  bool adapt(std::string_view event, std::span<const envelope_hole> holes, std::size_t texts);

  /// Whether \p bytes begin with an event of this shape. \return its size, or 0.
  [[nodiscard]] std::size_t match(std::string_view bytes) noexcept;
  /// Whether all of the bytes that match() or resume() had last may be the start of such an event.
  [[nodiscard]] bool cut() const noexcept { return cut_; }
  /// Goes on where cut() is set. \p bytes: the same ones, and further ones behind them, wherever they lie.
  [[nodiscard]] std::size_t resume(std::string_view bytes) noexcept;

  /// The texts of the event that match() found last.
  [[nodiscard]] std::span<const envelope_text> texts() const noexcept { return texts_; }

  /// Puts into \p out where the open holes are in \p event, which matched.
  void locate(std::string_view event, std::vector<byte_range>& out) const;
  /// Where what stood at \p place in the event learned, and cuts no hole, stands in an event whose holes
  /// locate() has given.
  [[nodiscard]] byte_range moved(byte_range place, std::span<const byte_range> located) const noexcept;

  /// Whether events of this shape differ in their texts alone, each with nothing or the same beside it.
  [[nodiscard]] bool uniform() const noexcept { return uniform_; }
  /// The event learned last.
  [[nodiscard]] std::string_view event() const noexcept { return event_; }

 private:
  /// A stretch of fixed bytes and the hole behind it; behind the last one there is none.
  struct part {
    std::uint32_t fixed{};  ///< where it begins in `event_`
    std::uint32_t size{};
    std::uint32_t hole{};  ///< in `holes_`
    std::uint32_t text{};  ///< which one, where it is of a text
    hole_kind kind{};
    bool first{};  ///< of its text
  };
  /// What a part is made of, in order.
  enum class piece : std::uint8_t {
    fixed,   ///< its fixed bytes
    before,  ///< in a hole for what has grown: what stood there
    hole,
  };
  /// How far a match has come.
  struct progress {
    std::size_t at{};        ///< in the event: where the piece under way begins
    std::size_t compared{};  ///< its bytes that stand there, where it is known
    std::uint32_t part{};
    piece next{};
  };
  void build(std::size_t texts);
  [[nodiscard]] std::size_t run(std::string_view bytes, std::size_t begin_at, std::size_t part_at,
                                piece next) noexcept;
  [[nodiscard]] std::size_t stop(const part& one, piece which, const char* at,
                                 std::string_view bytes) noexcept;
  void pass(std::string_view whole) noexcept;
  [[nodiscard]] std::optional<std::string_view> expected(const part& one, piece which) const noexcept;
  [[nodiscard]] const char* fill(const part& one, const char* at, const char* end) const noexcept;
  [[nodiscard]] const char* fill_text(const part& one, const char* at, const char* end) noexcept;
  [[nodiscard]] std::size_t moved(std::size_t position, std::span<const byte_range> located) const noexcept;
  [[nodiscard]] bool like(std::string_view event, std::span<const envelope_hole> holes) const noexcept;

  std::size_t max_depth_;
  std::string event_;
  std::vector<envelope_hole> holes_;
  std::vector<part> parts_;
  bool uniform_{};
  bool cut_{};
  progress progress_;  ///< where `cut_` is set
  std::vector<envelope_text> texts_;
};

/// Appends what the body of a valid JSON string stands for.
void append_unescaped(std::string_view body, std::string& out);

}  // namespace citestream

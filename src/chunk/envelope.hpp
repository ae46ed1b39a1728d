/// \file
/// The envelope of an event: the bytes around its texts, learned from an event that was parsed. An event with
/// the same bytes there need not be parsed.
///
/// Why a match gives the same result as a parse. Let E be an event that was decoded, parsed and read by a
/// dialect, and let its envelope match the bytes F. F contains the fixed bytes of E in the same order. In
/// each hole, F has a valid JSON string body, number or value, whichever the hole allows; the parser accepts
/// every one of them, and none contains CR or LF.
/// 1. Lines. Holes are inside the JSON in the value of one `data` line, so all line breaks and everything up
///    to that value are fixed. The decoder divides F exactly as it divided E (between two events, and not at
///    the start of the stream). The result is one event with the same fields, except that `data` differs in
///    the holes.
/// 2. JSON. The payload of F is that of E with some tokens or values replaced by valid ones, so it is valid.
///    Nesting is checked in the holes that may contain any value. Keys, order and kinds are the same, except
///    inside such holes. So the document of F is that of E with other values in the holes.
/// 3. Reading. A dialect queries the document, and each query depends only on the results of earlier ones.
///    The text in a text hole decides nothing (choice_event::independent_of_text). The other holes were never
///    read (document::unread). By induction, every query on F was also made on E and gives the same result.
///    So the content of F is that of E with other texts and positions.
/// 4. Repeats. A `same` hole has the bytes of the text. A `grown` hole has the bytes it had in the last
///    event, followed by those of the text. Their unescaped values follow from that.
///
/// The state of the choices is not part of this proof. The caller treats a matched event like a parsed one,
/// and learns from no event that changed more than texts.
///
/// If the bytes end inside an event, they may be the start of one with this envelope (envelope_match::cut).
/// resume() then continues with more bytes, either after the fixed bytes already compared or at the start of
/// the incomplete hole, which it reads again. It therefore returns what match() would. If `cut` is set, no
/// event ends in these bytes: the fixed bytes are a proper prefix of E, and holes contain no CR and no LF.
///
/// \code
///   citestream::envelope envelope(limits.max_json_depth);
///   envelope.learn(event_bytes, holes, 1);
///   if (envelope.match(next_bytes).size > 0) use(envelope.texts()[0]);
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

/// What a hole may contain.
enum class hole_kind : std::uint8_t {
  text,    ///< the body of a string: a text of the answer
  same,    ///< the body of a string: the same bytes as the text
  grown,   ///< the body of a string: all bytes of the text so far
  string,  ///< the body of any string
  number,  ///< any number
  value,   ///< any JSON value
};

/// A range that may differ from event to event. A `string`, `number` or `value` is treated as fixed until two
/// events differ there.
struct envelope_hole {
  hole_kind kind{};             ///< what the hole may contain
  byte_range place;             ///< in the event; for strings without the quotes
  std::uint32_t text{};         ///< for `text`, `same` and `grown`: the number of the text
  std::uint32_t depth{};        ///< for `value`: nesting depth of the hole
  const std::string* before{};  ///< for `grown`: what the event before had here; must outlive the envelope
  bool open{};                  ///< events differ here; set by the envelope
};

/// A text of the event that matched last. Views point into the bytes given.
struct envelope_text {
  std::string_view body;  ///< between the quotes
  bool escaped{};         ///< `body` contains escapes: see json_scan::append_unescaped()
  byte_range token;       ///< in the event, quotes included
  byte_range other;       ///< the same for `same` or `grown`; may be empty
};

/// The result of a comparison.
struct envelope_match {
  std::size_t size{};  ///< of the event at the start of the bytes; 0: it does not match
  bool cut{};          ///< if `size` is 0: the bytes may be the incomplete start of a matching event
};

/// One envelope. Reusable: learning an event that is no larger than an earlier one does not allocate.
class envelope {
 public:
  /// \param max_depth  maximum nesting depth of a value in a hole, including what is around the hole
  explicit envelope(std::size_t max_depth = limits{}.max_json_depth) noexcept : max_depth_(max_depth) {}

  /// Returns true if a hole may contain what it has in \p event. Longer numbers and deeper values than
  /// json_scan reads are not found again, so an event with one must not be learned.
  [[nodiscard]] static bool fits(const envelope_hole& hole, std::string_view event,
                                 std::size_t max_depth) noexcept;

  /// Learns an event that was parsed. \p event: all of its bytes. \p holes: in order and not adjacent, with
  /// exactly one `text` hole for each text from 0 to \p texts - 1. fits() is true for each.
  void learn(std::string_view event, std::span<const envelope_hole> holes, std::size_t texts);

  /// If \p event has the same fixed bytes and holes as the event learned last, opens those holes in which the
  /// two differ, and returns true. Open holes stay open.
  bool adapt(std::string_view event, std::span<const envelope_hole> holes, std::size_t texts);

  /// Compares the event at the start of \p bytes.
  [[nodiscard]] envelope_match match(std::string_view bytes) noexcept;
  /// Continues the last comparison, if its result was `cut`; otherwise nothing matches. \p bytes: the same
  /// bytes followed by more, possibly at another address.
  [[nodiscard]] envelope_match resume(std::string_view bytes) noexcept;

  /// The texts of the event that matched last.
  [[nodiscard]] std::span<const envelope_text> texts() const noexcept { return texts_; }

  /// Sets \p out to the ranges of the open holes in \p event, which must match.
  void locate(std::string_view event, std::vector<byte_range>& out) const;
  /// Converts a range of the learned event to one of an event whose holes are \p located. The range must not
  /// partly overlap a hole.
  [[nodiscard]] byte_range moved(byte_range place, std::span<const byte_range> located) const noexcept;

  /// Returns true if matching events differ only in one text and its `same` repeat.
  [[nodiscard]] bool uniform() const noexcept { return uniform_; }
  /// The event learned last.
  [[nodiscard]] std::string_view event() const noexcept { return event_; }

 private:
  /// A range of fixed bytes and the hole after it. The last part has no hole.
  struct part {
    std::uint32_t fixed{};  ///< where it begins in `event_`
    std::uint32_t size{};
    std::uint32_t hole{};  ///< in `holes_`
    std::uint32_t text{};  ///< number of the text, if the hole is for one
    hole_kind kind{};
    bool first{};  ///< the first hole of its text
  };
  /// The pieces of a part, in order.
  enum class piece : std::uint8_t {
    fixed,   ///< its fixed bytes
    before,  ///< in a `grown` hole: what it had in the event before
    hole,
  };
  /// How far a match has come.
  struct progress {
    std::size_t at{};        ///< where the current piece begins in the event
    std::size_t compared{};  ///< how many of its bytes are compared, if they are known
    std::uint32_t part{};
    piece next{};
  };
  void build(std::size_t texts);
  [[nodiscard]] envelope_match run(std::string_view bytes, std::size_t begin_at, std::size_t part_at,
                                   piece next) noexcept;
  [[nodiscard]] envelope_match stop(const part& one, piece which, const char* at,
                                    std::string_view bytes) noexcept;
  void pass(progress& now, std::string_view whole) const noexcept;
  [[nodiscard]] std::optional<std::string_view> expected(const part& one, piece which) const noexcept;
  [[nodiscard]] const char* fill(const part& one, const char* at, const char* end) const noexcept;
  [[nodiscard]] std::size_t moved(std::size_t position, std::span<const byte_range> located) const noexcept;
  [[nodiscard]] bool like(std::string_view event, std::span<const envelope_hole> holes) const noexcept;

  std::size_t max_depth_;
  std::string event_;
  std::vector<envelope_hole> holes_;
  std::vector<part> parts_;
  bool uniform_{};
  std::optional<progress> progress_;  ///< of the last comparison, if its result was `cut`
  std::vector<envelope_text> texts_;
};

}  // namespace citestream

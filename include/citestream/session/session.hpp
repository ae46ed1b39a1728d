/// \file
/// A session rewrites the stream of one answer: it cleans the text and adds citations.
///
/// The framing of a stream is recognised from its first bytes: server-sent events, NDJSON (one event on each
/// line), one JSON array whose elements are the events, or the binary messages of AWS.
///
/// \code
///   citestream::session session(options);
///   std::string out;
///   while (read(bytes)) {
///     if (auto error = session.write(bytes, out)) note(error);  // of an event that passes through unchanged
///     send(out);                                                // everything that can be released so far
///     out.clear();
///   }
///   if (auto error = session.finish(out)) note(error);          // the stream was cut off
///   send(out);
/// \endcode
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// Counters of one session since its start or reset().
struct session_statistics {
  std::uint64_t events{};       ///< events received, including `[DONE]`
  std::uint64_t deltas{};       ///< text deltas; an event has one for each of its choices or parts
  std::uint64_t known_shape{};  ///< events recognised by the shape of an earlier one, not parsed
  std::uint64_t bytes_in{};     ///< size of the stream or body
  std::uint64_t held{};         ///< bytes of text held back now, in all texts of all choices
  std::uint64_t held_max{};     ///< maximum of bytes held back at once in one text
  std::uint64_t abandoned{};    ///< how often held text was released because of the limit
  /// Events and bodies that passed through unread (malformed, too large, no known dialect), and events of
  /// choices or texts over the limits.
  std::uint64_t passed_through{};
  std::uint64_t resolved{};    ///< resolved citations of markers
  std::uint64_t unresolved{};  ///< unresolved citations
  std::uint64_t pending{};     ///< citations whose references may still arrive
  std::uint64_t native{};      ///< resolved citations that only the provider has made; not in those above
  /// Repeats and annotations of the provider that do not match the text; they pass through unchanged.
  std::uint64_t unconverted{};
  verdict_counts verdicts{};  ///< resolved citations whose claim was checked (\ref session_options::check)
  std::uint64_t egress{};     ///< URLs that egress recorded; made inert if egress is enforced
};

/// The kind of a typed event.
enum class session_event_type : std::uint8_t {
  text,      ///< text of a choice, in the chosen style
  citation,  ///< a marker was found and has its position; its references may still be missing
  /// The complete record of a citation. A citation that only the provider has made has no `citation` event
  /// before it. One whose reference arrives after the end of its choice has a second record.
  resolved,
  end,  ///< a choice has ended
};

/// A typed event. Views and pointers are valid until the next call of next(), write(), finish() or reset().
///
/// The events of a choice are in the order of its text: a citation follows exactly the text up to
/// `record->end`. Exception: a style that leaves the text unchanged (`keep`) releases the text of a marker
/// before the marker is recognised. Its citation may then follow later; its position is in text already
/// given.
struct session_event {
  session_event_type type{};           ///< decides which of the members below are set
  std::uint32_t choice{};              ///< its `index` in the payloads
  std::optional<std::uint64_t> delta;  ///< the delta, counted from 0, that released this; none at the end
  std::string_view text;               ///< for `text`
  const citation* record{};            ///< for `citation` and `resolved`: as it was when the event happened
  std::string_view label;              ///< for `citation`: the label in its record
  std::string_view identifier;         ///< the same
  /// For `citation`: the comparison of its claim, if its references were known before the text. Null
  /// otherwise; the record of the `resolved` event has it.
  const claim_finding* finding{};
  const citations* cites{};                   ///< all citations and references of the choice, as they are now
  std::string_view finish_reason;             ///< for `end`; empty if the stream had none
  std::span<const std::uint32_t> unresolved;  ///< for `end`: \ref citations::unresolved at that time
  std::span<const std::uint32_t> uncited;     ///< for `end`: \ref citations::uncited at that time
  std::span<const egress_record> egress;      ///< for `end`: what egress recorded
};

/// How a stream ended.
enum class stream_end : std::uint8_t {
  complete,  ///< the transport confirms that all bytes have arrived
  aborted,   ///< it was cut off: reset, timeout, missing last chunk
};

struct session_memory;

/// Memory that a session needs only during a call. Sessions of one thread can share it:
/// `workspace space; session one(options, &space); session other(options, &space);`
///
/// It holds about 120 KiB after use, more for larger payloads. A session without a workspace allocates its
/// own. Sessions that share one must not be called at the same time, and it must outlive them. No session can
/// see data of another one in it.
class workspace {
 public:
  workspace();
  ~workspace();
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;

  /// Forgets its memory without freeing it, after a call that has not returned (a trap in WebAssembly). The
  /// session of that call cannot be used again; others that share the workspace can.
  void abandon();

 private:
  friend class session;
  std::unique_ptr<session_memory> memory_;
};

/// Movable; one thread at a time. Reusable with reset(), which keeps most of its memory.
class session {
 public:
  /// \param shared  memory shared with other sessions; null: the session has its own
  explicit session(session_options options = {}, workspace* shared = nullptr);
  ~session();
  session(session&&) noexcept;             ///< the moved-from object can only be assigned to or destroyed
  session& operator=(session&&) noexcept;  ///< the same

  /// Takes the next bytes of the stream, which may end anywhere, and appends the output to \p out.
  /// Every complete event is written in this call. An error concerns a single event, which passes through
  /// unchanged. The last error is returned, and the stream continues.
  status write(std::string_view bytes, std::string& out);

  /// Ends the stream and appends what was held back. If the stream is incomplete, returns
  /// `errc::upstream_incomplete` and appends an error event with \p message and \p code in the form of the
  /// dialect, unless the upstream sent an error itself or the format of the stream is unknown. The caller
  /// then closes the connection without ending the body.
  ///
  /// A stream is complete if `[DONE]` was received. Otherwise it is incomplete if it was aborted, if it ended
  /// before every choice had finished, or if it ended inside an event. The bytes of such an unfinished event
  /// are dropped: the standard tells clients to ignore them, and a client that parses each line would fail
  /// there instead of reporting the error that follows. (Bytes of an event over the size limit have already
  /// been sent.) A last event that lacks only its blank line or line end is complete if its data is a whole
  /// JSON text. If the last event could not be read (over a limit, half a surrogate pair), it is taken for
  /// the one that ends the answer.
  status finish(std::string& out, stream_end how = stream_end::complete, std::string_view message = {},
                std::string_view code = {});

  /// Rewrites one JSON body that is not a stream, and appends it to \p out. If the body is not JSON, it is
  /// appended unchanged and an error is returned. A body that is blank or ends inside a value is truncated:
  /// the error is `errc::upstream_incomplete`. If no dialect recognises the body, it is appended unchanged
  /// and counted in session_statistics::passed_through; that is not an error.
  status rewrite_body(std::string_view body, std::string& out);

  /// Returns the next typed event, in order. Needs `options.typed_events`.
  [[nodiscard]] bool next(session_event& out);

  /// Counters so far. Citations are counted by their present status. Takes time linear in the number of
  /// choices.
  [[nodiscard]] session_statistics statistics() const noexcept;
  /// Returns true if the upstream ended the answer with an error of its own (`event: error`, or an error in
  /// the payload). finish() then appends no error event. It still returns `errc::upstream_incomplete` if the
  /// stream was aborted or ended inside an event.
  [[nodiscard]] bool upstream_error() const noexcept;
  /// Returns true if an added event is a server-sent event: the stream has begun as such, or too little has
  /// arrived to tell.
  [[nodiscard]] bool writes_sse() const noexcept;
  /// The dialect recognised so far, or null.
  [[nodiscard]] const dialect* recognised() const noexcept;
  /// Number of choices seen so far.
  [[nodiscard]] std::size_t choices() const noexcept;
  /// The `index` of a choice. \p place: its number in order of first appearance, less than choices().
  [[nodiscard]] std::uint32_t choice(std::size_t place) const noexcept;
  /// The citations of a choice. \p place: as for choice().
  [[nodiscard]] const citations& cites(std::size_t place) const noexcept;
  /// What egress recorded in the text of a choice (\ref answer::egress). \p place: as for choice().
  [[nodiscard]] std::span<const egress_record> egress(std::size_t place) const noexcept;

  /// Prepares for another stream; keeps options and capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream

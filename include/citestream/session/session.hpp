/// \file
/// A session rewrites the event stream of one chat completion: clean text, and citations added.
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

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// Counters of one session since its start or reset().
struct session_statistics {
  std::uint64_t events{};          ///< SSE events that arrived, `[DONE]` included
  std::uint64_t deltas{};          ///< text deltas among them
  std::uint64_t enveloped{};       ///< events read by the shape of an earlier one, without a parser
  std::uint64_t bytes_in{};        ///< of the stream, or of the body
  std::uint64_t held{};            ///< bytes of text withheld now, all choices
  std::uint64_t held_max{};        ///< bytes of text withheld at most at once in one choice
  std::uint64_t abandoned{};       ///< times that the bound let withheld text go
  std::uint64_t passed_through{};  ///< events that passed unread: malformed, too large, of no known dialect
  std::uint64_t resolved{};        ///< citations by status
  std::uint64_t unresolved{};      ///< the same
  std::uint64_t pending{};         ///< the same: references may still come
  std::uint64_t egress{};          ///< addresses that the egress guard found, made inert where it enforces
};

/// The kind of a typed event.
enum class session_event_type : std::uint8_t {
  text,      ///< text of a choice, in the chosen style
  citation,  ///< a marker was found and has its position; its references may still be unknown
  resolved,  ///< a citation's complete record, after references have arrived or the answer has ended
  end,       ///< a choice has ended
};

/// A typed event. Views and pointers die at the next call of next(), write(), finish() or reset().
struct session_event {
  session_event_type type{};  ///< decides which of the members below are set
  std::uint32_t choice{};     ///< its `index` in the payloads
  std::optional<std::uint64_t>
      delta;                       ///< the text delta, from 0, whose arrival released this; none at the end
  std::string_view text;           ///< for `text`
  const citation* record{};        ///< for `citation` and `resolved`
  std::string_view label;          ///< for `citation`: the label in its record at that time
  std::string_view identifier;     ///< the same
  const citations* cites{};        ///< all citations and references of the choice
  std::string_view finish_reason;  ///< for `end`; empty if the stream had none
  std::span<const egress_record> egress;  ///< for `end`: what the egress guard found
};

/// How a stream came to its end.
enum class stream_end : std::uint8_t {
  complete,  ///< the transport confirms that all bytes have arrived
  aborted,   ///< it was cut off: reset, timeout, missing last chunk
};

struct session_memory;

/// Memory that a session needs only while it is called, for the sessions of one thread to share:
/// `workspace space; session one(options, &space); session other(options, &space);`
///
/// About 120 KiB once used, more for larger payloads. A session without one allocates its own. Sessions that
/// share a workspace must not be called at the same time. It must outlive them. No session sees data of
/// another one in it.
class workspace {
 public:
  workspace();
  ~workspace();
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;

 private:
  friend class session;
  std::unique_ptr<session_memory> memory_;
};

/// Movable; one thread at a time. Reusable with reset(); a reused session allocates only for new maxima.
class session {
 public:
  /// \param shared  memory that this session and others use in turn; null: the session has its own
  explicit session(session_options options = {}, workspace* shared = nullptr);
  ~session();
  session(session&&) noexcept;             ///< the moved-from object can only be assigned to or destroyed
  session& operator=(session&&) noexcept;  ///< the same

  /// Takes the next bytes of the event stream, cut anywhere, and appends the output to \p out. Every complete
  /// event is written in this call. An error concerns a single event, which passes through unchanged; the
  /// last error is returned, and the stream continues.
  status write(std::string_view bytes, std::string& out);

  /// The stream has ended. Appends what was withheld. If the stream is incomplete, also appends
  /// `event: error` with \p message and \p code, and returns `errc::upstream_incomplete`: the caller then
  /// closes the connection without ending the body.
  ///
  /// A stream is incomplete if `[DONE]` has not come and it was aborted, ended inside an answer (a choice has
  /// no finish), or ended inside an event, of whatever form. The bytes of such an unfinished event are
  /// dropped: the standard has clients ignore them, and a client that parses each line would fail there
  /// instead of reporting the error that follows. (Bytes of an event over the bound have been sent by then.)
  /// A last event that lacks only its blank line is not unfinished: its `data` is a whole JSON text.
  status finish(std::string& out, stream_end how = stream_end::complete, std::string_view message = {},
                std::string_view code = {});

  /// Rewrites one non-streaming JSON body instead of a stream; appends to \p out. A body that no dialect
  /// knows, or that is not JSON, is appended unchanged, with the error. A body that ends inside a string, an
  /// object or an array is truncated: the error is `errc::upstream_incomplete`.
  status rewrite_body(std::string_view body, std::string& out);

  /// The next typed event, in order; needs `options.typed_events`.
  [[nodiscard]] bool next(session_event& out);

  /// Counters so far; citations are counted by their present status. Linear in the choices.
  [[nodiscard]] session_statistics statistics() const noexcept;
  /// Whether the stream ended its answer with an error of its own (`event: error`, or an error in the
  /// payload). finish() then treats the answer as complete.
  [[nodiscard]] bool upstream_error() const noexcept;
  /// The dialect recognised so far, or null.
  [[nodiscard]] const dialect* recognised() const noexcept;
  /// Choices seen so far.
  [[nodiscard]] std::size_t choices() const noexcept;
  /// The `index` of the choice at that place in order of first appearance.
  [[nodiscard]] std::uint32_t choice(std::size_t place) const;
  /// The citations of the choice at that place in order of first appearance.
  [[nodiscard]] const citations& cites(std::size_t place) const;

  /// What the egress guard found in that choice's text (\ref answer::egress).
  [[nodiscard]] std::span<const egress_record> egress(std::size_t place) const;

  /// Prepares for another stream; keeps options and capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream

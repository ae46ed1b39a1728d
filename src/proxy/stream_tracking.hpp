/// \file
/// What the relay keeps track of while it rewrites a stream: measurements, citation records that the client
/// has not received yet, and whether an event is open.
#pragma once

#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "metrics.hpp"
#include "request_facts.hpp"

namespace citestream {

/// Finds the places in an outgoing event stream where a comment can be inserted. The stream may be cut
/// anywhere, except inside `data: [DONE]`; lines end with LF, CR or CRLF.
class event_gap {
 public:
  void feed(std::string_view sent) noexcept;
  /// Returns true if no event is open: the last line is complete, and there were only comments since the last
  /// blank line. Returns false after `data: [DONE]`: nothing follows it.
  [[nodiscard]] bool between_events() const noexcept { return state_ == state::between; }

 private:
  enum class state {
    between,  ///< at the start of a line, no event open
    comment,  ///< inside a comment, no event open
    line,     ///< inside a line of an event
    event,    ///< at the start of a line, an event open
    done,     ///< after `[DONE]`
  };
  void end_line() noexcept;

  state state_{state::between};
  bool after_cr_{};
};

/// Measures one rewritten response, which is running from its constructor to its destructor. The destructor
/// records the final numbers of the session.
class stream_meter {
 public:
  using clock = request_facts::clock;

  stream_meter(const session& rewriter, request_facts& facts, proxy_metrics& metrics);
  ~stream_meter();
  stream_meter(const stream_meter&) = delete;
  stream_meter& operator=(const stream_meter&) = delete;

  /// \p bytes arrived at \p when and were given to the session, which returned \p result.
  void rewritten(std::string_view bytes, const status& result, clock::time_point when);
  /// The output for these bytes was written at \p when. \p taken: false if the client has disconnected.
  void sent(clock::time_point when, bool taken);

 private:
  void end_hold(clock::time_point when);
  void count_events(bool taken);
  void note_first_text(clock::time_point when);

  const session& rewriter_;
  request_facts& facts_;
  proxy_metrics& metrics_;
  std::optional<clock::time_point> arrived_at_;  ///< of the input whose output is not written yet
  std::optional<clock::time_point> held_since_;
  int looked_for_model_{};
  std::uint64_t counted_events_{};  ///< sent or dropped
  std::uint64_t passed_{};          ///< events that the session has passed unread
};

/// Memory of the citation records whose text the client has not acknowledged. A marker of three bytes makes a
/// record of some hundred, so records count like unsent bytes. Otherwise a client that reads nothing could
/// let them grow.
class unread_records {
 public:
  /// Bytes from which upstream is not read until the client has read more.
  static constexpr std::uint64_t max_bytes = 96 * 1024;

  explicit unread_records(const session& rewriter) noexcept : rewriter_(rewriter) {}

  /// Counts the records that the session has made since the last call.
  void count_new();
  /// \p written bytes were given to the client's socket so far; it has not acknowledged the last
  /// \p unacknowledged of them.
  void note_written(std::uint64_t written, std::uint64_t unacknowledged) noexcept;
  [[nodiscard]] std::uint64_t bytes() const noexcept { return made_ - read_; }

 private:
  const session& rewriter_;
  std::vector<std::size_t> counted_;  ///< records, by choice
  std::uint64_t made_{};              ///< bytes of all records
  std::uint64_t read_{};              ///< of them, those that are known to be read
  std::uint64_t mark_written_{};      ///< sent bytes after which `mark_made_` bytes of records count as read
  std::uint64_t mark_made_{};         ///< see `mark_written_`
};

/// Takes complete lines from the front of \p bytes, about a kilobyte: few enough that the records they can
/// make are soon counted.
[[nodiscard]] std::string_view take_lines(std::string_view& bytes) noexcept;

}  // namespace citestream

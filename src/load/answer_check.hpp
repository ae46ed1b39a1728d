/// \file
/// Reads an answer as it comes and says what is wrong with it.
#pragma once

#include <citestream/session/session.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fault.hpp"
#include "request.hpp"
#include "sse/decoder.hpp"
#include "tally.hpp"

namespace citestream::load {

/// What an answer's body is.
enum class body_form : std::uint8_t {
  events,
  json,
  unread,  ///< of another kind, or of an answer that is wrong already: only its end matters
};

struct check_options {
  /// Which markers are looked for, whose payloads these are, and the bounds; its style and additions do not
  /// matter.
  session_options reading;
  bool markers_allowed{};  ///< raw markers in the text are no fault
  /// Of every so many answers the first has its payloads read; of the others the framing is checked: HTTP,
  /// SSE.
  std::uint64_t read_every{1};
};

/// Checks one answer after the other; warm, it allocates only for new maxima. An event stream is held against
/// the standard and RFC 8259 by the library itself, and its text is scanned for markers; nothing of it is
/// kept.
class answer_check {
 public:
  answer_check(const check_options& options, tally& counts);

  /// The head has come. \p asked lives until finish().
  void begin(const request& asked, body_form form, clock::time_point sent);
  /// Bytes of the body that came together at \p arrived.
  void feed(std::string_view bytes, clock::time_point arrived);
  /// The body has ended, well or not.
  void finish(bool whole);
  /// Notes a fault, in words; the first of its kind counts.
  void note(fault kind, std::string detail);

  /// Adds this answer's faults to the tally. \return whether there were any. Ready for the next answer.
  bool settle();

 private:
  void read_items(clock::time_point arrived);
  void read_session();
  void note_status(const status& result);
  void check_text(std::string_view text);

  tally& counts_;
  bool markers_allowed_;
  std::uint64_t read_every_;
  body_form form_{body_form::unread};
  bool read_payloads_{};
  const request* asked_{};
  sse_decoder decoder_;
  session session_;
  std::string rewritten_;  ///< what the session would send on: not looked at
  std::string body_;       ///< a JSON body so far
  std::size_t max_body_bytes_;
  std::size_t expected_{};  ///< bytes of the expected text that have come
  bool differs_{};
  std::size_t events_{};  ///< in the answer
  clock::time_point sent_;
  std::optional<clock::time_point> last_arrival_;  ///< of an event
  std::optional<clock::time_point> send_time_;     ///< of the event to come
  std::array<std::optional<std::string>, fault_kinds> faults_;
};

}  // namespace citestream::load

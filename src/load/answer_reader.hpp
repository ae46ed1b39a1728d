/// \file
/// Reads an answer as it arrives and reports what is wrong with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "event_splitter.hpp"
#include "fault.hpp"
#include "raw_markers.hpp"
#include "request.hpp"
#include "tally.hpp"

namespace citestream::load {

/// What an answer's body is.
enum class body_form : std::uint8_t {
  events,
  json,
  unread,  ///< of another kind, or of an answer that is wrong already: only its end matters
};

struct check_options {
  marker_options markers;  ///< what counts as a raw marker
  bool markers_allowed{};  ///< raw markers in the text are not a fault
  std::uint64_t read_every{
      1};  ///< the payloads of every so many answers are read; of the others HTTP and SSE
};

/// Checks one answer after another. It reads event streams and JSON with code of its own, so it can judge the
/// library. The text of an answer is kept until its end.
class answer_reader {
 public:
  answer_reader(const check_options& options, tally& counts);

  /// The head has come. \p asked lives until finish().
  void begin(const request& asked, body_form form, clock::time_point sent);
  /// Bytes of the body that came together at \p arrived.
  void feed(std::string_view bytes, clock::time_point arrived);
  /// The body has ended; \p whole: as HTTP demands.
  void finish(bool whole);
  /// Records a fault, in words; the first of its kind counts.
  void note(fault kind, std::string detail);

  /// Adds this answer's faults to the tally. Returns whether there were any. Ready for the next answer.
  bool settle();

 private:
  /// What is known of one choice of the answer.
  struct choice {
    std::string text;
    bool finished{};
  };

  void read_items(clock::time_point arrived);
  void count_events(std::size_t events, clock::time_point arrived);
  void take_event(const stream_item& event);
  void take_last_event();
  void take_payload(std::string_view payload);
  void check_whole();
  void check_markers();
  void check_text();

  tally& counts_;
  const check_options& options_;
  body_form form_{body_form::unread};
  bool read_payloads_{};
  const request* asked_{};
  event_splitter splitter_;
  std::string body_;  ///< a JSON body so far
  std::map<std::uint64_t, choice> choices_;
  std::string dialect_;  ///< as recognised from a payload; empty: not yet
  std::size_t text_bytes_{};
  std::size_t events_{};  ///< in the answer
  bool ended_{};          ///< `[DONE]` or an error has come
  clock::time_point sent_;
  std::optional<clock::time_point> last_arrival_;  ///< of an event
  std::optional<clock::time_point> send_time_;     ///< of the event to come
  std::array<std::optional<std::string>, fault_kinds> faults_;
};

}  // namespace citestream::load

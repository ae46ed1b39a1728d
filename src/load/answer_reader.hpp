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
#include "message_splitter.hpp"
#include "raw_markers.hpp"
#include "request.hpp"
#include "tally.hpp"

namespace citestream::load {

/// The form of an answer's body.
enum class body_form : std::uint8_t {
  events,
  lines,     ///< a stream of NDJSON
  messages,  ///< a stream of binary messages
  json,
  unread,  ///< another form, or the answer already has a fault: only the end of the body matters
};

/// Options of the checks.
struct check_options {
  marker_options markers;  ///< what counts as a raw marker
  bool markers_allowed{};  ///< raw markers in the text are not a fault
  /// Reads the payloads of every Nth answer. Of the others, only HTTP and framing are checked.
  std::uint64_t read_every{1};
};

/// Checks one answer after another. Reads event streams and JSON with code of its own, so it can check the
/// library. Keeps the text of an answer until its end.
class answer_reader {
 public:
  answer_reader(const check_options& options, tally& counts);

  /// Starts an answer whose head has arrived. \p sent_request must stay valid until finish().
  void begin(const request& sent_request, body_form form, clock::time_point sent);
  /// Reads bytes of the body that arrived together at \p arrived.
  void feed(std::string_view bytes, clock::time_point arrived);
  /// Ends the body. \p whole: it is complete according to HTTP.
  void finish(bool whole);
  /// Records a fault with a description. Only the first of each kind is kept.
  void note(fault kind, std::string detail);

  /// Adds this answer's faults to the tally and prepares for the next answer. \return true if there were any
  bool settle();

 private:
  struct choice {
    std::string text;
    bool finished{};
  };
  /// What has arrived of one answer.
  struct progress {
    const request* sent_request{};
    body_form form{body_form::unread};
    bool read_payloads{};
    std::string body;  ///< a JSON body so far
    std::map<std::uint64_t, choice> choices;
    std::string dialect;  ///< recognised from a payload; empty until then
    std::size_t text_bytes{};
    std::size_t events{};
    bool ended{};  ///< `[DONE]` or an error has arrived
    clock::time_point sent;
    std::optional<clock::time_point> last_arrival;  ///< of an event
    std::optional<clock::time_point> send_time;     ///< of the next event

    [[nodiscard]] bool streams() const noexcept {
      return form == body_form::events || form == body_form::lines || form == body_form::messages;
    }
  };

  [[nodiscard]] bool next_item(stream_item& out) {
    return answer_.form == body_form::messages ? messages_.next(out) : splitter_.next(out);
  }
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
  event_splitter splitter_;
  message_splitter messages_;
  progress answer_;
  std::array<std::optional<std::string>, fault_kinds> faults_;
};

}  // namespace citestream::load

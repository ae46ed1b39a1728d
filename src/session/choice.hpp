/// \file
/// The state of one choice of a stream.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/answer.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "event_template.hpp"
#include "text_order.hpp"

namespace citestream {

/// How far a choice has come.
enum class choice_phase : std::uint8_t {
  open,
  finished,  ///< its finish event has come
  settled,   ///< its citations are resolved
};

/// Whether references that the citations of a choice may need have arrived.
enum class reference_state : std::uint8_t {
  unknown,  ///< none have arrived
  awaited,  ///< none have arrived, and a citation may need them
  known,    ///< some have arrived, or were known before the answer
};

/// Whether our list of annotations of a choice has been sent.
enum class annotation_state : std::uint8_t {
  none,
  due,  ///< to be sent in the next event with a place for it
  sent,
};

struct choice_annotations {
  annotation_state state{annotation_state::none};
  std::string held;              ///< the provider's, comma-separated, with positions in the received text
  std::set<std::string> places;  ///< pages and positions of those, each once
  std::set<std::string> pages;   ///< normalized URLs of the annotations sent so far with a title

  /// Annotations of these pages have been sent. Pages over `max_bytes` in all are not remembered.
  void note_sent(const std::set<std::string>& sent, std::size_t max_bytes);

 private:
  std::size_t page_bytes_{};
};

/// For a choice whose events repeat all of its text: the text received and the text sent.
class repeated_text {
 public:
  /// Returns true if events of the choice repeat its text.
  [[nodiscard]] bool on() const noexcept { return on_; }
  /// From now on, events repeat the text. `received`, `sent`: all text so far.
  void start(std::string_view received = {}, std::string_view sent = {});

  /// Adds received text.
  void arrive(std::string_view more) noexcept;
  /// Returns true if `all` is the text received so far. `grown`: texts of the same size are known to be
  /// equal.
  [[nodiscard]] bool is_all(std::string_view all, bool grown) const noexcept;
  /// Adds sent text.
  void send(std::string_view released);

  [[nodiscard]] const std::string& sent() const noexcept { return sent_; }
  [[nodiscard]] const std::string& sent_json() const noexcept { return sent_json_; }

  /// The last repeat was not equal to the text received.
  bool differs{};

  void reset() noexcept;

 private:
  bool on_{};
  std::uint64_t arrived_{};       ///< size of the received text
  std::uint64_t arrived_hash_{};  ///< its hash
  std::string sent_;
  std::string sent_json_{"\"\""};  ///< the same as a JSON string
};

/// Counts of citations of a choice, by status.
struct citation_tally {
  std::size_t counted{};  ///< number of citations counted so far
  std::uint64_t resolved{};
  std::uint64_t unresolved{};
};

/// The state of one choice.
struct choice_state {
  choice_state(std::uint32_t number, const session_options& options, const dialect* by)
      : choice(number), read_as(by), text(options) {}

  void restart(std::uint32_t number) noexcept;
  /// Counts the citations that were resolved since the last call.
  void count_resolved() noexcept;

  std::uint32_t choice;
  const dialect* read_as;  ///< its grammars are used for the text
  answer text;
  choice_template own_event;
  choice_phase phase{choice_phase::open};
  bool finish_expected{true};  ///< the dialect reports the end of a choice
  reference_state references{reference_state::unknown};
  bool record_due{};  ///< settled, but no event has carried its records yet
  choice_annotations annotations;
  repeated_text repeats;
  std::string rest;  ///< text to be sent with its last event
  citation_tally tally;
  text_order reported;  ///< as typed events
  std::string finish_reason;
};

}  // namespace citestream

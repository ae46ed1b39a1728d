// One choice of a stream: its answer, and how far it has come.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/answer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "event_template.hpp"

namespace citestream {

enum class choice_phase : std::uint8_t {
  open,
  finished,  // its finish event has come
  settled,   // its citations are resolved
};

// Where the references are that a choice cites.
enum class reference_state : std::uint8_t {
  unknown,  // none have come
  awaited,  // none have come, and it cites something that only they can mean
  known,    // some have come, or were known before
};

// Of the choice's one list of annotations.
enum class annotation_state : std::uint8_t {
  none,
  due,  // no event has carried it yet
  sent,
};

// All text of a choice whose events repeat it: what has come and what has been sent.
class repeated_text {
 public:
  // Whether its events repeat it.
  [[nodiscard]] bool on() const noexcept { return on_; }
  void set(bool on) noexcept { on_ = on; }

  // Text has come.
  void arrive(std::string_view more) noexcept;
  // Whether `all` is the text that has come so far. `grown`: it is, if it has its size.
  [[nodiscard]] bool is_all(std::string_view all, bool grown) const noexcept;
  // Text is sent.
  void send(std::string_view released);

  [[nodiscard]] const std::string& sent() const noexcept { return sent_; }
  [[nodiscard]] const std::string& sent_json() const noexcept { return sent_json_; }

  // Whether the last event that repeated text repeated another one.
  bool differs{};

  void reset() noexcept;

 private:
  bool on_{};
  std::uint64_t arrived_{};       // bytes
  std::uint64_t arrived_hash_{};  // of that text
  std::string sent_;
  std::string sent_json_{"\"\""};  // the same as a JSON string
};

// How many of a choice's citations were given on.
struct citation_tally {
  std::size_t announced{};  // as typed events
  std::size_t counted{};    // by status
  std::uint64_t resolved{};
  std::uint64_t unresolved{};
};

// The state of one choice.
struct choice_state {
  choice_state(std::uint32_t number, const session_options& options, const dialect* by)
      : choice(number), read_as(by), text(options) {}

  void restart(std::uint32_t number) noexcept;
  // Counts the citations resolved since the last call.
  void count_resolved() noexcept;

  std::uint32_t choice;
  const dialect* read_as;  // whose grammars its text is read with
  answer text;
  choice_template own_event;
  choice_phase phase{choice_phase::open};
  bool finish_expected{true};  // the dialect says when it ends
  reference_state references{reference_state::unknown};
  bool record_due{};  // settled, and no event has carried its records yet
  annotation_state annotations{annotation_state::none};
  repeated_text repeats;
  std::string rest;  // text that its last event is to carry
  citation_tally tally;
  std::string finish_reason;
};

}  // namespace citestream

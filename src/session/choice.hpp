// One choice of a stream: its answer, and what has become of it so far.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/answer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "event_template.hpp"
#include "sse/decoder.hpp"

namespace citestream {

struct learned_event;

// The event that `choice_state::shape` is to be, where its bytes are kept elsewhere: made only where needed.
struct shape_note {
  const learned_event* like{};  // null: nothing is due
  std::string_view raw;         // the event; in `choice_state::shape_bytes` where the read's bytes have died
  std::size_t text{};           // which of its texts is the choice's
  std::uint64_t number{};       // of the event learned that `shape`, or what is due, is like; 0: none
  // Or it is to be like the event under way, which was parsed, until that is learned.
  const sse_item* item{};  // null: is not
  const choice_event* own{};
};

// The state of one choice.
struct choice_state {
  choice_state(std::uint32_t number, const session_options& options, const dialect* by)
      : choice(number), spoken(by), text(options) {}

  void restart(std::uint32_t number) noexcept;
  // Counts the citations resolved since the last call.
  void count_resolved() noexcept;
  // Text has come in an event of a stream that accumulates.
  void arrive(std::string_view more) noexcept;
  // Whether `all` is the text that has come so far.
  [[nodiscard]] bool is_all(std::string_view all) const noexcept;
  // Text has left in an event of a stream that accumulates.
  void leave(std::string_view released);

  std::uint32_t choice;
  const dialect* spoken;  // whose grammars its text is read with
  answer text;
  event_template shape;
  shape_note shape_due;
  std::string shape_bytes;
  bool finished{};                // its finish event has come
  bool finish_expected{true};     // the dialect says when it ends
  bool referenced{};              // references have come, or were known before
  bool waits{};                   // it cites something that only references still to come can mean
  bool settled{};                 // its citations are resolved
  bool record_due{};              // settled, and no event has carried its records yet
  bool annotations_due{};         // settled, and no event has carried its annotations yet
  bool annotated{};               // its one list of annotations has left
  bool accumulates{};             // its events repeat all of its text
  bool repeats_other{};           // the last that did repeated something else than the text that came
  bool repeated_other{};          // so does `repeated`
  std::uint64_t arrived{};        // bytes of text that have come, where they do
  std::uint64_t arrived_hash{};   // of that text
  std::string left;               // the text that has left, where they do
  std::string left_json{"\"\""};  // the same as a JSON string
  std::string repeated;           // all of the text, where an envelope expects it: as it is
  std::string repeated_body;      // and as it stands in the JSON
  std::string rest;               // text that its last event is to carry
  std::size_t announced{};        // citations given as typed events
  std::size_t counted{};          // citations counted by status
  std::uint64_t resolved{};
  std::uint64_t unresolved{};
  std::string finish_reason;
};

}  // namespace citestream

// One choice of a stream: its answer, and how an event of its own would look.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/rewrite/splice.hpp>
#include <citestream/session/answer.hpp>
#include <citestream/sse/decoder.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

// The last event that held text of a choice, kept so that one like it can be added.
class event_template {
 public:
  // Remembers `payload` as the shape of an event for `own`. The text of all choices in it counts as empty.
  void remember(const sse_item& item, const dialect_event& read, const choice_event& own);

  [[nodiscard]] bool usable() const noexcept { return usable_; }

  // Appends one event with `text`, with `annotations` (elements, or nothing) and `addition` (the JSON of the
  // top-level member "citestream", or nothing).
  void append(std::string_view text, std::string_view annotations, std::string_view addition,
              std::string& out);

  void reset() noexcept { usable_ = false; }

 private:
  bool usable_{};
  bool finishes_{};  // the event remembered ends the choice: one that does not is a better shape
  bool crlf_{};
  std::string payload_;
  std::string type_;
  std::vector<byte_range> texts_;  // every text in the payload
  choice_event own_;
  byte_range root_;
  splicer edits_;  // reused
  std::string json_;
};

// The state of one choice.
struct choice_state {
  choice_state(std::uint32_t number, const session_options& options) : choice(number), text(options) {}

  void restart(std::uint32_t number) noexcept;

  std::uint32_t choice;
  answer text;
  event_template shape;
  bool finished{};             // its finish event has come
  bool finish_expected{true};  // the dialect says when it ends
  bool referenced{};           // references have come, or were known before
  bool settled{};              // its citations are resolved and have left
  bool fresh{};                // settled by the event at hand: its annotations go there
  std::size_t announced{};     // citations given as typed events
  std::string finish_reason;
};

}  // namespace citestream

/// \file
/// Rewrites the events of an answer, one at a time: composes the stages for what an event contains.
#pragma once

#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "event_reader.hpp"
#include "rewrite/event_output.hpp"
#include "rewrite_stages.hpp"

namespace citestream {

/// Rewrites the events of one stream that are part of the answer.
class event_rewriter {
 public:
  /// \param stages  must outlive the rewriter
  explicit event_rewriter(rewrite_stages& stages) noexcept : stages_(stages) {}

  /// Rewrites and sends an event of the answer. Returns false, and sends nothing, if the reading is not one.
  [[nodiscard]] bool take(const event_reading& reading, event_output& out) {
    if (take_same_shape(reading, out)) return true;
    unchanged_shape_ = nullptr;
    if (reading.kind != reading_kind::answer) return false;
    rewrite(reading, out);
    return true;
  }
  void reset() noexcept { unchanged_shape_ = nullptr; }

 private:
  /// What an event is for a text of a choice.
  enum class text_step : std::uint8_t {
    continues,
    begins,
    ignored,  ///< the event brings nothing for a text of the answer
  };

  /// What the text of a choice means for its event.
  struct choice_result {
    bool settles{};    ///< the choice is complete now
    bool dropped{};    ///< the event is not sent: it may not be empty, or another event replaced it
    bool only_text{};  ///< the next event of this shape needs a change only if its text does
  };

  /// Sends an event of the same shape as the one before, if its text needs no change either. Most events end
  /// here: rewrite() would decide the same, but takes three times as long.
  [[gnu::always_inline]] bool take_same_shape(const event_reading& reading, event_output& out) {
    if (unchanged_shape_ == nullptr || reading.shape != unchanged_shape_) return false;
    const choice_event& found = reading.content->choices.front();
    choice_state& choice = *stages_.choices.find(found.choice);
    if (!stages_.texts.take_unchanged(found, choice)) return false;
    choice.last_event.follow(*unchanged_shape_, 0, reading.item->raw);
    out.pass(reading.item->raw);
    return true;
  }

  void rewrite(const event_reading& reading, event_output& out);
  void begin(const event_reading& reading, event_output& out);
  void take_first_repeats(const event_reading& reading, event_output& out);
  choice_result take_choice(const event_reading& reading, const choice_event& found, std::size_t place,
                            event_output& out);
  text_step begin_text(const choice_event& found, choice_state& choice, event_output& out);
  void complete(const event_reading& reading, choice_result all, event_output& out);

  rewrite_stages& stages_;
  std::string appended_;  ///< reused: text of one choice that is not sent as received
  /// The shape of the last event, if events like it can take the shortcut take_same_shape(): it is known and
  /// has one text. Else null. While the shape stays the same, only the text can require a change.
  const learned_event* unchanged_shape_{};
};

}  // namespace citestream

// The last shapes of events that brought text, so that the like need not be parsed.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choice.hpp"
#include "chunk/envelope.hpp"
#include "sse/decoder.hpp"

namespace citestream {

// A text of a learned event.
struct learned_text {
  choice_state* one{};
  choice_event learned;     // places in the payload of the event learned
  std::string unescaped;    // reused
  std::string json;         // the same: what takes the place of the text
  std::string mirror_json;  // and of what repeats all of it
};

// The text that an envelope found, as it is. Where events repeat all of it, it is added to what they repeat:
// call it once.
[[nodiscard]] inline std::string_view take_text(const envelope_text& found, learned_text& as) {
  std::string_view text = found.body;
  if (found.escaped) {
    as.unescaped.clear();
    append_unescaped(found.body, as.unescaped);
    text = as.unescaped;
  }
  if (as.learned.mirror && as.learned.mirror_accumulates) {
    as.one->repeated.append(text);
    as.one->repeated_body.append(found.body);
  }
  return text;
}

// An event whose reading was nothing but texts, and references that were known afterwards.
struct learned_event {
  explicit learned_event(std::size_t max_depth) noexcept : shape(max_depth) {}

  // Where its `data` and its type stand in the event learned.
  byte_range data;
  byte_range type;
  envelope shape;
  std::uint64_t number{};  // another one each time that it is learned
  std::vector<learned_text> texts;
};

class event_memory {
 public:
  // `small`: one of many that are at rest for most of the time; what learning needs is not kept.
  event_memory(const limits& bounds, bool small) noexcept : bounds_(&bounds), small_(small) {}

  [[nodiscard]] bool knows_any() const noexcept { return used_ > 0; }

  // The event at the start of `bytes`, its texts found; null where none is known like it. `size`: its bytes.
  [[nodiscard]] learned_event* match(std::string_view bytes, std::size_t& size);
  // Whether the bytes that match() or resume() had last may be the start of an event that is known: no event
  // ends in them.
  [[nodiscard]] bool cut() const noexcept { return cut_ != nullptr; }
  // The same as match() of the bytes where that was cut, and further ones behind them.
  [[nodiscard]] learned_event* resume(std::string_view bytes, std::size_t& size);
  // The size that the event which was cut probably has.
  [[nodiscard]] std::size_t expected() const noexcept { return cut_->shape.event().size(); }

  // Remembers an event that was parsed and read. `choices`: the states of `read.choices`; `open`: how many
  // the stream has, each of which may have a shape of its own. \return what was learned, or null: the event
  // has not the form, or none was like another for long.
  learned_event* learn(const sse_item& item, const dialect_event& read, const document& payload,
                       std::span<choice_state* const> choices, std::size_t open);

  // The event at `raw`, which matched, as the decoder would give it, and `own` as the dialect would.
  void restore(const learned_event& known, std::string_view raw, std::size_t text, sse_item& item,
               choice_event& own);

  // Nothing is known any more. Keeps capacity.
  void forget() noexcept {
    used_ = misses_ = resting_ = 0;
    cut_ = nullptr;
  }

 private:
  [[nodiscard]] bool list_holes(const sse_item& item, const dialect_event& read, const document& payload,
                                std::span<choice_state* const> choices);
  [[nodiscard]] learned_event& place_for(const sse_item& item, std::size_t texts, std::size_t most);
  void let_go();
  [[nodiscard]] bool rests(std::size_t most) noexcept;
  learned_event* matched(std::size_t at);

  const limits* bounds_;
  bool small_;
  std::vector<std::unique_ptr<learned_event>> known_;  // the first `used_` are, the last one matched in front
  std::size_t used_{};
  std::uint64_t learned_{};
  learned_event* cut_{};   // the first whose envelope ran out of bytes that fit
  std::size_t misses_{};   // events learned since one matched
  std::size_t resting_{};  // parsed events that are neither learned nor compared now
  std::vector<envelope_hole> holes_;
  std::vector<unread_value> unread_;
  std::vector<byte_range> located_;
};

}  // namespace citestream

// How an event of our own looks: like the last one that held text of its choice, or of another text.
//
// The bytes of such an event are kept once, however many of its texts need them (kept_events), and the total
// is bounded: an event that has no room is not kept, and who has an older one goes on with that. Who has none
// must not hold back text, as there would be no event to send it in.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event_cache.hpp"
#include "rewrite/splice.hpp"
#include "sse/decoder.hpp"

namespace citestream {

// What an added event carries.
struct event_content {
  std::string_view text;
  // All text of the choice so far, this one's included; nothing: what a mirror holds of it does not change.
  std::optional<std::string_view> all_text;
  std::string_view annotations;  // elements of a list, or nothing
  std::string_view addition;     // the JSON of the top-level member "citestream", or nothing
};

struct kept_event {
  std::string payload;
  std::string type;
  std::string_view line_end{"\n"};
  std::size_t users{};  // 0: free to be used again
};

// One user's share of a kept event, or of none.
class kept_share {
 public:
  kept_share() = default;
  explicit kept_share(kept_event* event) noexcept : event_(event) {
    if (event_ != nullptr) ++event_->users;
  }
  kept_share(const kept_share& other) noexcept : kept_share(other.event_) {}
  kept_share(kept_share&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  kept_share& operator=(kept_share other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~kept_share() {
    if (event_ != nullptr) --event_->users;
  }
  [[nodiscard]] const kept_event* get() const noexcept { return event_; }

 private:
  kept_event* event_{};
};

// The kept events of a stream. Outlives all shares of them.
class kept_events {
 public:
  // `most`: bytes of all events together that are larger than 64 KiB.
  explicit kept_events(std::size_t most) noexcept : most_(most) {}

  // Whether an event of that size may be kept.
  [[nodiscard]] bool has_room(std::size_t size) const noexcept;
  // The event under way: one copy of it until release_current(), however often it is called for.
  [[nodiscard]] kept_share keep_current(const sse_item& item);
  void release_current() noexcept { current_ = {}; }
  // A copy of an event.
  [[nodiscard]] kept_share keep(const sse_item& item);

  // The event as JSON; missing where it cannot be read. Valid until the next call.
  [[nodiscard]] json_value read(const kept_event& event, document& reader);
  // Others may have used the reader since.
  void forget_reading() noexcept { read_ = nullptr; }

 private:
  [[nodiscard]] kept_event& free_event();

  std::size_t most_;
  std::vector<std::unique_ptr<kept_event>> events_;
  kept_share current_;
  const kept_event* read_{};  // what the reader holds
};

// The last event that held a text, kept so that one like it can be added.
class event_template {
 public:
  // `event`: the shape of an event for `own`, whose text it holds.
  void remember(kept_share event, const choice_event& own);

  // It is going to be remembered, if it is needed.
  void expect() noexcept { usable_ = true; }
  [[nodiscard]] bool usable() const noexcept { return usable_; }

  // Appends one event with `content`. What the event remembered says besides its text is not said a second
  // time: other choices are left out; the finish reason, objects, lists and long strings are null. `reader`
  // is used.
  void append(kept_events& kept, document& reader, const event_content& content, std::string& out);

  void reset() noexcept {
    usable_ = false;
    event_ = {};
  }

 private:
  [[nodiscard]] bool leads_to_text(byte_range place) const noexcept;
  void edit(json_value container, const event_content& content);
  void edit_member(json_value object, json_value member, const event_content& content);
  void edit_mirror(const event_content& content);
  void drop_siblings(json_value array, json_value kept);
  [[nodiscard]] bool said_once(json_value object, json_value member) const noexcept;

  bool usable_{};
  kept_share event_;
  choice_event own_;
  splicer edits_;  // reused
  std::string json_;
};

// The template of a choice: of the last event that held text of it, made only when it is needed. Until then
// the event under way or one that the cache knows is noted.
class choice_template {
 public:
  // Whether there is one, or will be.
  [[nodiscard]] bool usable() const noexcept { return shape_.usable(); }

  // The event under way, which was parsed, held text. Settle it, or learn it, before it dies.
  void expect(const sse_item& item, const choice_event& own) noexcept;
  [[nodiscard]] bool expected() const noexcept { return item_ != nullptr; }
  // The event under way was learned; `own` is what it says of the choice, `text` its place.
  void learned(const learned_event& known, std::size_t text, const choice_event& own) noexcept;
  // The event at `raw`, which the cache has found, held text.
  void follow(const learned_event& known, std::size_t text, std::string_view raw) noexcept {
    // Where events of its form differ in their text alone, one is as good a template as another.
    if (number_ == known.number && known.shape.uniform()) return;
    like_ = &known;
    raw_ = raw;
    text_ = text;
    number_ = known.number;
    item_ = nullptr;
  }
  // The bytes at `raw` are about to die.
  void hold() {
    if (like_ != nullptr && raw_.data() != bytes_.data()) copy();
  }

  // Makes what was noted.
  void settle(event_cache& cache, kept_events& kept);
  // Settle it first.
  [[nodiscard]] event_template& made() noexcept { return shape_; }

  void reset() noexcept;

 private:
  void copy();

  event_template shape_;
  const learned_event* like_{};  // null: none is noted
  std::string_view raw_;         // the event; in `bytes_` once the read's bytes have died
  std::size_t text_{};           // which of its texts is the choice's
  std::uint64_t number_{};       // of the learned event that `shape_`, or what is noted, is like; 0: none
  const sse_item* item_{};       // the event under way; null: is not
  const choice_event* own_{};
  std::string bytes_;
};

}  // namespace citestream

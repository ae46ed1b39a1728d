/// \file
/// Builds events of our own. They look like the last event that contained text of the same choice. If that
/// event begins a text and must not be repeated, the dialect writes them (choice_event::more_text).
///
/// Such an event is stored once (kept_events), even if several of its texts need it. Storage is bounded: if
/// there is no room for an event, it is not stored, and an older template continues to be used. A choice that
/// has no template at all must not hold back text, because there would be no event to send that text in.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event_cache.hpp"
#include "framing/frame_decoder.hpp"
#include "rewrite/splice.hpp"

namespace citestream {

/// What an added event contains.
struct event_content {
  std::string_view text{};
  /// All text of the choice so far, including this text. Nothing: a mirror that repeats it is not changed.
  std::optional<std::string_view> all_text{};
  std::string_view annotations{};  ///< elements of a JSON list; may be empty
  std::string_view addition{};     ///< JSON of the top-level member "citestream"; may be empty
};

/// The numbers of a stream that counts its events (stream_rules::event_number). An added event takes the
/// number of the event that follows it, and the numbers of all later events increase by one.
class event_numbers {
 public:
  /// \param member  the member with the number; empty if events have none
  void start(std::string_view member) noexcept { member_ = member; }
  /// Returns true if events have numbers.
  [[nodiscard]] bool on() const noexcept { return !member_.empty(); }
  /// An event was received. It is sent after the events that are added now.
  void note_received(json_value event) noexcept;
  /// This event is sent now: writes its number if that has changed.
  void write_number(json_value event, splicer& edits);
  /// The number of an event to be added; nothing if events have no numbers.
  [[nodiscard]] std::optional<std::int64_t> take() noexcept { return take(last_); }
  /// The number of an event that another one replaces.
  [[nodiscard]] std::optional<std::int64_t> reuse_number(json_value event) noexcept;
  /// Writes the number of an event to be added that is a copy of `event`.
  void copy(json_value event, splicer& edits);
  /// This event was sent, perhaps without being read.
  void note_sent(json_value event) noexcept { last_ = std::max(last_, number_of(event)); }
  /// Stops renumbering, because clients may resume the stream by number. Added events repeat the number of
  /// the event before them.
  void freeze() noexcept { frozen_ = true; }
  [[nodiscard]] bool frozen() const noexcept { return frozen_; }
  /// Returns true if the numbers of all further events change.
  [[nodiscard]] bool shifted() const noexcept { return shift_ > 0; }

 private:
  [[nodiscard]] std::optional<std::int64_t> number_of(json_value event) const noexcept;
  [[nodiscard]] std::optional<std::int64_t> take(std::optional<std::int64_t> before) noexcept;

  std::string_view member_;
  std::optional<std::int64_t> last_;  ///< the number, as received, after which events are added now
  std::int64_t shift_{};              ///< number of events added
  bool frozen_{};
};

/// A stored copy of an event.
struct kept_event {
  std::string payload;
  std::string type;
  std::string_view line_end{"\n"};
};

/// A shared kept event, or null. An event without other owners is reused.
using kept_share = std::shared_ptr<const kept_event>;

/// Memory that is used while a copy of an event is written.
struct copy_memory {
  document reader;  ///< of the stored event
  splicer edits;
  std::string json;  ///< the text, then the payload with it
};

/// The kept events of a stream.
class kept_events {
 public:
  /// \param most  maximum total size of events larger than 64 KiB, in bytes
  explicit kept_events(std::size_t most) noexcept : most_(most) {}

  /// Returns true if an event of this size can be kept.
  [[nodiscard]] bool has_room(std::size_t size) const noexcept;
  /// Keeps the current event. Repeated calls before release_current() return the same copy.
  [[nodiscard]] kept_share keep_current(const frame& item);
  void release_current() noexcept { current_ = {}; }
  /// Keeps a copy of an event.
  [[nodiscard]] kept_share keep(const frame& item);

  /// Parses a kept event; returns a missing value if that fails. Valid until the next call.
  [[nodiscard]] json_value read(const kept_event& event, document& reader);
  /// Call this if `reader` may have been used for something else.
  void forget_reading() noexcept { read_ = nullptr; }

 private:
  [[nodiscard]] std::shared_ptr<kept_event> free_event();

  std::size_t most_;
  std::vector<std::shared_ptr<kept_event>> events_;
  kept_share current_;
  const kept_event* read_{};  ///< the event that the reader contains
};

/// A stored event, and how to build another one like it.
class event_template {
 public:
  /// Stores `event`. `own` describes the text in it.
  void remember(kept_share event, const choice_event& own);

  /// Marks the template as available. remember() must be called before it is used.
  void expect() noexcept { usable_ = true; }
  [[nodiscard]] bool usable() const noexcept { return usable_; }

  /// The stored event, or missing. Valid until `reader` is used again.
  [[nodiscard]] json_value event(kept_events& kept, document& reader) const {
    return event_ == nullptr ? json_value() : kept.read(*event_, reader);
  }
  /// Appends one event with `content`. Everything in the stored event that a client would count or append
  /// twice is removed: other choices are dropped; the finish reason, objects, lists and long strings become
  /// null, or are left out if the text is at the top level. The line end is that of the stored event, not
  /// that of `at`.
  void append(kept_events& kept, copy_memory& memory, const event_content& content, frame_place at,
              event_numbers& numbers, std::string& out) const;

  void reset() noexcept {
    usable_ = false;
    event_ = {};
  }

 private:
  struct copy_edits;

  [[nodiscard]] bool leads_to_text(byte_range place) const noexcept;
  [[nodiscard]] std::string_view copy(kept_events& kept, copy_memory& memory, const event_content& content,
                                      event_numbers& numbers) const;
  void edit(json_value container, copy_edits& out) const;
  void edit_plain(json_value root, std::string_view payload, copy_edits& out) const;
  void edit_member(json_value object, json_value member, copy_edits& out) const;
  void edit_mirror(copy_edits& out) const;
  static void drop_siblings(json_value array, json_value kept, copy_edits& out);
  [[nodiscard]] bool must_not_repeat(json_value object, json_value member) const noexcept;

  bool usable_{};
  kept_share event_;
  byte_range token_;  ///< of the text in it
  text_mirror mirror_;
  text_holder holder_;
  text_unit unit_;
  own_event (*more_text_)(text_unit unit, std::string_view text){};  ///< choice_event::more_text
};

/// The template of one choice: the last event with text of it. The copy is made only when it is needed; until
/// then this class remembers either the current event or an event known to the cache.
class choice_template {
 public:
  /// Returns true if there is a template, or made() can make one.
  [[nodiscard]] bool usable() const noexcept { return shape_.usable(); }
  /// Returns true if events of the choice have a place for annotations.
  [[nodiscard]] bool takes_annotations() const noexcept { return takes_annotations_; }

  /// The current event, which was parsed, contains text of the choice. Call make() or learned() before it
  /// becomes invalid.
  void expect(const frame& item, const choice_event& own) noexcept;
  [[nodiscard]] bool expected() const noexcept { return item_ != nullptr; }
  /// The current event was learned. `own` is its content for the choice, `text` the number of the text in it.
  void learned(const learned_event& known, std::size_t text, const choice_event& own) noexcept;
  /// The event at `raw`, which the cache has found, contains text of the choice.
  void follow(const learned_event& known, std::size_t text, std::string_view raw) noexcept {
    // If events of this shape differ only in their text, the older template is as good.
    if (number_ == known.number && known.shape.uniform()) return;
    known_ = &known;
    raw_ = raw;
    text_ = text;
    number_ = known.number;
    item_ = nullptr;
  }
  /// Call this before the bytes at `raw` become invalid.
  void hold() {
    if (known_ != nullptr && raw_.data() != bytes_.data()) copy();
  }

  /// Makes the template from the remembered event.
  void make(event_cache& cache, kept_events& kept);
  /// Call make() first.
  [[nodiscard]] event_template& made() noexcept { return shape_; }

  void reset() noexcept;

 private:
  void copy();

  event_template shape_;
  const learned_event* known_{};   ///< the remembered event of the cache; null: none
  std::string_view raw_;           ///< its bytes; copied to `bytes_` before they become invalid
  std::size_t text_{};             ///< which of its texts belongs to the choice
  std::uint64_t number_{};         ///< its learned_event::number, or that of `shape_`; 0: none
  const frame* item_{};            ///< the current event, if it is remembered; else null
  const choice_event* content_{};  ///< what `item_` contains for the choice
  bool takes_annotations_{};
  std::string bytes_;
};

}  // namespace citestream

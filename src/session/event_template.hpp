/// \file
/// Builds events of our own. They look like the last event that contained text of the same choice. If that
/// event begins a text and must not be repeated, the dialect writes them (choice_event::more_text).
///
/// The event is stored (kept_events.hpp). If there is no room for it, an older template continues to be used.
/// A choice that has no template at all must not hold back text, because there would be no event to send that
/// text in.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "event_numbers.hpp"
#include "framing/frame_decoder.hpp"
#include "kept_events.hpp"
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

/// Memory that is used while a copy of an event is written.
struct copy_memory {
  document reader;  ///< of the stored event
  splicer edits;
  std::string json;  ///< the text, then the payload with it
};

/// A stored event, and how to build another one like it.
class event_template {
 public:
  /// Stores `event`. `own` describes the text in it.
  void remember(kept_share event, const choice_event& own);

  /// Returns true if an event is stored.
  [[nodiscard]] bool usable() const noexcept { return event_ != nullptr; }

  /// The payload of the stored event; empty before one is stored.
  [[nodiscard]] std::string_view payload() const noexcept {
    return event_ == nullptr ? std::string_view() : event_->payload;
  }
  /// Appends one event with `content`. Everything in the stored event that a client would count or append
  /// twice is removed: other choices are dropped; the finish reason, objects, lists and long strings become
  /// null, or are left out if the text is at the top level. The line end is that of the stored event, not
  /// that of `at`.
  void append(copy_memory& memory, const event_content& content, frame_place at, event_numbers& numbers,
              std::string& out) const;

  void reset() noexcept { event_ = {}; }

 private:
  struct copy_edits;

  [[nodiscard]] bool leads_to_text(byte_range place) const noexcept;
  [[nodiscard]] std::string_view copy(copy_memory& memory, const event_content& content,
                                      event_numbers& numbers) const;
  void edit(json_value container, copy_edits& out) const;
  void edit_plain(json_value root, std::string_view payload, copy_edits& out) const;
  void edit_member(json_value object, json_value member, copy_edits& out) const;
  void edit_mirror(copy_edits& out) const;
  static void drop_siblings(json_value array, json_value kept, copy_edits& out);
  [[nodiscard]] bool must_not_repeat(json_value object, json_value member) const noexcept;

  kept_share event_;
  byte_range token_;  ///< of the text in it
  text_mirror mirror_;
  text_holder holder_;
  text_unit unit_;
  own_event (*more_text_)(text_unit unit, std::string_view text){};  ///< choice_event::more_text
};

}  // namespace citestream

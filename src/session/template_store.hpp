/// \file
/// Stores the templates of the choices of one stream.
#pragma once

#include <citestream/session/options.hpp>

#include <cstddef>

#include "choice_list.hpp"
#include "event_reader.hpp"
#include "kept_events.hpp"

namespace citestream {

/// The templates of one stream. Each is in its choice (choice_state::last_event).
class template_store {
 public:
  template_store(const session_options& options, event_reader& reader) noexcept
      : reader_(&reader), kept_(options.bounds.max_event_bytes) {}

  /// Makes this event the template of the choice. `place`: index of its text in the event. Returns false if
  /// it cannot be stored and there is no older template: no text may be held then (event_template.hpp).
  [[nodiscard]] bool expect(const event_reading& one, const choice_event& found, std::size_t place,
                            choice_state& choice) const noexcept {
    if (one.shape != nullptr) {
      choice.last_event.follow(*one.shape, place, one.item->raw);
      return true;
    }
    if (!kept_.has_room(one.item->data.size())) return choice.last_event.usable();
    choice.last_event.expect(*one.item, found);
    return true;
  }
  /// Call this after an event that was parsed, if it has choices of the answer: stores it if it is expected
  /// to be a template. `only_texts`: the event changed nothing but texts, so the cache may learn it.
  void note_parsed(const event_reading& one, bool only_texts, choice_list& choices);
  /// The template of the choice, from its last event.
  event_template& make(choice_state& choice) { return choice.last_event.make(reader_->cache(), kept_); }
  [[nodiscard]] kept_events& kept() noexcept { return kept_; }

 private:
  void learn(const event_reading& one, choice_list& choices);

  event_reader* reader_;
  kept_events kept_;
};

}  // namespace citestream

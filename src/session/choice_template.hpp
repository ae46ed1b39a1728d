/// \file
/// The template of one choice: the last event that contained text of this choice.
///
/// An earlier event is in one of three places: in the cache (event_cache.hpp), if events of its shape follow;
/// here, as a range of bytes that the cache can restore; stored (kept_events.hpp), once an event is added.
#pragma once

#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "event_cache.hpp"
#include "event_template.hpp"
#include "framing/frame.hpp"
#include "kept_events.hpp"

namespace citestream {

/// The template of one choice. The copy is made only when it is needed; until then this class remembers the
/// event.
class choice_template {
 public:
  /// Returns true if make() returns a template.
  [[nodiscard]] bool usable() const noexcept { return remembered_.index() != 0 || made_.usable(); }
  /// Returns true if events of the choice have a place for annotations.
  [[nodiscard]] bool takes_annotations() const noexcept { return takes_annotations_; }

  /// Remembers the current event, which was parsed and contains text of the choice. Call make() or learned()
  /// before it becomes invalid.
  void expect(const frame& item, const choice_event& own) noexcept {
    remembered_ = current_event{&item, &own};
    number_ = 0;
    takes_annotations_ = own.holder.can_annotate;
  }
  /// Returns true if the current event is remembered.
  [[nodiscard]] bool expected() const noexcept { return std::holds_alternative<current_event>(remembered_); }
  /// The current event was learned. `own` is its content for the choice, `text` the number of the text in it.
  void learned(const learned_event& known, std::size_t text, const choice_event& own) noexcept;
  /// The event at `raw`, which the cache has found, contains text of the choice.
  void follow(const learned_event& known, std::size_t text, std::string_view raw) noexcept {
    // If events of this shape differ only in their text, the older template is as good.
    if (number_ == known.number && known.shape.uniform()) return;
    remembered_ = cached_event{&known, text, raw};
    number_ = known.number;
  }
  /// Call this before the bytes of the event become invalid.
  void hold() {
    cached_event* const cached = std::get_if<cached_event>(&remembered_);
    if (cached != nullptr && cached->raw.data() != bytes_.data()) copy(*cached);
  }

  /// Makes the template from the remembered event. Returns it, or the older one if no event is remembered.
  event_template& make(event_cache& cache, kept_events& kept);

  void reset() noexcept {
    remembered_ = {};
    number_ = 0;
    made_.reset();
  }

 private:
  struct current_event {
    const frame* item{};
    const choice_event* content{};  ///< for the choice
  };
  struct cached_event {
    const learned_event* known{};
    std::size_t text{};    ///< which of its texts belongs to the choice
    std::string_view raw;  ///< its bytes; copied to `bytes_` before they become invalid
  };

  void copy(cached_event& cached);

  std::variant<std::monostate, current_event, cached_event> remembered_;  ///< newer than `made_`
  event_template made_;
  std::uint64_t number_{};  ///< learned_event::number of the last event; 0: it was not learned
  bool takes_annotations_{};
  std::string bytes_;
};

}  // namespace citestream

/// \file
/// Queue of the typed events that the caller of a session has not pulled yet.
#pragma once

#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choice.hpp"

namespace citestream {

/// Buffers the typed events of a session until next() returns them. A disabled queue ignores all events.
class event_queue {
 public:
  explicit event_queue(bool enabled) : enabled_(enabled) {}

  [[nodiscard]] bool enabled() const noexcept { return enabled_; }

  /// Adds events for text that a choice has released and for the citations whose positions are now final, in
  /// the order of the text.
  /// \param delta  index of the input delta that released the text, if a delta did
  void released(choice_state& choice, std::optional<std::uint64_t> delta, std::string_view text) {
    if (enabled_) add(choice, delta, text);
  }
  /// Adds an event for the reference list that the style appended to a choice. Citation positions do not
  /// include the list.
  void listed(const choice_state& choice, std::string_view text) {
    if (enabled_ && !text.empty()) add_text(choice, {}, text);
  }
  /// Adds a `resolved` event for each citation of the choice from index \p first. Also adds the `end` event,
  /// unless the choice is already settled and so has had one.
  void settled(choice_state& choice, std::size_t first);
  /// Adds another `resolved` event for each of these citations, which had one as unresolved.
  void resolved_late(choice_state& choice, std::span<const std::uint32_t> late);
  /// Adds a `resolved` event for each citation of the provider that was added since the last call.
  void added_natives(choice_state& choice);

  /// Moves to the next event and describes it in \p out. Returns false if the queue is empty.
  [[nodiscard]] bool next(session_event& out);
  /// Removes all events.
  void clear() noexcept;

 private:
  void add(choice_state& choice, std::optional<std::uint64_t> delta, std::string_view text);
  void add_text(const choice_state& choice, std::optional<std::uint64_t> delta, std::string_view text);
  void add_record(session_event_type type, const choice_state& choice, std::optional<std::uint64_t> delta,
                  const citation& record);

  /// One event. Its strings are in `text_`.
  struct entry {
    session_event_type type{};
    const choice_state* choice{};
    std::optional<std::uint64_t> delta{};
    std::size_t begin{};  ///< start in `text_` of its text or finish reason
    std::size_t end{};    ///< end in `text_`
    // Copies, because references may arrive and change the originals before the event is pulled.
    std::unique_ptr<const citation> record{};
    std::vector<std::uint32_t> lists{};  ///< citations::unresolved(), then citations::uncited()
    std::size_t unresolved{};            ///< how many of `lists` are citations::unresolved()
  };

  bool enabled_;
  std::vector<entry> entries_;
  std::string text_;    ///< texts and finish reasons of all entries
  std::size_t next_{};  ///< index in `entries_` of the event that next() returns
};

}  // namespace citestream

/// \file
/// The cache in front of the decoder: finds the events of a stream that have the shape of an earlier one.
/// See event_reader::next() for its use.
#pragma once

#include <citestream/base/limits.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "event_cache.hpp"
#include "framing/frame_decoder.hpp"

namespace citestream {

/// An event that the cache knows.
struct known_event {
  learned_event* event{};  ///< null: the next event is not known
  bool lasting{};          ///< its bytes are valid until the next feed(), else until the next call
};

/// The known events of one stream.
class known_events {
 public:
  /// \param small  see event_cache
  /// \param decoder  of the stream, gets the bytes from here; must outlive this
  known_events(const limits& bounds, bool small, frame_decoder& decoder) noexcept
      : cache_(bounds, small), decoder_(decoder) {}
  known_events(const known_events&) = delete;
  known_events& operator=(const known_events&) = delete;

  /// Gives the next bytes of the stream. They must stay valid until the decoder and feed_rest() return false.
  void feed(std::string_view bytes);
  /// If the next event is known, returns it and makes the decoder skip it. Otherwise call the decoder before
  /// calling this again.
  [[nodiscard]] known_event next();
  /// Returns true if all unread bytes are kept here: the decoder has nothing to return.
  [[nodiscard]] bool keeps_all() const noexcept { return begun_ != nullptr; }
  /// Call if the decoder returns false. Gives it the bytes that were kept back, because they seemed to
  /// continue a known event. Returns false if there are none.
  [[nodiscard]] bool feed_rest() {
    if (rest_.empty()) return false;
    decoder_.feed(std::exchange(rest_, {}));
    return true;
  }
  /// Ends the stream. The decoder gets all bytes that it does not have yet.
  void finish();

  /// What is known. turn_off() may be called at any time.
  [[nodiscard]] event_cache& cache() noexcept { return cache_; }
  void reset() noexcept;

 private:
  void end_run() noexcept;
  known_event continue_begun();
  void keep(std::string_view begun, learned_event& known);

  event_cache cache_;
  frame_decoder& decoder_;
  /// While known events follow one another, the bytes after them: the decoder skips all of them at once.
  std::string_view run_;
  learned_event* begun_{};  ///< the event that `kept_` may be the start of; null: none
  std::string kept_;        ///< the end of a read, which the decoder does not have
  std::string_view rest_;   ///< the bytes after `kept_`, which it does not have either
};

// The functions below are inline because they run for each event that is known.

/// Makes the decoder skip the events before `run_`.
inline void known_events::end_run() noexcept {
  const auto size = static_cast<std::size_t>(run_.data() - decoder_.unread().data());
  if (size > 0) decoder_.skip(size);
  run_ = {};
}

[[gnu::always_inline]] inline known_event known_events::next() {
  if (run_.empty()) {
    if (!rest_.empty()) return continue_begun();
    run_ = decoder_.unread();
    if (run_.empty()) return {};
  }
  const std::string_view unread = run_;
  const cache_result found = cache_.find(unread);
  if (found.known != nullptr) run_.remove_prefix(found.known->item.raw.size());
  // If bytes may be between two events (commas, the LF after a CR), the decoder continues.
  if (found.known == nullptr || run_.empty() || decoder_.framing() == stream_framing::array ||
      found.known->item.raw.back() == '\r')
    end_run();
  if (found.cut != nullptr) keep(unread, *found.cut);
  return {found.known, true};
}

}  // namespace citestream

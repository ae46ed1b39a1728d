/// \file
/// The numbers of the events of a stream.
#pragma once

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rewrite/splice.hpp"

namespace citestream {

/// The numbers of a stream that counts its events (stream_rules::event_number). An added event takes the
/// number of the event that follows it, and the numbers of all later events increase by one.
class event_numbers {
 public:
  /// \param member  the member with the number; empty if events have none
  void start(std::string_view member) noexcept { member_ = member; }
  /// Returns true if events have numbers.
  [[nodiscard]] bool on() const noexcept { return !member_.empty(); }
  /// Call when an event was received. Events that are added now are numbered as sent before it.
  void note_received(json_value event) noexcept;
  /// Writes the number of an event that is sent now, if that has changed.
  void write_number(json_value event, splicer& edits);
  /// The number of an event to be added; nothing if events have no numbers.
  [[nodiscard]] std::optional<std::int64_t> take() noexcept { return take(last_); }
  /// The number of an event that another one replaces.
  [[nodiscard]] std::optional<std::int64_t> reuse_number(json_value event) noexcept;
  /// Writes the number of an event to be added that is a copy of `event`.
  void copy(json_value event, splicer& edits);
  /// Call when an event was sent. Updates the number that added events continue from.
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

}  // namespace citestream

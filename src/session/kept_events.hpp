/// \file
/// Stores events of a stream, for templates (event_template.hpp). An event is stored once, even if several of
/// its texts need it. Storage is bounded.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framing/frame_decoder.hpp"

namespace citestream {

/// A stored copy of an event.
struct kept_event {
  std::string payload;
  std::string type;
  std::string_view line_end{"\n"};
};

/// A shared kept event, or null. An event without other owners is reused.
using kept_share = std::shared_ptr<const kept_event>;

/// The kept events of a stream.
class kept_events {
 public:
  /// \param most  maximum total size of events larger than 64 KiB, in bytes
  explicit kept_events(std::size_t most) noexcept : max_bytes_(most) {}

  /// Returns true if an event of this size can be kept.
  [[nodiscard]] bool has_room(std::size_t size) const noexcept;
  /// Keeps the current event. Repeated calls before release_current() return the same copy.
  [[nodiscard]] kept_share keep_current(const frame& item);
  void release_current() noexcept { current_ = {}; }
  /// Keeps a copy of an event.
  [[nodiscard]] kept_share keep(const frame& item);

 private:
  [[nodiscard]] std::shared_ptr<kept_event> free_event();

  std::size_t max_bytes_;
  std::vector<std::shared_ptr<kept_event>> events_;
  kept_share current_;
};

}  // namespace citestream

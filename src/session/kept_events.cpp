#include "kept_events.hpp"

#include <algorithm>

namespace citestream {

namespace {

/// Events up to this size are always kept.
constexpr std::size_t small_event = 64 * 1024;

}  // namespace

bool kept_events::has_room(std::size_t size) const noexcept {
  if (size <= small_event || current_ != nullptr) return true;
  for (const auto& one : events_) {
    if (one.use_count() > 1 && one->payload.size() > small_event) size += one->payload.size();
  }
  return size <= max_bytes_;
}

/// Returns an entry that is not in use. Memory of a large earlier event is freed.
std::shared_ptr<kept_event> kept_events::free_event() {
  for (const auto& one : events_) {
    if (one.use_count() > 1) continue;
    if (one->payload.capacity() > small_event) std::string().swap(one->payload);
    return one;
  }
  return events_.emplace_back(std::make_shared<kept_event>());
}

kept_share kept_events::keep(const frame& item) {
  std::shared_ptr<kept_event> event = free_event();
  event->line_end = line_end_of(item.raw);
  event->payload.assign(item.data);
  // Line breaks of the payload are between tokens only, so they can be replaced.
  if (item.lines != nullptr) std::ranges::replace(event->payload, '\n', ' ');
  event->type.assign(item.event);
  return event;
}

kept_share kept_events::keep_current(const frame& item) {
  if (current_ == nullptr) current_ = keep(item);
  return current_;
}

}  // namespace citestream

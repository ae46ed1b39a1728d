#include "event_numbers.hpp"

#include <string>

#include "base/decimal.hpp"

namespace citestream {

std::optional<std::int64_t> event_numbers::number_of(json_value event) const noexcept {
  if (member_.empty()) return std::nullopt;
  const auto number = event[member_].integer();
  return number && *number >= 0 && *number <= max_exact_integer ? number : std::nullopt;
}

void event_numbers::note_received(json_value event) noexcept {
  if (const auto number = number_of(event)) last_ = *number - 1;
}

void event_numbers::write_number(json_value event, splicer& edits) {
  const auto number = number_of(event);
  if (!number) return;
  last_ = number;
  if (shift_ > 0) edits.replace(event[member_].range(), std::to_string(*number + shift_));
}

std::optional<std::int64_t> event_numbers::reuse_number(json_value event) noexcept {
  const auto number = number_of(event);
  if (!number) return number;
  last_ = number;
  return *number + shift_;
}

std::optional<std::int64_t> event_numbers::take(std::optional<std::int64_t> before) noexcept {
  if (!before) return std::nullopt;
  const std::int64_t number = *before + shift_;
  if (frozen_) return number;
  ++shift_;
  return number + 1;
}

void event_numbers::copy(json_value event, splicer& edits) {
  const auto number = number_of(event);
  if (!number) return;
  if (const auto now = take(std::max(number, last_)))
    edits.replace(event[member_].range(), std::to_string(*now));
}

}  // namespace citestream

#include "fault.hpp"

#include <array>

namespace citestream::load {

std::string_view name(fault kind) noexcept {
  constexpr std::array<std::string_view, fault_kinds> names{
      "connect",     "tls",          "http",      "status",     "content-type", "cut", "silence",
      "error-event", "invalid-json", "too-large", "unfinished", "marker",       "text"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace citestream::load

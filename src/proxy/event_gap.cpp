#include "event_gap.hpp"

#include <algorithm>

namespace citestream {

void event_gap::end_line() noexcept {
  // A line that ends where it starts is blank: it closes the event.
  state_ = state_ == state::line ? state::event : state::between;
}

void event_gap::feed(std::string_view sent) noexcept {
  while (!sent.empty()) {
    const char first = sent.front();
    if (first == '\n' || first == '\r') {
      // The LF of a CRLF ends nothing.
      if (first == '\r' || !after_cr_) end_line();
      after_cr_ = first == '\r';
      sent.remove_prefix(1);
      continue;
    }
    after_cr_ = false;
    // A comment inside an event leaves it open.
    if (state_ == state::between) state_ = first == ':' ? state::comment : state::line;
    if (state_ == state::event) state_ = state::line;
    sent.remove_prefix(std::min(sent.find_first_of("\r\n"), sent.size()));
  }
}

}  // namespace citestream

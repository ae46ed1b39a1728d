#include "event_gap.hpp"

#include <cstring>

namespace citestream {
namespace {

/// The first \p wanted in \p bytes, or their end.
const char* find(char wanted, const char* begin, const char* end) noexcept {
  const void* const found = std::memchr(begin, wanted, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

/// Behind the last two LF in a row, or 0.
std::size_t behind_last_pair(std::string_view bytes) noexcept {
  for (std::size_t left = bytes.size(); left > 1;) {
    const auto* const lf = static_cast<const char*>(::memrchr(bytes.data(), '\n', left));
    if (lf == nullptr || lf == bytes.data()) return 0;
    left = static_cast<std::size_t>(lf - bytes.data());
    if (bytes[left - 1] == '\n') return left + 1;
  }
  return 0;
}

}  // namespace

void event_gap::end_line() noexcept {
  // A line that ends where it starts is blank: it closes the event.
  state_ = state_ == state::line ? state::event : state::between;
}

void event_gap::feed(std::string_view sent) noexcept {
  // The second of two LF ends an empty line, whatever was open: nothing before it decides anything.
  if (const std::size_t begin = behind_last_pair(sent); begin > 0) {
    sent.remove_prefix(begin);
    state_ = state::between;
    after_cr_ = false;
  }
  const char* const end = sent.data() + sent.size();
  const char* lf = sent.data();  // the next one is here or later
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
    // Not find_first_of(), which looks at each byte apart; nor twice for the same LF.
    if (lf != end && (lf < sent.data() || *lf != '\n')) lf = find('\n', sent.data(), end);
    const char* const line_end = find('\r', sent.data(), lf);
    sent.remove_prefix(static_cast<std::size_t>(line_end - sent.data()));
  }
}

}  // namespace citestream

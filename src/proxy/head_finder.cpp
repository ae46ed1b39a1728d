#include "head_finder.hpp"

namespace citestream::http {

head_state head_finder::scan(std::string_view buffer) noexcept {
  while (scanned_ < buffer.size()) {
    if (scanned_ == max_bytes_) return head_state::too_long;
    const char c = buffer[scanned_++];
    if (c == '\0' || (c == '\n' && !after_cr_) || (c != '\n' && after_cr_)) return head_state::malformed;
    if (c == '\n') {
      if (line_ == 1) return head_state::found;
      line_ = 0;
      after_cr_ = false;
      continue;
    }
    ++line_;
    after_cr_ = c == '\r';
  }
  return head_state::more;
}

}  // namespace citestream::http

// What the first bytes of an input say it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Whether a text begins as an event stream does: with a field or a comment, behind a byte order mark and
/// blank lines (WHATWG HTML, 9.2.5).
[[nodiscard]] inline bool begins_as_stream(std::string_view text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
  for (const std::string_view begin : {"data:", "event:", "id:", "retry:", ":"}) {
    if (text.starts_with(begin)) return true;
  }
  return false;
}

/// The first bytes of the input: whether there are any, and whether they are those of an event stream.
class stream_start {
 public:
  void take(std::string_view bytes) {
    if (first_.size() < enough) first_ += bytes.substr(0, enough - first_.size());
  }
  [[nodiscard]] bool any() const noexcept { return !first_.empty(); }
  [[nodiscard]] bool foreign() const noexcept { return any() && !begins_as_stream(first_); }

 private:
  static constexpr std::size_t enough = 64;
  std::string first_;
};

}  // namespace citestream::tools

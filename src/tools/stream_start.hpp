/// \file
/// Detects event streams by the first bytes of an input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Returns true if \p text begins like an event stream: with a field or a comment, after an optional byte
/// order mark and blank lines (WHATWG HTML, 9.2.5).
[[nodiscard]] inline bool begins_as_stream(std::string_view text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
  for (const std::string_view begin : {"data:", "event:", "id:", "retry:", ":"}) {
    if (text.starts_with(begin)) return true;
  }
  return false;
}

/// Keeps the first bytes of an input and checks whether they begin an event stream.
class stream_start {
 public:
  /// Adds bytes of the input, in order.
  void take(std::string_view bytes) {
    if (first_.size() < enough) first_ += bytes.substr(0, enough - first_.size());
  }
  /// Returns true if the input is not empty.
  [[nodiscard]] bool any() const noexcept { return !first_.empty(); }
  /// Returns true if the input is not empty and does not begin like an event stream.
  [[nodiscard]] bool foreign() const noexcept { return any() && !begins_as_stream(first_); }

 private:
  static constexpr std::size_t enough = 64;
  std::string first_;
};

}  // namespace citestream::tools

/// \file
/// Divides bytes that arrive in parts into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace citestream::tools {

/// Returns the lines of an input. Holds the start of a line until its end has arrived.
class line_splitter {
 public:
  /// Takes the next bytes, which must stay valid until next() returns false.
  void feed(std::string_view bytes) noexcept { rest_ = bytes; }

  /// Returns the next complete line in \p line, without its line feed. Valid until the next call.
  /// \return false if more bytes are needed
  [[nodiscard]] bool next(std::string_view& line) {
    if (std::exchange(returned_, false)) start_.clear();
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) {
      start_ += std::exchange(rest_, {});
      return false;
    }
    line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (start_.empty()) return true;
    line = start_ += line;
    returned_ = true;
    return true;
  }

  /// The bytes after the last line feed, once next() has returned false.
  [[nodiscard]] std::string_view last() const noexcept { return start_; }

 private:
  std::string_view rest_;
  std::string start_;  ///< start of an incomplete line
  bool returned_{};    ///< `start_` is the line that was returned
};

}  // namespace citestream::tools

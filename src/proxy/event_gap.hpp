/// \file
/// Where in an event stream a comment of our own may stand.
#pragma once

#include <string_view>

namespace citestream {

/// Follows the lines of a stream that leaves in pieces, cut anywhere. A line may end with LF, CR or CRLF.
class event_gap {
 public:
  void feed(std::string_view sent) noexcept;
  /// No event is open: what has left ends with a whole line, and since the last blank line there were only
  /// comments.
  [[nodiscard]] bool here() const noexcept { return state_ == state::between; }

 private:
  enum class state {
    between,  ///< at the start of a line, no event open
    comment,  ///< inside a comment, no event open
    line,     ///< inside a line of an event
    event,    ///< at the start of a line, an event open
  };
  void end_line() noexcept;

  state state_{state::between};
  bool after_cr_{};
};

}  // namespace citestream

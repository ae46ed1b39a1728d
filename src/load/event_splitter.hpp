/// \file
/// Splits an event stream into events (WHATWG HTML, 9.2.6), for checking only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::load {

/// One event or one comment line. Views die at the next call of next(), feed() or reset().
struct stream_item {
  enum class kind { event, comment, too_large };
  kind what{};
  std::string_view type;  ///< of an event; empty means "message"
  std::string_view data;  ///< of an event: its `data` lines joined with LF. Of a comment: the line
};

/// Keeps the line and the event under way. Written without the library that is measured.
class event_splitter {
 public:
  explicit event_splitter(std::size_t max_event_bytes) : max_event_bytes_(max_event_bytes) {}

  /// \p bytes is borrowed until next() returns false.
  void feed(std::string_view bytes) noexcept { input_ = bytes; }
  [[nodiscard]] bool next(stream_item& out);
  /// Whether the stream has ended inside an event that has data.
  [[nodiscard]] bool ended_inside_event() const noexcept { return has_data_; }
  void reset() noexcept;

 private:
  [[nodiscard]] bool take_line(std::string_view& line);
  void take_field(std::string_view line);
  void clear_event() noexcept;

  std::size_t max_event_bytes_;
  std::string_view input_;
  std::string line_;     ///< the start of a line that is not complete
  std::string current_;  ///< a line that came in several pieces, or a comment, while the caller has it
  std::string type_;
  std::string data_;
  bool has_data_{};
  bool given_{};      ///< the caller has the event: it is cleared at the next call
  bool too_large_{};  ///< the event is over the bound: it is skipped up to its end
  bool after_cr_{};   ///< the last byte was CR: an LF that follows belongs to it
  bool first_line_{true};
};

}  // namespace citestream::load

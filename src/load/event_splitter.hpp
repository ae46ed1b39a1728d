/// \file
/// Splits an event stream into events (WHATWG HTML, 9.2.6), and NDJSON into lines, for checking only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::load {

/// One event or one comment line. Views are valid until the next call of next(), feed() or reset().
struct stream_item {
  enum class kind { event, comment, too_large, damaged };
  kind what{};
  std::string_view type;  ///< of an event; empty means "message"
  std::string_view data;  ///< of an event: its `data` lines joined with LF. Of a comment: the line
};

/// Splits one stream. Keeps the incomplete line and event. Does not use the library that is measured.
class event_splitter {
 public:
  explicit event_splitter(std::size_t max_event_bytes) : max_event_bytes_(max_event_bytes) {}

  /// \p bytes is borrowed until next() returns false.
  void feed(std::string_view bytes) noexcept { input_ = bytes; }
  [[nodiscard]] bool next(stream_item& out);
  /// Prepares for another stream. \p lines: it is NDJSON, and each line that is not blank is an event.
  void reset(bool lines = false) noexcept;

 private:
  /// How much of the current event was read.
  enum class progress : std::uint8_t {
    no_data,    ///< no `data` line
    data,       ///< a `data` line
    given,      ///< it was returned; the next call clears it
    too_large,  ///< it is over the limit and is skipped up to its end
  };

  [[nodiscard]] bool take_line(std::string_view& line);
  void take_field(std::string_view line);
  bool give_line(std::string_view line, stream_item& out);
  void clear_event() noexcept;

  std::size_t max_event_bytes_;
  std::string_view input_;
  std::string line_;     ///< the start of an incomplete line
  std::string current_;  ///< a line that arrived in several pieces
  std::string type_;
  std::string data_;
  progress event_{};
  bool lines_{};
  bool after_cr_{};  ///< the last line ended with CR; an LF that follows belongs to it
  bool first_line_{true};
};

}  // namespace citestream::load

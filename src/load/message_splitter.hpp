/// \file
/// Splits binary messages (`application/vnd.amazon.eventstream`) into events, for checking only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "event_splitter.hpp"

namespace citestream::load {

/// Splits one stream. Keeps the incomplete message. Does not use the library that is measured.
class message_splitter {
 public:
  explicit message_splitter(std::size_t max_event_bytes) : max_event_bytes_(max_event_bytes) {}

  /// \p bytes is copied.
  void feed(std::string_view bytes) {
    input_.erase(0, taken_).append(bytes);
    taken_ = 0;
  }
  /// Returns the next message: its type, which is `error` for an exception, and its payload, or the event
  /// that is encoded in it (`{"bytes":"…"}`). A message that is damaged or too large is the last one.
  [[nodiscard]] bool next(stream_item& out);
  /// Returns true if the stream has ended inside a message.
  [[nodiscard]] bool ended_inside_event() const noexcept { return !lost_ && taken_ < input_.size(); }
  /// Prepares for another stream.
  void reset() noexcept;

 private:
  std::size_t max_event_bytes_;
  std::string input_;
  std::string decoded_;  ///< the event of the last message
  std::size_t taken_{};  ///< bytes of `input_` that were returned
  bool lost_{};          ///< nothing more can be read
};

}  // namespace citestream::load

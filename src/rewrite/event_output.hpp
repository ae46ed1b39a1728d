/// \file
/// Collects the output of one call.
#pragma once

#include <string>
#include <string_view>

namespace citestream {

/// Appends to a string. Adjacent ranges of unchanged bytes are joined and appended in one go. Call flush() at
/// the end: a destructor cannot report that memory is exhausted.
class event_output {
 public:
  explicit event_output(std::string& out) noexcept : out_(&out) {}
  event_output(const event_output&) = delete;
  event_output& operator=(const event_output&) = delete;

  /// Passes bytes through unchanged. They must stay valid until flush() or text().
  void pass(std::string_view bytes) {
    if (unchanged_.data() + unchanged_.size() == bytes.data()) {
      unchanged_ = {unchanged_.data(), unchanged_.size() + bytes.size()};
    } else {
      flush();
      unchanged_ = bytes;
    }
  }
  void flush() {
    out_->append(unchanged_);
    unchanged_ = {};
  }
  /// All output so far; append to it.
  [[nodiscard]] std::string& text() {
    flush();
    return *out_;
  }

 private:
  std::string* out_;
  std::string_view unchanged_;
};

}  // namespace citestream

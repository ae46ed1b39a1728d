/// \file
/// Collects the output of one call.
#pragma once

#include <string>
#include <string_view>

#include "rewrite/splice.hpp"
#include "sse/decoder.hpp"

namespace citestream {

/// Appends to a string. Adjacent ranges of unchanged bytes are joined and appended in one go.
class event_output {
 public:
  explicit event_output(std::string& out) noexcept : out_(&out) {}
  event_output(const event_output&) = delete;
  event_output& operator=(const event_output&) = delete;
  ~event_output() { flush(); }

  /// Passes bytes through unchanged. They must stay valid until flush() or text().
  void pass(std::string_view bytes) {
    if (unchanged_.data() + unchanged_.size() == bytes.data()) {
      unchanged_ = {unchanged_.data(), unchanged_.size() + bytes.size()};
    } else {
      flush();
      unchanged_ = bytes;
    }
  }
  /// Passes an event through with edits.
  void pass(const sse_item& item, splicer& edits) {
    const byte_range* const only = item.lines == nullptr ? edits.only_replacement() : nullptr;
    if (edits.empty()) {
      pass(item.raw);
    } else if (only != nullptr) {  // the usual case
      pass(item.raw.substr(0, item.data_offset + only->begin));
      text().append(edits.replacement());
      pass(item.raw.substr(item.data_offset + only->end));
    } else {
      edits.apply(item, text());
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

// What one call sends.
#pragma once

#include <string>
#include <string_view>

#include "rewrite/splice.hpp"
#include "sse/decoder.hpp"

namespace citestream {

// Bytes that pass unchanged are appended in one go as long as they lie next to each other.
class event_output {
 public:
  explicit event_output(std::string& out) noexcept : out_(&out) {}
  event_output(const event_output&) = delete;
  event_output& operator=(const event_output&) = delete;
  ~event_output() { flush(); }

  // `bytes` live until flush() or text().
  void pass(std::string_view bytes) {
    if (unchanged_.data() + unchanged_.size() == bytes.data()) {
      unchanged_ = {unchanged_.data(), unchanged_.size() + bytes.size()};
    } else {
      flush();
      unchanged_ = bytes;
    }
  }
  // The event with the edits in it.
  void pass(const sse_item& item, splicer& edits) {
    const byte_range* const only = item.lines == nullptr ? edits.only_replacement() : nullptr;
    if (edits.empty()) {
      pass(item.raw);
    } else if (only != nullptr) {  // mostly
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
  // All that was sent so far, to append to.
  [[nodiscard]] std::string& text() {
    flush();
    return *out_;
  }

 private:
  std::string* out_;
  std::string_view unchanged_;
};

}  // namespace citestream

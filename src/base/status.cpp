#include <citestream/base/status.hpp>

#include <string>

#include "enum_text.hpp"

namespace citestream {

std::string_view message(errc code) noexcept {
  static constexpr std::string_view texts[] = {"no error",
                                               "event exceeds max_event_bytes",
                                               "invalid JSON",
                                               "JSON nesting exceeds max_json_depth",
                                               "duplicate key in a JSON object",
                                               "body exceeds max_body_bytes",
                                               "",  // no code has this number
                                               "the stream or body is incomplete",
                                               "the stream has already been finished",
                                               "invalid CRC or length in a binary message"};
  const std::string_view text = enum_text<errc::damaged_message>(texts, code);
  return text.empty() ? "unknown error" : text;
}

namespace {

class category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "citestream"; }
  [[nodiscard]] std::string message(int code) const override {
    return std::string(citestream::message(static_cast<errc>(code)));
  }
};

}  // namespace

const std::error_category& error_category() noexcept {
  static const category instance;
  return instance;
}

}  // namespace citestream

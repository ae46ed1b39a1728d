#include <citestream/base/status.hpp>

#include <string>

namespace citestream {

std::string_view message(errc code) noexcept {
  switch (code) {
    case errc::ok:
      return "no error";
    case errc::event_too_large:
      return "event exceeds max_event_bytes";
    case errc::invalid_json:
      return "invalid JSON";
    case errc::json_too_deep:
      return "JSON nesting exceeds max_json_depth";
    case errc::duplicate_key:
      return "duplicate key in a JSON object";
    case errc::body_too_large:
      return "body exceeds max_body_bytes";
    case errc::upstream_incomplete:
      return "the stream or body is incomplete";
    case errc::finished:
      return "the stream has already been finished";
    case errc::damaged_message:
      return "invalid CRC or length in a binary message";
  }
  return "unknown error";
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

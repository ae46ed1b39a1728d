#include <citestream/base/status.hpp>

#include <string>

namespace citestream {

std::string_view message(errc code) noexcept {
  switch (code) {
    case errc::ok:
      return "no error";
    case errc::event_too_large:
      return "an event is larger than the bound";
    case errc::invalid_json:
      return "a payload is not valid JSON";
    case errc::json_too_deep:
      return "a payload is nested too deep";
    case errc::duplicate_key:
      return "an object holds a key twice";
    case errc::body_too_large:
      return "a body is larger than the bound";
    case errc::invalid_option:
      return "an option names what does not exist";
    case errc::upstream_incomplete:
      return "the stream ended inside an answer";
    case errc::finished:
      return "bytes after the end";
    case errc::damaged_message:
      return "a binary message has a wrong CRC or length";
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

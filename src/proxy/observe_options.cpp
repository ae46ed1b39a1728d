#include "observe_options.hpp"

namespace citestream {

std::string_view name(log_level level) noexcept {
  switch (level) {
    case log_level::error:
      return "error";
    case log_level::warn:
      return "warn";
    case log_level::info:
      return "info";
    case log_level::off:
      break;
  }
  return "off";
}

std::string_view name(log_format format) noexcept {
  return format == log_format::json ? "json" : "text";
}

std::optional<log_level> log_level_named(std::string_view wanted) noexcept {
  for (const log_level one : {log_level::off, log_level::error, log_level::warn, log_level::info}) {
    if (name(one) == wanted) return one;
  }
  return std::nullopt;
}

std::optional<log_format> log_format_named(std::string_view wanted) noexcept {
  for (const log_format one : {log_format::text, log_format::json}) {
    if (name(one) == wanted) return one;
  }
  return std::nullopt;
}

}  // namespace citestream

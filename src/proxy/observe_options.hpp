/// \file
/// What the proxy tells about itself: logs, metrics, recordings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

enum class log_level : std::uint8_t {
  off,
  error,  ///< what keeps the proxy from its work
  warn,   ///< also requests that did not end as they should, and lost lines and recordings
  info,   ///< also one line for every request
};

enum class log_format : std::uint8_t {
  text,  ///< `key=value` words
  json,  ///< one object a line
};

/// "off", "error", "warn" or "info".
[[nodiscard]] std::string_view name(log_level level) noexcept;
[[nodiscard]] std::optional<log_level> log_level_named(std::string_view wanted) noexcept;
/// "text" or "json".
[[nodiscard]] std::string_view name(log_format format) noexcept;
[[nodiscard]] std::optional<log_format> log_format_named(std::string_view wanted) noexcept;

struct log_options {
  log_level level{log_level::off};
  log_format format{log_format::text};
  std::string file;               ///< appended to; empty: standard error
  std::size_t queue_lines{8192};  ///< not yet written; beyond that the oldest are lost, and counted
};

/// Event streams saved as they came from upstream, for `replay` and `filter`.
struct record_options {
  std::string directory;        ///< made where it is missing, for its owner alone; empty: nothing is recorded
  std::size_t max_files{1000};  ///< the oldest are removed
  std::uint64_t max_bytes{std::uint64_t{1} << 30U};          ///< of all files; the oldest are removed
  std::uint64_t max_stream_bytes{std::uint64_t{16} << 20U};  ///< of one file; a longer stream is not kept
  std::size_t max_open{256};                                 ///< streams recorded at once
  std::size_t queue_bytes{std::size_t{32} << 20U};  ///< not yet written; a stream that finds no room is lost
};

}  // namespace citestream

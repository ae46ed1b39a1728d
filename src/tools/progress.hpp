/// \file
/// Progress line for long runs on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace citestream::tools {

/// Shows the number of bytes, the percentage and the bytes per second in one line on standard error. The line
/// appears after half a second. The destructor erases it, and so does SIGINT or SIGTERM before it ends the
/// process. Nothing is shown if standard error is not a terminal, or if standard output is a terminal, where
/// the line would be mixed with the output. Only one object may exist at a time.
class progress {
 public:
  /// \param total  number of bytes, if known
  explicit progress(std::optional<std::uint64_t> total);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Adds \p bytes to the count and updates the line.
  void advance(std::size_t bytes);

 private:
  using clock = std::chrono::steady_clock;
  void show(clock::time_point now);

  std::optional<std::uint64_t> total_;
  bool wanted_;
  bool shown_{};
  std::uint64_t done_{};
  clock::time_point started_{};
  clock::time_point next_{};
};

}  // namespace citestream::tools

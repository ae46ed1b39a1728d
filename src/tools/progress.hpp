// The progress line of a long run, on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace citestream::tools {

/// Shows bytes, percentage and bytes per second in one line of standard error. The line appears if a run
/// takes longer than half a second and is erased by the destructor, and if SIGINT or SIGTERM ends the
/// process. Nothing is shown if standard error is not a terminal, or if standard output is one, because it
/// shows the output. There can be one object at a time.
class progress {
 public:
  /// \param total  number of bytes, if known
  explicit progress(std::optional<std::uint64_t> total);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Counts \p bytes more.
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

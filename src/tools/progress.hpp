// How far a long run has come, told to a person who waits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace citestream::tools {

/// A line of the terminal that standard error is: bytes, part of the whole, bytes a second. It comes when a
/// run lasts, and goes with this object. Nothing is written where standard error is no terminal, or where
/// standard output is one: there the output itself is to be seen.
class progress {
 public:
  /// \param total  bytes in all, where that is known
  explicit progress(std::optional<std::uint64_t> total);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// So many bytes more are done.
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

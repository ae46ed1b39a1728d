/// \file
/// Counts durations in a fixed number of buckets, so memory does not grow with the length of a run.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace citestream::load {

/// Buckets as in HdrHistogram: 128 per power of two, so a percentile is at most 0.8 % above the measured
/// value. Durations over 2^43 ns (2.4 hours) count as that long.
class latency_histogram {
 public:
  using nanoseconds = std::chrono::nanoseconds;

  /// Counts \p value. A negative value counts as 0.
  void add(nanoseconds value) noexcept;

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] nanoseconds max() const noexcept { return nanoseconds(max_); }
  /// 0 if nothing was counted.
  [[nodiscard]] nanoseconds mean() const noexcept;
  /// The smallest duration that at least \p per_cent of the values do not exceed, rounded up to the end of
  /// its bucket, at most max(). 0 if nothing was counted.
  [[nodiscard]] nanoseconds percentile(double per_cent) const noexcept;

 private:
  static constexpr unsigned bucket_bits = 7;
  static constexpr unsigned value_bits = 43;
  static constexpr std::size_t buckets = std::size_t{value_bits - bucket_bits + 1} << bucket_bits;

  std::array<std::uint64_t, buckets> counts_{};
  std::uint64_t count_{};
  std::uint64_t max_{};
  double sum_{};
};

}  // namespace citestream::load

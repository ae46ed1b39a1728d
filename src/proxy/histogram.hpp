/// \file
/// Counts durations by size, for one thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace citestream {

/// \p Bounds: a type with `static constexpr std::array<double, N> seconds`, rising.
template <class Bounds>
struct duration_histogram {
  static constexpr std::size_t buckets = Bounds::seconds.size() + 1;

  std::array<std::uint64_t, buckets> counts{};  ///< not cumulative; the last: above all bounds
  std::chrono::nanoseconds sum{};

  void observe(std::chrono::nanoseconds took) noexcept {
    const double seconds = std::chrono::duration<double>(took).count();
    std::size_t place = 0;
    while (place < Bounds::seconds.size() && seconds > Bounds::seconds[place]) ++place;
    ++counts[place];
    sum += took;
  }

  void add(const duration_histogram& other) noexcept {
    for (std::size_t i = 0; i < buckets; ++i) counts[i] += other.counts[i];
    sum += other.sum;
  }
};

/// What the proxy adds: microseconds, milliseconds where it is busy.
struct added_bounds {
  static constexpr std::array<double, 14> seconds{0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001,
                                                  0.0025,  0.005,    0.01,    0.025,  0.05,    0.1,    0.5};
};
/// How long text is withheld: until the model's next tokens.
struct hold_bounds {
  static constexpr std::array<double, 12> seconds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                  0.1,   0.25,   0.5,   1,    2.5,   10};
};
/// How long requests take.
struct request_bounds {
  static constexpr std::array<double, 13> seconds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                  1,     2.5,  5,     10,   30,  120};
};

}  // namespace citestream

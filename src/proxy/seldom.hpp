/// \file
/// Something that may happen thousands of times a second, and is said once.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace citestream {

/// Counts, and says now and then how often. From any thread.
class seldom {
 public:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds pause{1};

  /// One more, at \p now. \return how many there are to be told of; 0: it was told less than `pause` ago.
  [[nodiscard]] std::uint64_t count(clock::time_point now = clock::now()) noexcept {
    const std::lock_guard lock(mutex_);
    ++untold_;
    if (told_ && now - last_ < pause) return 0;
    told_ = true;
    last_ = now;
    const std::uint64_t out = untold_;
    untold_ = 0;
    return out;
  }

 private:
  std::mutex mutex_;
  std::uint64_t untold_{};
  bool told_{};
  clock::time_point last_;
};

}  // namespace citestream

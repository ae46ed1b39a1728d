/// \file
/// Waiting for what another thread or process does: an event that a test opens, and a condition that is
/// polled.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace citestream_tests {

using std::chrono::milliseconds;

/// Upper bound for every wait. Nothing in a test takes this long unless something is broken.
inline constexpr milliseconds patience{60'000};

/// An event: closed until open() is called.
class gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  [[nodiscard]] bool wait_for(milliseconds at_most) {
    std::unique_lock lock(mutex_);
    return opened_.wait_for(lock, at_most, [this] { return open_; });
  }
  /// Throws if the gate stays closed for longer than `patience`.
  void wait() {
    if (!wait_for(patience)) throw std::runtime_error("the gate was not opened");
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_{};
};

/// Polls until \p condition holds. \return false if it did not hold within \p at_most
[[nodiscard]] inline bool eventually(const std::function<bool()>& condition,
                                     milliseconds at_most = patience) {
  const auto start = std::chrono::steady_clock::now();
  while (!condition()) {
    if (std::chrono::steady_clock::now() - start > at_most) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

/// Detects that nothing happens any more: 300 consecutive observations without an event, one millisecond
/// apart. Counts observations rather than time, because on a busy machine time passes without anything
/// running.
class stillness {
 public:
  /// \p happened: something happened since the last call. \return true if nothing happens any more
  [[nodiscard]] bool after(bool happened) {
    quiet_ = happened ? 0 : quiet_ + 1;
    if (!happened) std::this_thread::sleep_for(milliseconds(1));
    return quiet_ >= 300;
  }

 private:
  int quiet_{};
};

}  // namespace citestream_tests

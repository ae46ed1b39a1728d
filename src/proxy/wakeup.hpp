/// \file
/// The one thing that a coroutine of the proxy ever waits for.
///
/// Operations are started, note their result where they belong, and notify. The coroutine waits until what
/// it looks for is there, or a deadline. So any of several things can end a wait (bytes, a client that
/// leaves, a deadline, the end of the proxy), and ending an operation is closing its socket: nothing is ever
/// cancelled from outside, and no byte that was read gets lost.
#pragma once

#include <memory>
#include <optional>

#include "asio.hpp"

namespace citestream {

/// Deadlines mostly move forward and are hardly ever reached: the timer runs until the first one that was
/// asked for, looks then how late it really is, and is set again. A wait that is notified costs no timer.
class wakeup : public std::enable_shared_from_this<wakeup> {
 public:
  explicit wakeup(asio::io_context& io) : io_(io), timer_(io) {}

  /// Something has changed. From the event loop's own thread only.
  void notify();
  /// Destroys the coroutine that waits, if one does. For the end of its event loop.
  void abandon();

  /// Waits until \p ready says so. One waiter at a time. \return false: \p deadline came first.
  template <class Ready>
  awaitable<bool> until(const Ready& ready, clock::time_point deadline) {
    bool is_ready = ready();
    while (!is_ready && clock::now() < deadline) {
      co_await sleep_until(deadline);
      is_ready = ready();
    }
    co_return is_ready;
  }

  /// Waits until something may have changed, or \p deadline: for a loop that looks.
  awaitable<void> sleep_until(clock::time_point deadline);

 private:
  using waiter = asio::async_result<use_awaitable_t, void()>::handler_type;

  void arm();
  void on_time(error_code cancelled);

  asio::io_context& io_;
  asio::steady_timer timer_;
  std::optional<waiter> waiter_;
  clock::time_point deadline_{};                       ///< of the waiter
  clock::time_point alarm_{clock::time_point::max()};  ///< of the timer, where it runs
};

}  // namespace citestream

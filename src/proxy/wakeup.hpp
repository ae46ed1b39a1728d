/// \file
/// How coroutines of the proxy wait: for a condition or a deadline.
///
/// Operations store their result and notify. The coroutine waits until its condition holds or a deadline
/// passes. Several events can therefore end one wait (bytes, a disconnect, a deadline, the end of the proxy).
/// An operation is ended by closing its socket: nothing is cancelled from outside, and no received byte is
/// lost.
#pragma once

#include <memory>
#include <optional>

#include "asio.hpp"

namespace citestream {

/// Deadlines usually move forward and are rarely reached. The timer keeps its first expiry, compares the time
/// with the current deadline then, and is set again. A wait that is notified in time needs no timer
/// operation.
class wakeup : public std::enable_shared_from_this<wakeup> {
 public:
  explicit wakeup(asio::io_context& io) : io_(io), timer_(io) {}

  /// Lets the event loop resume the waiting coroutine. Only from the thread of the event loop.
  void notify();
  /// Resumes the waiting coroutine at once, which saves a round of the event loop. The last action of a
  /// handler that keeps its object alive, because the coroutine may destroy everything else.
  void resume();
  /// Destroys the waiting coroutine, if there is one. For the end of the event loop.
  void abandon();

  /// Waits until \p ready returns true. One waiter at a time. \return false if \p deadline passed first.
  template <class Ready>
  awaitable<bool> until(const Ready& ready, clock::time_point deadline) {
    bool is_ready = ready();
    while (!is_ready && clock::now() < deadline) {
      co_await sleep_until(deadline);
      is_ready = ready();
    }
    co_return is_ready;
  }

  /// Waits until notify() or \p deadline. For a loop that checks its condition itself.
  awaitable<void> sleep_until(clock::time_point deadline);

 private:
  /// A coroutine that waits.
  struct waiter {
    asio::async_result<use_awaitable_t, void()>::handler_type resume;
    clock::time_point deadline;
  };

  void arm();
  void on_time(error_code cancelled);

  asio::io_context& io_;
  asio::steady_timer timer_;
  std::optional<waiter> waiter_;
  clock::time_point alarm_{clock::time_point::max()};  ///< when the timer expires, if it runs
};

}  // namespace citestream

/// \file
/// The one thing that a coroutine of the proxy ever waits for.
///
/// Operations are started, note their result where they belong, and notify. The coroutine waits until what
/// it looks for is there, or a deadline. So any of several things can end a wait (bytes, a client that
/// leaves, a deadline, the end of the proxy), and ending an operation is closing its socket: nothing is ever
/// cancelled from outside, and no byte that was read gets lost.
#pragma once

#include "asio.hpp"

namespace citestream {

class wakeup {
 public:
  explicit wakeup(asio::io_context& io) : timer_(io) {}

  /// Something has changed. From the event loop's own thread only.
  void notify() { timer_.cancel(); }

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

 private:
  awaitable<void> sleep_until(clock::time_point deadline) {
    timer_.expires_at(deadline);
    error_code cancelled;
    auto token = asio::redirect_error(asio::use_awaitable, cancelled);
    co_await timer_.async_wait(token);
  }

  asio::steady_timer timer_;
};

}  // namespace citestream

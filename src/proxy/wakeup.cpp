#include "wakeup.hpp"

#include <utility>

#include <boost/asio/post.hpp>

namespace citestream {

void wakeup::notify() {
  if (!waiter_) return;
  // Posted, because the caller may still use objects that the coroutine destroys.
  asio::post(io_, [resume = std::move(*std::exchange(waiter_, std::nullopt))]() mutable { resume(); });
}

void wakeup::resume() {
  if (!waiter_) return;
  waiter continued = std::move(*std::exchange(waiter_, std::nullopt));
  continued();
}

void wakeup::abandon() {
  const std::optional<waiter> dropped = std::exchange(waiter_, std::nullopt);
}

awaitable<void> wakeup::sleep_until(clock::time_point deadline) {
  deadline_ = deadline;
  auto wait = [this](auto handler) {
    waiter_.emplace(std::move(handler));
    arm();
  };
  constexpr use_awaitable_t token;
  return asio::async_initiate<const use_awaitable_t, void()>(wait, token);
}

void wakeup::arm() {
  if (alarm_ <= deadline_) return;
  alarm_ = deadline_;
  timer_.expires_at(alarm_);
  timer_.async_wait([self = weak_from_this()](error_code cancelled) {
    if (const auto alive = self.lock()) alive->on_time(cancelled);
  });
}

void wakeup::on_time(error_code cancelled) {
  if (cancelled) return;  // it was set again
  alarm_ = clock::time_point::max();
  if (!waiter_) return;
  if (clock::now() < deadline_) return arm();
  notify();
}

}  // namespace citestream

#include "wakeup.hpp"

#include <utility>

#include <boost/asio/post.hpp>

namespace citestream {

void wakeup::notify() {
  if (!waiter_) return;
  // Posted, because the caller may still use objects that the coroutine destroys.
  asio::post(io_, [resume = std::move(std::exchange(waiter_, std::nullopt)->resume)]() mutable { resume(); });
}

void wakeup::resume() {
  if (!waiter_) return;
  waiter continued = std::move(*std::exchange(waiter_, std::nullopt));
  continued.resume();
}

void wakeup::abandon() {
  const std::optional<waiter> dropped = std::exchange(waiter_, std::nullopt);
}

awaitable<void> wakeup::sleep_until(clock::time_point deadline) {
  auto wait = [this, deadline](auto handler) {
    waiter_.emplace(std::move(handler), deadline);
    arm();
  };
  constexpr use_awaitable_t token;
  return asio::async_initiate<const use_awaitable_t, void()>(wait, token);
}

void wakeup::arm() {
  if (alarm_ <= waiter_->deadline) return;
  alarm_ = waiter_->deadline;
  timer_.expires_at(alarm_);
  timer_.async_wait([self = weak_from_this()](error_code cancelled) {
    if (const auto alive = self.lock()) alive->on_time(cancelled);
  });
}

void wakeup::on_time(error_code cancelled) {
  if (cancelled) return;  // it was set again
  alarm_ = clock::time_point::max();
  if (!waiter_) return;
  if (clock::now() < waiter_->deadline) return arm();
  notify();
}

}  // namespace citestream

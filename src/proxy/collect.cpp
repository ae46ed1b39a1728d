#include "collect.hpp"

#include <condition_variable>
#include <mutex>

#include <boost/asio/post.hpp>

#include "connection.hpp"

namespace citestream {
namespace {

/// Outlives the question where a worker answers too late.
struct gathering {
  std::mutex mutex;
  std::condition_variable answered;
  std::size_t missing{};
  proxy_metrics sum;
};

proxy_metrics copy_of(const worker& one) {
  proxy_metrics out = one.metrics;
  out.connections = one.live.size();
  for (const connection* client : one.live) out.count_running(client->seen());
  for (const auto& [to, pool] : one.pools) out.idle_upstream += pool.size();
  return out;
}

}  // namespace

bool collect(const std::vector<std::unique_ptr<worker>>& from, std::chrono::milliseconds at_most,
             proxy_metrics& out) {
  const auto all = std::make_shared<gathering>();
  all->missing = from.size();
  for (const auto& one : from) {
    asio::post(one->io, [all, &asked = *one] {
      const proxy_metrics copy = copy_of(asked);
      {
        const std::lock_guard lock(all->mutex);
        all->sum.add(copy);
        --all->missing;
      }
      all->answered.notify_all();
    });
  }
  std::unique_lock lock(all->mutex);
  if (!all->answered.wait_for(lock, at_most, [&] { return all->missing == 0; })) return false;
  out = std::move(all->sum);
  return true;
}

}  // namespace citestream

/// \file
/// What the connections of one thread share.
#pragma once

#include <citestream/session/workspace.hpp>

#include <atomic>
#include <unordered_set>

#include "request_id.hpp"
#include "server.hpp"
#include "upstream_link.hpp"
#include "upstream_url.hpp"

namespace citestream {

class connection;

/// proxy_statistics, counted by several threads.
struct proxy_counters {
  std::atomic<std::uint64_t> connections{};
  std::atomic<std::uint64_t> active{};
  std::atomic<std::uint64_t> requests{};
  std::atomic<std::uint64_t> requests_changed{};
  std::atomic<std::uint64_t> requests_unread{};
  std::atomic<std::uint64_t> refused{};
  std::atomic<std::uint64_t> streams{};
  std::atomic<std::uint64_t> bodies{};
  std::atomic<std::uint64_t> bypassed{};
  std::atomic<std::uint64_t> upstream_errors{};
  std::atomic<std::uint64_t> clients_left{};
  std::atomic<std::uint64_t> upstream_connects{};
  std::atomic<std::uint64_t> unsent_max{};

  void note_unsent(std::uint64_t bytes) noexcept {
    std::uint64_t seen = unsent_max.load(std::memory_order_relaxed);
    while (seen < bytes && !unsent_max.compare_exchange_weak(seen, bytes)) {
    }
  }
};

/// One thread: its event loop, its idle upstream connections, its clients. Only that thread touches it.
struct worker {
  worker(const proxy_options& options_, const http::upstream_url& url_, asio::ssl::context& tls_,
         proxy_counters& counters_)
      : options(options_), url(url_), tls(tls_), counters(counters_) {}
  ~worker();

  const proxy_options& options;
  const http::upstream_url& url;
  asio::ssl::context& tls;
  proxy_counters& counters;
  std::unordered_set<connection*> live;
  bool draining{};  ///< no further request on any connection
  bool aborting{};  ///< running answers end now
  upstream_pool pool;
  http::request_ids ids;
  workspace space;         ///< of the sessions
  asio::io_context io{1};  ///< last: what is still pending in it goes first
};

}  // namespace citestream

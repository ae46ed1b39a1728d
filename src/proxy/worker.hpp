/// \file
/// What the connections of one thread share.
#pragma once

#include <citestream/session/session.hpp>

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>

#include "http/request_id.hpp"
#include "metrics.hpp"
#include "observer.hpp"
#include "site.hpp"
#include "transfer_room.hpp"
#include "upstream_link.hpp"

namespace citestream {

class connection;

/// proxy_statistics, counted by several threads.
struct proxy_counters {
  std::atomic<std::uint64_t> connections{};
  std::atomic<std::uint64_t> active{};
  std::atomic<std::uint64_t> answers{};
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
  worker(std::shared_ptr<const site> config_, proxy_counters& counters_, observer& watch_,
         name_resolver& resolver_)
      : config(std::move(config_)), counters(counters_), watch(watch_), resolver(resolver_) {}
  ~worker();

  /// Counts and says what a connection threw, which has ended: std::bad_alloc, mostly.
  void tell_broken(const std::exception_ptr& why) noexcept;

  /// A connection that can carry another request. Upstreams of an earlier site are not asked again.
  void keep(const upstream_target& to, std::shared_ptr<upstream_link> link) {
    upstream_pool* const pool = pool_of(to);
    if (pool == nullptr) return link->close();
    pool->put(std::move(link));
  }
  /// Null for an upstream of an earlier site: what is known of it goes with it.
  [[nodiscard]] upstream_pool* pool_of(const upstream_target& to) {
    if (!config->has(to)) return nullptr;
    const auto known = pools.find(&to);
    if (known != pools.end()) return &known->second;
    return &pools.try_emplace(&to, io, config->options.pool, new_memory(to)).first->second;
  }
  [[nodiscard]] std::shared_ptr<upstream_memory> memory_of(const upstream_target& to) {
    upstream_pool* const pool = pool_of(to);
    return pool == nullptr ? new_memory(to) : pool->memory();
  }
  [[nodiscard]] std::shared_ptr<upstream_memory> new_memory(const upstream_target& to) {
    // Half of the time to connect is left for an old address if the name server does not answer.
    const dns_cache::times bounds{config->options.pool.names, config->options.deadlines.connect / 2};
    return std::make_shared<upstream_memory>(std::make_shared<dns_cache>(io, resolver, to.url.host, bounds));
  }

  std::shared_ptr<const site> config;  ///< for requests that begin; a reload brings another one
  proxy_counters& counters;
  observer& watch;
  name_resolver& resolver;
  proxy_metrics metrics;
  std::unordered_set<connection*> live;
  bool draining{};  ///< no further request on any connection
  bool aborting{};  ///< running answers end now
  std::map<const upstream_target*, upstream_pool> pools;
  http::request_ids ids;
  workspace space;         ///< of the sessions
  transfer_room room;      ///< of what passes
  asio::io_context io{1};  ///< last: what is still pending in it goes first
};

}  // namespace citestream

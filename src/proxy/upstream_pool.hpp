/// \file
/// Idle connections of one worker to one upstream, and the caches that new connections to it use.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <openssl/types.h>

#include "asio.hpp"
#include "dns_cache.hpp"
#include "proxy_options.hpp"

struct ssl_session_st;  // OpenSSL has no header with a forward declaration

namespace citestream {

class upstream_link;

/// The last TLS session with a server, to resume it on the next connection.
class tls_session_cache {
 public:
  tls_session_cache() = default;
  tls_session_cache(const tls_session_cache&) = delete;
  tls_session_cache& operator=(const tls_session_cache&) = delete;
  ~tls_session_cache();

  /// Offers the cached session to the server. Sessions that the server sends on \p connection are cached
  /// here.
  void use(SSL* connection);
  /// Enables the cache for connections of \p context. Call it once for each context.
  static void enable(SSL_CTX* context);

 private:
  static int on_session(SSL* connection, ssl_session_st* session);

  ssl_session_st* session_{};
};

/// What a worker remembers about an upstream. Shared with connections, which may outlive the pool.
struct upstream_caches {
  explicit upstream_caches(std::shared_ptr<dns_cache> names_in) noexcept : names(std::move(names_in)) {}

  std::shared_ptr<dns_cache> names;
  tls_session_cache sessions;
};

/// Idle connections; the one used last is used next. Each is closed when it has been idle for too long.
class upstream_pool {
 public:
  upstream_pool(asio::io_context& io, const pool_options& bounds, std::shared_ptr<upstream_caches> caches)
      : bounds_(bounds), caches_(std::move(caches)), timer_(io) {}
  ~upstream_pool() { clear(); }
  upstream_pool(const upstream_pool&) = delete;
  upstream_pool& operator=(const upstream_pool&) = delete;

  /// Returns a connection that is still open, or null.
  [[nodiscard]] std::shared_ptr<upstream_link> take();
  void put(std::shared_ptr<upstream_link> link);
  void clear();
  [[nodiscard]] std::size_t size() const noexcept { return idle_.size(); }
  [[nodiscard]] const std::shared_ptr<upstream_caches>& caches() const noexcept { return caches_; }

 private:
  struct idle_link {
    std::shared_ptr<upstream_link> link;
    clock::time_point since;
  };
  void close_old(clock::time_point now);
  void start_timer();

  pool_options bounds_;
  std::shared_ptr<upstream_caches> caches_;
  std::vector<idle_link> idle_;  ///< idle for longest first
  asio::steady_timer timer_;     ///< runs while there are idle connections, until the first one is too old
  bool timer_runs_{};
  std::shared_ptr<const bool> exists_{std::make_shared<const bool>(true)};  ///< expires with the pool
};

}  // namespace citestream

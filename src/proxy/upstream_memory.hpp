/// \file
/// What one thread knows of one upstream: its addresses, a TLS session, and connections that wait for
/// requests.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <openssl/types.h>

#include "asio.hpp"
#include "dns_cache.hpp"
#include "server.hpp"

struct ssl_session_st;  // OpenSSL's, which has no forward declaration of its own

namespace citestream {

class upstream_link;

class upstream_memory {
 public:
  explicit upstream_memory(std::shared_ptr<dns_cache> names) noexcept : names_(std::move(names)) {}
  upstream_memory(const upstream_memory&) = delete;
  upstream_memory& operator=(const upstream_memory&) = delete;
  ~upstream_memory();

  [[nodiscard]] dns_cache& names() noexcept { return *names_; }

  /// Offers the last session to the server; from now on the connection's own is kept.
  void resume(SSL* connection);
  /// Makes connections of \p context tell. Once for each context.
  static void watch(SSL_CTX* context);

 private:
  static int on_session(SSL* connection, ssl_session_st* session);

  std::shared_ptr<dns_cache> names_;
  ssl_session_st* session_{};
};

/// Idle connections of one thread to one upstream, the last used first. Each is closed when its time is over.
class upstream_pool {
 public:
  upstream_pool(asio::io_context& io, const pool_options& bounds, std::shared_ptr<upstream_memory> memory)
      : bounds_(bounds), memory_(std::move(memory)), ends_(io) {}
  ~upstream_pool() { clear(); }
  upstream_pool(const upstream_pool&) = delete;
  upstream_pool& operator=(const upstream_pool&) = delete;

  /// One that is alive, or null.
  [[nodiscard]] std::shared_ptr<upstream_link> take();
  void put(std::shared_ptr<upstream_link> link);
  void clear();
  [[nodiscard]] std::size_t size() const noexcept { return idle_.size(); }
  [[nodiscard]] const std::shared_ptr<upstream_memory>& memory() const noexcept { return memory_; }

 private:
  struct idle {
    std::shared_ptr<upstream_link> link;
    clock::time_point since;
  };
  void close_old(clock::time_point now);
  void watch();
  pool_options bounds_;
  std::shared_ptr<upstream_memory> memory_;  ///< connections that are set up may outlive the pool
  std::vector<idle> idle_;                   ///< the longest idle in front
  asio::steady_timer ends_;                  ///< runs while there are any: of the first one's time
  bool watching_{};
  std::shared_ptr<const bool> here_{std::make_shared<const bool>(true)};  ///< as long as the pool
};

}  // namespace citestream

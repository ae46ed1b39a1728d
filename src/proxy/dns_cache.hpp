/// \file
/// Addresses of upstream hosts. A slow name server delays only requests to its host, and no event loop.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "asio.hpp"
#include "proxy_options.hpp"

namespace citestream {

/// The result of one lookup.
struct found_addresses {
  std::vector<asio::ip::address> addresses;  ///< empty if `error` is set
  error_code error;
};

using found_callback = std::function<void(const found_addresses&)>;

/// Looks up host names in background threads, one thread for each name at most. Shared by all workers.
class name_resolver {
 public:
  /// Lookups that run at the same time. Overdue ones do not count, so that they cannot block others.
  static constexpr std::size_t max_threads = 16;

  /// \p look_up may block; empty: getaddrinfo().
  explicit name_resolver(name_lookup look_up);
  ~name_resolver();  ///< close()
  name_resolver(const name_resolver&) = delete;
  name_resolver& operator=(const name_resolver&) = delete;

  /// Calls \p done in \p io when the addresses of \p host are known. Several calls for one host share a
  /// lookup.
  void find(const std::string& host, asio::io_context& io, found_callback done);
  /// The lookup of \p host takes too long. It continues, but no longer counts as running.
  void overdue(const std::string& host);
  /// No callback is called any more. Does not wait for lookups that are still running. Call this before an
  /// event loop that was given to find() is destroyed.
  void close() noexcept;

 private:
  struct state;
  static void start(const std::shared_ptr<state>& all);
  static void run(const std::shared_ptr<state>& all, std::string host);
  std::shared_ptr<state> state_;  ///< also owned by the threads, which may outlive the resolver
};

/// The addresses of one host, as one worker knows them.
class dns_cache : public std::enable_shared_from_this<dns_cache> {
 public:
  struct times {
    std::chrono::milliseconds max_age{};  ///< a new lookup starts after three quarters of it
    std::chrono::milliseconds lookup{};   ///< how long a caller of find() waits
  };

  dns_cache(asio::io_context& io, name_resolver& resolver, std::string host, times bounds);

  /// Calls \p done with the addresses, or with the reason why there are none. The call happens immediately if
  /// addresses are known, otherwise when the lookup ends or its time is over. Addresses that are too old are
  /// still used if the name server does not answer.
  void find(clock::time_point now, found_callback done);
  /// A connection to \p address was made, but not to the ones before it: it comes first until the next
  /// lookup.
  void prefer(const asio::ip::address& address);
  /// \p address accepts connections and does not do its part of TLS: it comes last until the next lookup.
  void defer(const asio::ip::address& address);
  /// A connection to these addresses failed: look the name up again before the next one.
  void expire() noexcept { expires_at_ = clock::time_point::min(); }

 private:
  void look_up();
  void on_found(const found_addresses& found, clock::time_point now);
  void on_deadline(clock::time_point now);
  void keep_old(clock::time_point now);
  void tell_waiters(const found_addresses& result);

  asio::io_context& io_;
  name_resolver& resolver_;
  std::string host_;
  times bounds_;
  found_addresses known_;
  clock::time_point refresh_at_{};
  clock::time_point expires_at_{};
  std::vector<found_callback> waiters_;
  asio::steady_timer deadline_;  ///< of the lookup
  bool looking_up_{};            ///< and its deadline is not over
  bool overdue_{};               ///< the deadline of the last lookup has passed without a result
};

}  // namespace citestream

/// \file
/// Connections of one worker to one upstream, plain or TLS: one of them, and those that are idle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asio.hpp"
#include "config_snapshot.hpp"
#include "dns_cache.hpp"
#include "proxy_options.hpp"
#include "request_body.hpp"
#include "request_facts.hpp"
#include "tls.hpp"
#include "transport.hpp"
#include "wakeup.hpp"

namespace citestream {

/// What a worker remembers about an upstream. Shared with connections, which may outlive the pool.
struct upstream_caches {
  explicit upstream_caches(std::shared_ptr<dns_cache> names_in) noexcept : names(std::move(names_in)) {}

  std::shared_ptr<dns_cache> names;
  tls_session_cache sessions;
};

/// Every call only starts an operation. Its result is stored here, and the attached wakeup is notified.
class upstream_link : public transport {
 public:
  upstream_link(asio::io_context& io, std::shared_ptr<upstream_target> to,
                std::shared_ptr<upstream_caches> caches);
  ~upstream_link() override;

  /// Sets the wakeup to notify; null: none.
  void attach(std::shared_ptr<wakeup> wake) { wake_ = std::move(wake); }

  /// Looks up the name, connects, and does the TLS handshake including the check of the certificate.
  void connect();
  /// Returns nothing while it connects, \ref failure::none when it is ready, or why it failed.
  [[nodiscard]] std::optional<failure> outcome() const noexcept { return outcome_; }
  /// The same in words.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  /// Returns true if the TLS handshake has begun and is not complete.
  [[nodiscard]] bool handshaking() const noexcept { return tls() != nullptr && !tls()->established(); }
  /// Returns true if TLS has rejected the upstream, for example its certificate.
  [[nodiscard]] bool rejected() const noexcept { return tls() != nullptr && tls()->failed(); }
  /// How many addresses the name has.
  [[nodiscard]] std::size_t address_count() const noexcept { return address_count_; }
  /// The next links try the address of this one last.
  void defer_address() { caches_->names->defer(address_); }

  /// Sends a request.
  void send(std::string head, request_body body);
  [[nodiscard]] bool sent() const noexcept { return outgoing_.done; }

  /// Starts to wait for bytes, unless that has started already or there are bytes to take.
  void receive();
  /// Returns true if there are bytes to take or the connection has ended.
  [[nodiscard]] bool received() const noexcept { return arrival_ == arrival::ready || error_; }
  /// Returns received bytes. Empty without an error(): nothing yet, or part of a TLS record. Valid until the
  /// next call on any link of this thread, so not across a co_await.
  [[nodiscard]] std::string_view take();
  /// Why no further bytes can be received; at the end of the stream `asio::error::eof`.
  [[nodiscard]] error_code error() const noexcept { return error_; }

  /// Returns true if the connection is open and nothing has arrived, as it should be between two requests.
  [[nodiscard]] bool alive();
  [[nodiscard]] clock::time_point born() const noexcept { return born_; }
  /// \p abandoned: no response is wanted. If the request was not sent completely, the upstream sees a reset
  /// at once. Otherwise it sees an end after the rest.
  void close(bool abandoned = false);

 private:
  void on_found(const found_addresses& found);
  void try_next();
  void on_tried(tcp::socket& socket, error_code error);
  void on_connected(tcp::socket& connected);
  void start_handshake();
  void on_handshake(error_code error);
  void on_readable(error_code error) override;
  void on_written(error_code error) override;
  void on_broken() override;
  void send_on();
  void fail_to_connect(error_code error);
  void fail(failure how, const std::string& reason);
  void notify();

  /// The next bytes.
  enum class arrival : std::uint8_t {
    unwanted,
    awaited,  ///< arm_read() was called
    ready,    ///< bytes can be taken, or the connection has ended
  };
  struct connecting;

  /// The request.
  struct outgoing_request {
    std::string head;
    request_body body;
    std::size_t body_sent{};
    bool done{};
  };

  std::shared_ptr<upstream_target> to_;
  std::shared_ptr<upstream_caches> caches_;
  std::size_t address_count_{};
  asio::ip::address address_;               ///< of the connection
  std::unique_ptr<connecting> connecting_;  ///< null once a connection is made or all attempts failed
  outgoing_request outgoing_;
  std::shared_ptr<wakeup> wake_;
  std::optional<failure> outcome_;
  std::string reason_;
  error_code error_;
  clock::time_point born_{};
  arrival arrival_{};
  bool closed_{};
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
  void close_surplus();
  void start_timer();

  pool_options bounds_;
  std::shared_ptr<upstream_caches> caches_;
  std::vector<idle_link> idle_;  ///< idle for longest first
  asio::steady_timer timer_;     ///< runs while there are idle connections, until the first one is too old
  bool timer_runs_{};
  std::shared_ptr<const bool> exists_{std::make_shared<const bool>(true)};  ///< expires with the pool
};

}  // namespace citestream

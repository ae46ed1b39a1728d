/// \file
/// A connection to the upstream, plain or TLS, and the ones kept for later.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ssl/stream.hpp>

#include "upstream_target.hpp"
#include "wakeup.hpp"

namespace citestream {

/// Every call only starts something; results are noted here and the attached wakeup is told.
class upstream_link : public std::enable_shared_from_this<upstream_link> {
 public:
  enum class phase : std::uint8_t { connecting, ready, unreachable, untrusted };

  upstream_link(asio::io_context& io, std::shared_ptr<upstream_target> to);

  /// Who is told from now on; null: nobody.
  void attach(std::shared_ptr<wakeup> wake) { wake_ = std::move(wake); }

  /// Name, TCP, TLS with the certificate checked for the host's name.
  void connect();
  [[nodiscard]] phase state() const noexcept { return phase_; }
  /// Why not, where state() is neither connecting nor ready.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

  /// Sends a request; owns its bytes.
  void send(std::string head, std::string body);
  [[nodiscard]] bool sent() const noexcept { return sent_; }

  /// Reads once, unless a read is under way or its result has not been taken.
  void receive();
  /// There are bytes to take, or the connection has ended.
  [[nodiscard]] bool received() const noexcept { return size_ != 0 || error_; }
  /// What one read brought; valid until the next receive().
  [[nodiscard]] std::string_view take() noexcept;
  /// Why nothing comes any more; end of stream is `asio::error::eof`.
  [[nodiscard]] error_code error() const noexcept { return error_; }

  /// Still open and silent, as a connection between two requests should be.
  [[nodiscard]] bool alive();
  void close();

 private:
  static constexpr std::size_t buffer_bytes = 32 * 1024;

  void on_resolved(error_code error, const tcp::resolver::results_type& results);
  void on_connected(error_code error);
  void fail(phase how, const std::string& reason);
  void tell();
  template <class Stream>
  void send_on(Stream& stream);
  template <class Stream>
  void receive_on(Stream& stream);

  std::shared_ptr<upstream_target> to_;
  tcp::resolver resolver_;
  tcp::socket socket_;
  std::optional<asio::ssl::stream<tcp::socket&>> tls_;
  std::shared_ptr<wakeup> wake_;
  phase phase_{phase::connecting};
  std::string reason_;
  std::string head_;
  std::string body_;
  std::unique_ptr<char[]>
      buffer_;  ///< not filled: of a slow stream only the page that a read touches is there
  std::size_t size_{};
  error_code error_;
  bool sent_{};
  bool receiving_{};
  bool closed_{};
};

/// Idle connections of one thread to one upstream, the last used first.
class upstream_pool {
 public:
  upstream_pool() = default;
  ~upstream_pool() { clear(); }
  upstream_pool(const upstream_pool&) = delete;
  upstream_pool& operator=(const upstream_pool&) = delete;

  /// One that is alive, or null.
  [[nodiscard]] std::shared_ptr<upstream_link> take();
  void put(std::shared_ptr<upstream_link> link);
  void clear();
  [[nodiscard]] std::size_t size() const noexcept { return idle_.size(); }

 private:
  struct idle {
    std::shared_ptr<upstream_link> link;
    clock::time_point since;
  };
  std::vector<idle> idle_;
};

}  // namespace citestream

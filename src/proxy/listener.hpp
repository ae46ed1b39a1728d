/// \file
/// Listening sockets: their addresses, binding them, and accepting connections in one event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>

#include "asio.hpp"
#include "worker.hpp"

namespace citestream {

/// An address to listen on, as configured.
struct listen_address {
  bool tls{};
  std::string host;  ///< empty: all addresses
  std::string port;
  std::string path;  ///< of a Unix socket; empty for TCP
};

/// Parses addresses separated by commas, each `host:port`, `[v6]:port` or `unix:/path`, and appends them.
/// \return an empty string, or one line that describes the error.
[[nodiscard]] std::string parse_listen_addresses(std::string_view list, bool tls,
                                                 std::vector<listen_address>& out);

using acceptor_type = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

/// One address with a listening socket for each event loop.
struct bound_address {
  bool tls{};
  std::string url;       ///< `http://127.0.0.1:8080`, `https://…` or `unix:/path`
  std::uint16_t port{};  ///< 0: a Unix socket
  bool shared{};         ///< another process listens on the same port
  std::string path;
  std::uint64_t inode{};  ///< of `path`, to detect that another process has replaced it
  std::vector<acceptor_type> acceptors;
};

/// Binds and listens on the first address of a TCP host, with SO_REUSEPORT. May block.
[[nodiscard]] error_code bind_tcp(const listen_address& at, const std::vector<asio::io_context*>& loops,
                                  bound_address& out);

/// Binds and listens, see bind_tcp(). A Unix socket atomically replaces a socket with
/// the same path; \p unix_mode are its permissions. \return an empty string, or one line that describes the
/// error.
[[nodiscard]] std::string bind_address(const listen_address& at, unsigned unix_mode,
                                       const std::vector<asio::io_context*>& loops, bound_address& out);
/// Removes the path of a Unix socket, unless another process has replaced it.
void remove_path(const bound_address& from) noexcept;

/// Accepts connections at one address for one worker.
class listener : public std::enable_shared_from_this<listener> {
 public:
  using tls_context = std::shared_ptr<asio::ssl::context>;

  /// \p tls: null for plain connections.
  listener(worker& owner, acceptor_type acceptor, tls_context tls);

  [[nodiscard]] asio::io_context& loop() noexcept { return worker_.io; }
  // Only from the thread of the event loop, or before it runs:
  void start();
  /// Sets the TLS context of new connections. Plain listeners ignore it.
  void renew(const tls_context& tls) {
    if (tls_) tls_ = tls;
  }
  /// Serves all connections whose handshake is complete, then closes.
  void stop();

 private:
  using socket_type = asio::generic::stream_protocol::socket;

  void accept();
  void on_accepted(error_code error, socket_type socket);
  void take(socket_type socket) noexcept;
  void serve(socket_type socket);
  void log_full(std::size_t bound);
  void log_accept_failure(const error_code& error);

  worker& worker_;
  acceptor_type acceptor_;
  asio::steady_timer pause_;
  tls_context tls_;
  bool lacks_descriptors_{};  ///< since the last connection was accepted
  bool stopped_{};
};

}  // namespace citestream

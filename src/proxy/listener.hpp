/// \file
/// Listening sockets: their addresses, binding them, and accepting connections in one event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>

#include "asio.hpp"
#include "worker.hpp"

namespace citestream {

/// `192.0.2.1:5000`, `[2001:db8::1]:5000`.
[[nodiscard]] inline std::string authority_of(const tcp::endpoint& of) {
  const std::string host = of.address().to_string();
  return (of.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(of.port());
}

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

/// Shares a port with all processes of the same user that set this option too.
using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

/// Resolves \p host and returns its first address, which is the one that is bound; an empty host: all
/// addresses. May block.
[[nodiscard]] tcp::endpoint find_listen_endpoint(asio::io_context& io, const std::string& host,
                                                 const std::string& port, error_code& error);

/// Returns true if a socket of any process listens on \p at, or on an address that overlaps with it.
[[nodiscard]] bool is_listened_on(asio::io_context& io, const tcp::endpoint& at);

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

/// Binds and listens. TCP ports are bound with SO_REUSEPORT. A Unix socket atomically replaces a socket with
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

  // Only from the thread of the event loop, or before it runs:
  void start();
  /// Sets the TLS context of new connections.
  void renew(tls_context tls) { tls_ = std::move(tls); }
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
  bool stopped_{};
};

}  // namespace citestream

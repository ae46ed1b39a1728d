/// \file
/// Where clients come in: addresses as they are written, and sockets bound to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include "asio.hpp"

namespace citestream {

struct listen_point {
  bool tls{};
  std::string host;  ///< empty: every address
  std::string port;
  std::string path;  ///< of a Unix socket; empty: TCP
};

/// Takes apart addresses separated by commas, each `host:port`, `[v6]:port` or `unix:/path`, and appends
/// them. \return an empty string, or in one line what is wrong.
[[nodiscard]] std::string parse_listen_points(std::string_view list, bool tls,
                                              std::vector<listen_point>& out);

/// A port is shared with every process of the same user that asks for that too.
using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

using acceptor_type = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

/// One address with a listening socket for each event loop.
struct bound_point {
  bool tls{};
  std::string url;       ///< `http://127.0.0.1:8080`, `https://…` or `unix:/path`
  std::uint16_t port{};  ///< 0: a Unix socket
  std::string path;
  std::uint64_t inode{};  ///< of `path`: another process may have replaced it by its own meanwhile
  std::vector<acceptor_type> acceptors;
};

/// Binds and listens. A TCP port is shared with every process of the same user that does so too
/// (SO_REUSEPORT): a new one starts beside the old. A Unix socket replaces the socket that stands at its
/// path, in one step; \p unix_mode are its permissions. \return an empty string, or in one line why not.
[[nodiscard]] std::string bind_point(const listen_point& at, unsigned unix_mode,
                                     const std::vector<asio::io_context*>& loops, bound_point& out);
/// Takes a Unix socket's path away, unless it is another's by now.
void remove_path(const bound_point& from) noexcept;

}  // namespace citestream

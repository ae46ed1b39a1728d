/// \file
/// A connection to the server, plain or TLS.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "request.hpp"

namespace citestream::load {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;
using boost::system::error_code;

class server_connection {
 public:
  /// \p to and \p tls must outlive the connection.
  server_connection(asio::io_context& io, const target& to, asio::ssl::context& tls);

  [[nodiscard]] bool is_open() const noexcept { return socket_.is_open(); }
  /// Connects to the first address of \p where that accepts.
  awaitable<error_code> connect(const tcp::resolver::results_type& where);
  /// Performs the TLS handshake and checks the certificate for the host's name. Does nothing without TLS.
  awaitable<error_code> shake_hands();
  awaitable<error_code> write(const std::string& bytes);
  /// \return the number of bytes read; 0 with \p error set at the end of the connection
  awaitable<std::size_t> read(asio::mutable_buffer into, error_code& error);
  /// Closes the connection and ends pending operations.
  void close() noexcept;

 private:
  const target& to_;
  asio::ssl::context& tls_context_;
  tcp::socket socket_;
  std::optional<asio::ssl::stream<tcp::socket&>> tls_;
};

}  // namespace citestream::load

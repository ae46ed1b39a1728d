#include "server_connection.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace citestream::load {

server_connection::server_connection(asio::io_context& io, const target& to, asio::ssl::context& tls)
    : to_(to), tls_context_(tls), socket_(io) {}

awaitable<error_code> server_connection::connect(const tcp::resolver::results_type& where) {
  error_code error;
  auto token = asio::redirect_error(asio::use_awaitable, error);
  co_await asio::async_connect(socket_, where, token);
  error_code ignored;
  if (!error) socket_.set_option(tcp::no_delay(true), ignored);
  co_return error;
}

awaitable<error_code> server_connection::shake_hands() {
  error_code error;
  if (!to_.tls) co_return error;
  tls_.emplace(socket_, tls_context_);
  // IP addresses are not server names (RFC 6066, 3).
  std::string name = to_.host;
  if (!to_.is_address) {
    SSL_ctrl(tls_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
  }
  tls_->set_verify_callback(asio::ssl::host_name_verification(to_.host), error);
  auto token = asio::redirect_error(asio::use_awaitable, error);
  co_await tls_->async_handshake(asio::ssl::stream_base::client, token);
  co_return error;
}

awaitable<error_code> server_connection::write(const std::string& bytes) {
  error_code error;
  auto token = asio::redirect_error(asio::use_awaitable, error);
  const auto buffer = asio::buffer(bytes);
  if (tls_) {
    co_await asio::async_write(*tls_, buffer, token);
  } else {
    co_await asio::async_write(socket_, buffer, token);
  }
  co_return error;
}

awaitable<std::size_t> server_connection::read(asio::mutable_buffer into, error_code& error) {
  auto token = asio::redirect_error(asio::use_awaitable, error);
  std::size_t size = 0;
  if (tls_) {
    size = co_await tls_->async_read_some(into, token);
  } else {
    size = co_await socket_.async_read_some(into, token);
  }
  co_return size;
}

void server_connection::close() noexcept {
  error_code ignored;
  socket_.close(ignored);
  // The TLS layer is replaced at the next handshake, because an operation that ends now may still use it.
}

}  // namespace citestream::load

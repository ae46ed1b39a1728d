/// \file
/// Lets clients in: one address in one event loop.
#pragma once

#include <memory>

#include <boost/asio/ssl/context.hpp>

#include "listen_point.hpp"
#include "worker.hpp"

namespace citestream {

class listener : public std::enable_shared_from_this<listener> {
 public:
  using tls_context = std::shared_ptr<asio::ssl::context>;

  /// \p tls: null for plain connections.
  listener(worker& home, acceptor_type acceptor, tls_context tls);

  // In the event loop's thread, or before it runs:
  void start();
  /// For connections that come from now on.
  void renew(tls_context tls) { tls_ = std::move(tls); }
  /// Serves what has come in already, and closes.
  void stop();

 private:
  using socket_type = asio::generic::stream_protocol::socket;

  void accept();
  void on_accepted(error_code error, socket_type socket);
  void take(socket_type socket);
  void tell_full(std::size_t bound);
  void tell_failed(const error_code& error);

  worker& home_;
  acceptor_type acceptor_;
  asio::steady_timer pause_;
  tls_context tls_;
  bool stopped_{};
};

}  // namespace citestream

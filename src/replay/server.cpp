#include "server.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "replay/connection.hpp"

namespace citestream {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Pause after a client could not be accepted, for example because there are no file descriptors left.
constexpr std::chrono::milliseconds accept_pause{100};

/// Everything that exists only while the server runs. Connections live in handlers of the context and are
/// freed with it.
struct listening {
  explicit listening(std::shared_ptr<replay::shared_state> what) : shared(std::move(what)) {}

  error_code open(const std::string& address, std::uint16_t port) {
    error_code error;
    const asio::ip::address numeric = asio::ip::make_address(address, error);
    if (error) return make_error_code(boost::system::errc::invalid_argument);
    const tcp::endpoint endpoint(numeric, port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    return error;
  }

  void accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error) {
        std::make_shared<replay::connection>(std::move(socket), shared)->start();
        return accept();
      }
      pause.expires_after(accept_pause);
      pause.async_wait([this](error_code cancelled) {
        if (!cancelled) accept();
      });
    });
  }

  std::shared_ptr<replay::shared_state> shared;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::thread thread;
};

}  // namespace

struct replay_server::impl {
  explicit impl(replay_options given)
      : shared(std::make_shared<replay::shared_state>(given)),
        address(std::move(given.address)),
        port(given.port) {}

  std::shared_ptr<replay::shared_state> shared;
  std::string address;
  std::uint16_t port;
  std::unique_ptr<listening> running;
};

replay_server::replay_server(replay_options options) : impl_(std::make_unique<impl>(std::move(options))) {}

replay_server::~replay_server() {
  stop();
}

std::error_code replay_server::start() {
  auto starting = std::make_unique<listening>(impl_->shared);
  error_code error = starting->open(impl_->address, impl_->port);
  if (error) return error;
  impl_->port = starting->acceptor.local_endpoint(error).port();
  if (error) return error;
  starting->accept();
  starting->thread = std::thread([&context = starting->context] { context.run(); });
  impl_->running = std::move(starting);
  return {};
}

std::uint16_t replay_server::port() const noexcept {
  return impl_->port;
}

void replay_server::stop() noexcept {
  if (!impl_->running) return;
  impl_->running->context.stop();
  impl_->running->thread.join();
  impl_->running.reset();
}

replay_counts replay_server::counts() const noexcept {
  const replay::shared_state& shared = *impl_->shared;
  return {shared.connections, shared.requests, shared.streams_started, shared.streams_complete,
          shared.streams_disconnected};
}

}  // namespace citestream

#include "server.hpp"

#include <atomic>
#include <latch>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include "connection.hpp"

namespace citestream {
namespace {

/// After the drain time: to send the last words of what still runs.
constexpr std::chrono::milliseconds abort_time{1500};
/// Out of file descriptors: some may be free again then.
constexpr std::chrono::milliseconds pause_after_accept_error{100};

using work_guard = asio::executor_work_guard<asio::io_context::executor_type>;

}  // namespace

struct proxy_server::impl {
  explicit impl(proxy_options given) : options(std::move(given)) {}

  std::string bind();
  void accept();
  void on_accepted(worker& to, error_code error, tcp::socket socket);
  void tell_all(bool aborting);
  void close_acceptor();

  proxy_options options;
  proxy_counters counters;
  std::vector<std::unique_ptr<worker>> workers;
  std::vector<work_guard> guards;
  std::vector<std::thread> threads;
  std::optional<tcp::acceptor> acceptor;
  std::optional<asio::steady_timer> pause;
  tcp::endpoint endpoint;
  std::size_t next{};
  std::atomic<bool> draining{};
};

std::string proxy_server::impl::bind() {
  std::string host;
  std::string port;
  if (!http::parse_listen_address(options.listen, host, port)) {
    return "cannot listen on '" + options.listen + "': not host:port";
  }
  asio::io_context& io = workers.front()->io;
  tcp::resolver resolver(io);
  error_code error;
  const auto flags = tcp::resolver::passive | tcp::resolver::numeric_service;
  const auto found = resolver.resolve(host, port, flags, error);
  acceptor.emplace(io);
  pause.emplace(io);
  if (!error) {
    const tcp::endpoint wanted = found.begin()->endpoint();
    acceptor->open(wanted.protocol(), error);
    if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor->bind(wanted, error);
    if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
  }
  if (error) return "cannot listen on '" + options.listen + "': " + error.message();
  endpoint = acceptor->local_endpoint(error);
  return {};
}

void proxy_server::impl::accept() {
  worker& to = *workers[next++ % workers.size()];
  acceptor->async_accept(to.io, [this, &to](error_code error, tcp::socket socket) {
    on_accepted(to, error, std::move(socket));
  });
}

void proxy_server::impl::on_accepted(worker& to, error_code error, tcp::socket socket) {
  if (!acceptor->is_open()) return;
  if (error) {
    pause->expires_after(pause_after_accept_error);
    return pause->async_wait([this](error_code cancelled) {
      if (!cancelled) accept();
    });
  }
  counters.connections.fetch_add(1, std::memory_order_relaxed);
  counters.active.fetch_add(1);
  asio::post(to.io, [&to, client = std::move(socket)]() mutable {
    auto one = std::make_unique<connection>(to, std::move(client));
    asio::co_spawn(to.io, connection::serve(std::move(one)), asio::detached);
  });
  accept();
}

void proxy_server::impl::close_acceptor() {
  asio::post(workers.front()->io, [this] {
    error_code ignored;
    acceptor->close(ignored);
    pause->cancel();
  });
}

void proxy_server::impl::tell_all(bool aborting) {
  for (auto& one : workers) {
    asio::post(one->io, [&to = *one, aborting] {
      to.draining = true;
      to.aborting = to.aborting || aborting;
      to.pools.clear();
      for (connection* client : to.live) client->look_up();
    });
  }
}

proxy_server::proxy_server(proxy_options options) : impl_(std::make_unique<impl>(std::move(options))) {}

proxy_server::~proxy_server() {
  stop();
}

std::string proxy_server::start() {
  std::shared_ptr<const site> config;
  std::string why = make_site(impl_->options, config);
  if (!why.empty()) return why;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned count = impl_->options.threads == 0 ? cores : impl_->options.threads;
  for (unsigned i = 0; i < count; ++i) {
    impl_->workers.push_back(std::make_unique<worker>(config, impl_->counters));
  }
  why = impl_->bind();
  if (!why.empty()) return why;
  impl_->accept();
  for (auto& one : impl_->workers) {
    impl_->guards.emplace_back(one->io.get_executor());
    impl_->threads.emplace_back([&io = one->io] { io.run(); });
  }
  return {};
}

std::uint16_t proxy_server::port() const noexcept {
  return impl_->endpoint.port();
}

std::string proxy_server::address() const {
  const std::string host = impl_->endpoint.address().to_string();
  const std::string shown = impl_->endpoint.address().is_v6() ? "[" + host + "]" : host;
  return shown + ":" + std::to_string(port());
}

void proxy_server::drain() {
  impl_->draining = true;
  if (impl_->threads.empty()) return;
  impl_->close_acceptor();
  impl_->tell_all(false);
}

bool proxy_server::draining() const noexcept {
  return impl_->draining;
}

bool proxy_server::wait_until_idle(std::chrono::milliseconds at_most) {
  const auto deadline = clock::now() + at_most;
  while (impl_->counters.active.load() != 0) {
    if (clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void proxy_server::stop(std::chrono::milliseconds drain_time) {
  if (impl_->threads.empty()) return;
  drain();
  if (!wait_until_idle(drain_time)) {
    impl_->tell_all(true);
    static_cast<void>(wait_until_idle(abort_time));
  }
  for (auto& one : impl_->workers) one->io.stop();
  for (std::thread& one : impl_->threads) one.join();
  impl_->threads.clear();
  impl_->guards.clear();
}

std::string proxy_server::reload(proxy_options options) {
  std::shared_ptr<const site> config;
  std::string why = make_site(std::move(options), config);
  if (!why.empty()) return why;
  if (impl_->threads.empty()) return "the proxy does not run";
  // Shared: who counts last may still be busy with it when this function has returned.
  const auto taken = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(impl_->workers.size()));
  for (auto& one : impl_->workers) {
    asio::post(one->io, [&to = *one, taken, config] {
      to.config = config;
      to.pools.clear();
      taken->count_down();
    });
  }
  taken->wait();
  return {};
}

proxy_statistics proxy_server::statistics() const noexcept {
  const proxy_counters& from = impl_->counters;
  proxy_statistics out;
  out.connections = from.connections;
  out.active = from.active;
  out.requests = from.requests;
  out.requests_changed = from.requests_changed;
  out.requests_unread = from.requests_unread;
  out.refused = from.refused;
  out.streams = from.streams;
  out.bodies = from.bodies;
  out.bypassed = from.bypassed;
  out.upstream_errors = from.upstream_errors;
  out.clients_left = from.clients_left;
  out.upstream_connects = from.upstream_connects;
  out.unsent_max = from.unsent_max;
  return out;
}

}  // namespace citestream

#include "listener.hpp"

#include <string>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "connection.hpp"

namespace citestream {
namespace {

/// Out of file descriptors: some may be free again then.
constexpr std::chrono::milliseconds pause_after_error{100};
/// Connections over the bound that are still told so; the ones beyond are closed without a word.
constexpr std::size_t told_why = 64;

}  // namespace

listener::listener(worker& home, acceptor_type acceptor, tls_context tls)
    : home_(home), acceptor_(std::move(acceptor)), pause_(home.io), tls_(std::move(tls)) {}

void listener::start() {
  error_code ignored;
  acceptor_.non_blocking(true, ignored);
  accept();
}

void listener::accept() {
  acceptor_.async_accept([self = shared_from_this()](error_code error, socket_type socket) {
    self->on_accepted(error, std::move(socket));
  });
}

void listener::on_accepted(error_code error, socket_type socket) {
  try {
    if (!error) take(std::move(socket));
  } catch (...) {
    home_.tell_broken(std::current_exception());
  }
  if (stopped_) return;
  // A client that left before it was let in is nothing to wait for.
  if (!error || error == asio::error::connection_aborted) return accept();
  tell_failed(error);
  pause_.expires_after(pause_after_error);
  pause_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled && !self->stopped_) self->accept();
  });
}

void listener::take(socket_type socket) {
  const std::size_t bound = home_.config->options.max_connections;
  home_.counters.connections.fetch_add(1, std::memory_order_relaxed);
  const std::size_t active = home_.counters.active.fetch_add(1);
  const bool over = bound != 0 && active >= bound;
  if (over) tell_full(bound);
  if (over && (tls_ || active >= bound + told_why)) {
    home_.counters.active.fetch_sub(1);
    home_.counters.refused.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  SSL_CTX* const context = tls_ ? tls_->native_handle() : nullptr;
  std::unique_ptr<connection> one;
  try {
    one = std::make_unique<connection>(home_, std::move(socket), context, over);
  } catch (...) {
    home_.counters.active.fetch_sub(1);  // as its destructor would
    throw;
  }
  asio::co_spawn(home_.io, connection::serve(std::move(one)), [&home = home_](const std::exception_ptr& why) {
    if (why) home.tell_broken(why);
  });
}

void listener::tell_full(std::size_t bound) {
  ++home_.metrics.refused_connections;
  const std::uint64_t count = home_.watch.full.count();
  if (count == 0 || !home_.watch.log.wants(log_level::warn)) return;
  home_.watch.log.say(log_level::warn, "max_connections of " + std::to_string(bound) +
                                           " is reached: turned away " + std::to_string(count) +
                                           " since this was last said");
}

void listener::tell_failed(const error_code& error) {
  ++home_.metrics.refused_descriptors;
  const std::uint64_t count = home_.watch.unaccepted.count();
  if (count == 0 || !home_.watch.log.wants(log_level::error)) return;
  home_.watch.log.say(log_level::error, "cannot accept connections: " + error.message() + ", " +
                                            std::to_string(count) + " times since this was last said");
}

void listener::stop() {
  if (std::exchange(stopped_, true)) return;
  error_code error;
  // The handshake of these is done: closing the listening socket would reset them.
  while (!error) {
    socket_type socket(home_.io);
    acceptor_.accept(socket, error);
    if (!error) take(std::move(socket));
  }
  acceptor_.close(error);
  pause_.cancel();
}

}  // namespace citestream

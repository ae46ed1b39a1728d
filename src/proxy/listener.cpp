// Each address has one listening socket for each worker, so that the kernel spreads connections and no thread
// hands a socket to another. TCP ports are bound with SO_REUSEPORT: a new process can start while an old one
// runs and take over. As the kernel does not report that a port is shared, a socket without SO_REUSEPORT is
// bound first; that fails if another socket listens on the port. It has SO_REUSEADDR and never listens, so it
// does not prevent another process from binding the port. A Unix socket is bound under a temporary name and
// renamed over the old one, which is atomic; its workers share one socket.
//
// Connections over `max_connections` are answered with 503, up to a bound, then closed. If accept() fails
// because descriptors run out, the listener pauses and tries again; connections wait in the kernel meanwhile.
// stop() first serves every connection whose handshake is complete, because closing the socket would reset
// it.

#include "listener.hpp"

#include <cstdio>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "client_connection.hpp"
#include "http/fields.hpp"
#include "http/upstream_url.hpp"

namespace citestream {
namespace {

using protocol = asio::generic::stream_protocol;
using unix_endpoint = asio::local::stream_protocol::endpoint;

/// Shares a port with all processes of the same user that set this option too.
using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

constexpr std::string_view unix_mark = "unix:";
constexpr std::size_t max_path = 90;  // 107 less the suffix of the temporary name (unix(7))

error_code open_tcp(acceptor_type& acceptor, const tcp::endpoint& at, bool share) {
  error_code error;
  acceptor.open(protocol(at.protocol()), error);
  if (!error) acceptor.set_option(acceptor_type::reuse_address(true), error);
  if (!error && share) acceptor.set_option(reuse_port(true), error);
  // Otherwise it depends on the system whether [::] accepts IPv4 too.
  if (!error && at.address().is_v6()) acceptor.set_option(asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(protocol::endpoint(at), error);
  return error;
}

/// Returns the first address of \p host; an empty host: all addresses. May block.
tcp::endpoint find_endpoint(asio::io_context& io, const std::string& host, const std::string& port,
                            error_code& error) {
  tcp::resolver resolver(io);
  const auto flags = tcp::resolver::passive | tcp::resolver::numeric_service;
  const auto found = resolver.resolve(host, port, flags, error);
  return error ? tcp::endpoint{} : found.begin()->endpoint();
}

/// Returns true if a socket of any process listens on \p at, or on an address that overlaps with it.
bool is_listened_on(asio::io_context& io, const tcp::endpoint& at) {
  acceptor_type probe(io);
  return at.port() != 0 && open_tcp(probe, at, false) == asio::error::address_in_use;
}

}  // namespace

error_code bind_tcp(const listen_address& at, const std::vector<asio::io_context*>& loops,
                    bound_address& out) {
  error_code error;
  tcp::endpoint bound = find_endpoint(*loops.front(), at.host, at.port, error);
  if (error) return error;
  out.shared = is_listened_on(*loops.front(), bound);
  for (asio::io_context* loop : loops) {
    acceptor_type& one = out.acceptors.emplace_back(*loop);
    error = open_tcp(one, bound, true);
    if (!error) one.listen(asio::socket_base::max_listen_connections, error);
    if (error) return error;
    // With port 0 the first socket gets a free port, which the others share.
    const auto local = one.local_endpoint(error);
    if (local.size() <= bound.capacity()) std::memcpy(bound.data(), local.data(), local.size());
  }
  out.port = bound.port();
  out.url = (at.tls ? "https://" : "http://") +
            http::authority_of(bound.address().to_string(), std::to_string(bound.port()));
  return error;
}

namespace {

/// Only sockets are replaced, never other files.
bool is_free(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) != 0 || S_ISSOCK(found.st_mode);
}

error_code last_error() {
  return {errno, boost::system::system_category()};
}

error_code move_into_place(const std::string& temporary_path, const std::string& path, unsigned mode,
                           bound_address& out) {
  struct stat made {};
  if (::chmod(temporary_path.c_str(), static_cast<mode_t>(mode)) != 0) return last_error();
  if (::stat(temporary_path.c_str(), &made) != 0) return last_error();
  if (::rename(temporary_path.c_str(), path.c_str()) != 0) return last_error();
  out.inode = made.st_ino;
  out.path = path;
  out.url = std::string(unix_mark) + path;
  return {};
}

error_code bind_unix(const listen_address& at, unsigned mode, const std::vector<asio::io_context*>& loops,
                     bound_address& out) {
  if (!is_free(at.path)) return asio::error::address_in_use;
  const std::string temporary_path = at.path + "." + std::to_string(::getpid());
  ::unlink(temporary_path.c_str());
  const unix_endpoint name(temporary_path);
  acceptor_type& first = out.acceptors.emplace_back(*loops.front());
  error_code error;
  first.open(protocol(name.protocol()), error);
  if (!error) first.bind(protocol::endpoint(name), error);
  if (!error) first.listen(asio::socket_base::max_listen_connections, error);
  if (!error) error = move_into_place(temporary_path, at.path, mode, out);
  if (error) ::unlink(temporary_path.c_str());
  for (std::size_t i = 1; i < loops.size() && !error; ++i) {
    const int same = ::dup(out.acceptors.front().native_handle());
    if (same < 0) return last_error();
    out.acceptors.emplace_back(*loops[i]).assign(protocol(name.protocol()), same, error);
  }
  return error;
}

}  // namespace

std::string parse_listen_addresses(std::string_view list, bool tls, std::vector<listen_address>& out) {
  while (const auto one = http::next_element(list)) {
    listen_address& point = out.emplace_back();
    point.tls = tls;
    if (one->starts_with(unix_mark)) {
      point.path = one->substr(unix_mark.size());
      if (point.path.starts_with('/') && point.path.size() <= max_path) continue;
      return "'" + std::string(*one) + "' is not unix: and an absolute path of at most 90 bytes";
    }
    if (!http::parse_listen_address(*one, point.host, point.port)) {
      const std::string why = http::port_error(*one, true);
      return "'" + std::string(*one) + "': " + (why.empty() ? "not a valid host:port" : why);
    }
  }
  return {};
}

std::string bind_address(const listen_address& at, unsigned unix_mode,
                         const std::vector<asio::io_context*>& loops, bound_address& out) {
  out.tls = at.tls;
  const error_code error = at.path.empty() ? bind_tcp(at, loops, out) : bind_unix(at, unix_mode, loops, out);
  if (!error) return {};
  const std::string shown = at.path.empty() ? at.host + ":" + at.port : std::string(unix_mark) + at.path;
  return "cannot listen on '" + shown + "': " + error.message();
}

void remove_path(const bound_address& from) noexcept {
  struct stat found {};
  if (from.path.empty() || ::lstat(from.path.c_str(), &found) != 0) return;
  if (found.st_ino == from.inode) ::unlink(from.path.c_str());
}

namespace {

/// Pause after accept() has failed, until descriptors may be free again.
constexpr std::chrono::milliseconds pause_after_error{100};
/// Connections over the limit that are answered with 503. Further ones are closed without a response.
constexpr std::size_t max_explained = 64;

}  // namespace

listener::listener(worker& owner, acceptor_type acceptor, tls_context tls)
    : worker_(owner), acceptor_(std::move(acceptor)), pause_(owner.io), tls_(std::move(tls)) {}

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
  if (!error) {
    lacks_descriptors_ = false;
    take(std::move(socket));
  }
  if (stopped_) return;
  // A client that disconnected early is no reason to pause.
  if (!error || error == asio::error::connection_aborted) return accept();
  log_accept_failure(error);
  pause_.expires_after(pause_after_error);
  pause_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled && !self->stopped_) self->accept();
  });
}

void listener::take(socket_type socket) noexcept {
  try {
    serve(std::move(socket));
  } catch (...) {
    worker_.report_broken(std::current_exception());
  }
}

void listener::serve(socket_type socket) {
  const std::size_t bound = worker_.config->options.limits.max_connections;
  ++worker_.metrics.connections.accepted;
  open_counts& open = worker_.shared.open;
  counter_share place(open.connections);
  const bool over = place.set(1) > bound && bound != 0;
  if (over) {
    log_full(bound);
    place = counter_share(open.refused);
    if (tls_ || place.set(1) > max_explained) return;
  }
  SSL_CTX* const context = tls_ ? tls_->native_handle() : nullptr;
  auto one = std::make_unique<client_connection>(worker_, std::move(socket), context, std::move(place), over);
  asio::co_spawn(worker_.io, client_connection::serve(std::move(one)),
                 [&owner = worker_](const std::exception_ptr& why) {
                   if (why) owner.report_broken(why);
                 });
}

void listener::log_full(std::size_t bound) {
  ++worker_.metrics.refused.connections;
  telemetry& reports = worker_.shared.reports;
  reports.log.complain(reports.connection_limit, log_level::warn, [&](const std::string& since) {
    return "max_connections of " + std::to_string(bound) + " is reached: refused " + since;
  });
}

void listener::log_accept_failure(const error_code& error) {
  if (lacks_descriptors(error) && !std::exchange(lacks_descriptors_, true))
    ++worker_.metrics.refused.descriptors;
  telemetry& reports = worker_.shared.reports;
  reports.log.complain(reports.failed_accepts, log_level::error, [&](const std::string& since) {
    return "cannot accept connections: " + error.message() + " (" + since + ")";
  });
}

void listener::stop() {
  if (std::exchange(stopped_, true)) return;
  error_code error;
  // Closing the listening socket would reset connections whose handshake is complete.
  while (!error) {
    socket_type socket(worker_.io);
    acceptor_.accept(socket, error);
    if (!error) take(std::move(socket));
  }
  acceptor_.close(error);
  pause_.cancel();
}

}  // namespace citestream

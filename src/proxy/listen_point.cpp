#include "listen_point.hpp"

#include <cstdio>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/local/stream_protocol.hpp>

#include "authority.hpp"
#include "http/fields.hpp"
#include "http/upstream_url.hpp"

namespace citestream {
namespace {

using protocol = asio::generic::stream_protocol;
using unix_endpoint = asio::local::stream_protocol::endpoint;

constexpr std::string_view unix_mark = "unix:";
constexpr std::size_t max_path = 90;  // 107 less what a name for the meantime adds (unix(7))

error_code open_tcp(acceptor_type& acceptor, const tcp::endpoint& at) {
  error_code error;
  acceptor.open(protocol(at.protocol()), error);
  if (!error) acceptor.set_option(acceptor_type::reuse_address(true), error);
  if (!error) acceptor.set_option(reuse_port(true), error);
  if (!error) acceptor.bind(protocol::endpoint(at), error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

error_code bind_tcp(const listen_point& at, const std::vector<asio::io_context*>& loops, bound_point& out) {
  error_code error;
  tcp::resolver resolver(*loops.front());
  const auto flags = tcp::resolver::passive | tcp::resolver::numeric_service;
  const auto found = resolver.resolve(at.host, at.port, flags, error);
  if (error) return error;
  tcp::endpoint bound = found.begin()->endpoint();
  for (asio::io_context* loop : loops) {
    acceptor_type& one = out.acceptors.emplace_back(*loop);
    error = open_tcp(one, bound);
    if (error) return error;
    // Port 0 is a free one for the first, and the same one for all.
    const auto local = one.local_endpoint(error);
    if (local.size() <= bound.capacity()) std::memcpy(bound.data(), local.data(), local.size());
  }
  out.port = bound.port();
  out.url = (at.tls ? "https://" : "http://") + authority_of(bound);
  return error;
}

/// Only a socket is replaced: whatever else stands there is somebody's.
bool is_free(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) != 0 || S_ISSOCK(found.st_mode);
}

error_code last_error() {
  return {errno, boost::system::system_category()};
}

error_code place(const std::string& meanwhile, const std::string& path, unsigned mode, bound_point& out) {
  struct stat made {};
  if (::chmod(meanwhile.c_str(), static_cast<mode_t>(mode)) != 0) return last_error();
  if (::stat(meanwhile.c_str(), &made) != 0) return last_error();
  if (::rename(meanwhile.c_str(), path.c_str()) != 0) return last_error();
  out.inode = made.st_ino;
  out.path = path;
  out.url = std::string(unix_mark) + path;
  return {};
}

error_code bind_unix(const listen_point& at, unsigned mode, const std::vector<asio::io_context*>& loops,
                     bound_point& out) {
  if (!is_free(at.path)) return asio::error::address_in_use;
  const std::string meanwhile = at.path + "." + std::to_string(::getpid());
  ::unlink(meanwhile.c_str());
  const unix_endpoint name(meanwhile);
  acceptor_type& first = out.acceptors.emplace_back(*loops.front());
  error_code error;
  first.open(protocol(name.protocol()), error);
  if (!error) first.bind(protocol::endpoint(name), error);
  if (!error) first.listen(asio::socket_base::max_listen_connections, error);
  if (!error) error = place(meanwhile, at.path, mode, out);
  if (error) ::unlink(meanwhile.c_str());
  for (std::size_t i = 1; i < loops.size() && !error; ++i) {
    const int same = ::dup(out.acceptors.front().native_handle());
    if (same < 0) return last_error();
    out.acceptors.emplace_back(*loops[i]).assign(protocol(name.protocol()), same, error);
  }
  return error;
}

}  // namespace

std::string parse_listen_points(std::string_view list, bool tls, std::vector<listen_point>& out) {
  while (const auto one = http::next_element(list)) {
    listen_point& point = out.emplace_back();
    point.tls = tls;
    if (one->starts_with(unix_mark)) {
      point.path = one->substr(unix_mark.size());
      if (point.path.starts_with('/') && point.path.size() <= max_path) continue;
      return "'" + std::string(*one) + "' is not unix: and an absolute path of at most 90 bytes";
    }
    if (!http::parse_listen_address(*one, point.host, point.port)) {
      return "'" + std::string(*one) + "': not host:port";
    }
  }
  return {};
}

std::string bind_point(const listen_point& at, unsigned unix_mode,
                       const std::vector<asio::io_context*>& loops, bound_point& out) {
  out.tls = at.tls;
  const error_code error = at.path.empty() ? bind_tcp(at, loops, out) : bind_unix(at, unix_mode, loops, out);
  if (!error) return {};
  const std::string shown = at.path.empty() ? at.host + ":" + at.port : std::string(unix_mark) + at.path;
  return "cannot listen on '" + shown + "': " + error.message();
}

void remove_path(const bound_point& from) noexcept {
  struct stat found {};
  if (from.path.empty() || ::lstat(from.path.c_str(), &found) != 0) return;
  if (found.st_ino == from.inode) ::unlink(from.path.c_str());
}

}  // namespace citestream

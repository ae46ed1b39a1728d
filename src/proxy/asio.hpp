/// \file
/// The parts of Boost.Asio that the proxy uses.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstring>
#include <optional>
#include <sys/socket.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace citestream {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using clock = std::chrono::steady_clock;

/// Converts an address of the C library. Nothing if it is neither IPv4 nor IPv6.
inline std::optional<asio::ip::address> address_of(const sockaddr* from, std::size_t size) {
  tcp::endpoint at;
  if ((from->sa_family != AF_INET && from->sa_family != AF_INET6) || size > at.capacity())
    return std::nullopt;
  std::memcpy(at.data(), from, size);
  return at.address();
}

/// Returns true if the process or the system has no file descriptor left.
inline bool lacks_descriptors(const error_code& error) noexcept {
  return error == asio::error::no_descriptors || error == boost::system::errc::too_many_files_open_in_system;
}

/// Coroutines run in the event loop of their thread, so the type of the executor is known.
template <class T>
using awaitable = asio::awaitable<T, asio::io_context::executor_type>;
using use_awaitable_t = asio::use_awaitable_t<asio::io_context::executor_type>;

}  // namespace citestream

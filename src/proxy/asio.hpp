/// \file
/// The parts of Boost.Asio that the proxy uses.
#pragma once

#include <chrono>

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

/// Coroutines run in the event loop of their thread, so the type of the executor is known.
template <class T>
using awaitable = asio::awaitable<T, asio::io_context::executor_type>;
using use_awaitable_t = asio::use_awaitable_t<asio::io_context::executor_type>;

}  // namespace citestream

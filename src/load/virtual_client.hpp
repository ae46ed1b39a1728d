/// \file
/// One of many clients. It sends one request after the other on one connection and checks the answers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/dynamic_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "answer_reader.hpp"
#include "run.hpp"
#include "server_connection.hpp"
#include "tally.hpp"

namespace citestream::load {

/// A request with the bytes to send.
struct prepared_request : request {
  std::string bytes;
};

/// State shared by all clients of a run. Used by one thread.
struct shared_run {
  explicit shared_run(const run_options& of) : options(of), requests_left(of.max_requests) {}

  const run_options& options;
  tcp::resolver::results_type where;
  std::vector<prepared_request> requests;
  std::uint64_t requests_left;  ///< requests that may still be sent
  bool stopping{};              ///< running answers are aborted
  tally counts;
  asio::ssl::context tls{asio::ssl::context::tls_client};
  asio::io_context io{1};
};

/// One client.
class virtual_client {
 public:
  /// \param number  of this client; it starts with the request at that index and continues round robin
  virtual_client(shared_run& shared, std::size_t number);

  /// Waits for \p delay, then sends requests until none is left.
  awaitable<void> run(std::chrono::nanoseconds delay);
  /// Closes the connection if the current wait has exceeded its deadline. Called regularly.
  void expire(clock::time_point now);
  /// Aborts the running answer. Requires that `shared_run::stopping` is set.
  void stop();
  /// Ends a pause, so that run() notices that no request is left.
  void wake() { pause_.cancel(); }

 private:
  using parser =
      boost::beast::http::response_parser<boost::beast::http::basic_dynamic_body<boost::beast::flat_buffer>>;

  /// How much of an answer has arrived, in this order.
  enum class arrival : std::uint8_t { nothing, head, body, complete };

  /// One attempt to get an answer.
  struct attempt {
    clock::time_point sent;
    arrival answer{arrival::nothing};
    bool reused{};   ///< the connection was already used for another answer
    bool expired{};  ///< a wait exceeded its deadline
    bool broken{};   ///< the connection is unusable

    [[nodiscard]] bool complete() const noexcept { return answer == arrival::complete; }
  };

  awaitable<void> exchange(const prepared_request& prepared);
  awaitable<bool> connect();
  awaitable<bool> send(const std::string& bytes);
  awaitable<void> receive(const prepared_request& prepared);
  awaitable<std::size_t> read_once(error_code& error);
  awaitable<void> pause(std::chrono::nanoseconds time);

  void begin_answer();
  void begin_head();
  bool take(const prepared_request& prepared, clock::time_point arrived);
  void begin_body(const prepared_request& prepared);
  void at_end(error_code error);
  void feed_body(clock::time_point arrived);
  bool settle();
  void wait_for(std::chrono::nanoseconds at_most) { deadline_ = clock::now() + at_most; }

  shared_run& shared_;
  std::size_t turn_;
  server_connection connection_;
  asio::steady_timer pause_;
  answer_reader answer_;
  boost::beast::flat_buffer buffer_;
  std::optional<parser> parser_;
  std::optional<clock::time_point> deadline_;  ///< of the current wait
  attempt attempt_;
};

}  // namespace citestream::load

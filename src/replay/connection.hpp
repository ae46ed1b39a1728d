/// \file
/// One client of the replay server.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "replay/exchange.hpp"
#include "server.hpp"

namespace citestream::replay {

/// Shared by all connections of a server. Only the counters may be used from other threads.
struct shared_state {
  explicit shared_state(const replay_options& options)
      : recordings(options), loop(options.loop), log(options.log) {}

  recording_set recordings;
  bool loop;
  std::function<void(std::string_view)> log;
  std::atomic<std::uint64_t> connections{};
  std::atomic<std::uint64_t> requests{};
  std::atomic<std::uint64_t> streams_started{};
  std::atomic<std::uint64_t> streams_complete{};
  std::atomic<std::uint64_t> streams_disconnected{};
};

/// Reads requests one after the other and answers them until the client disconnects. Lives as long as one of
/// its operations is pending.
class connection : public std::enable_shared_from_this<connection> {
 public:
  connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<shared_state> shared)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), shared_(std::move(shared)) {}

  void start();

 private:
  using error_code = boost::system::error_code;
  using clock = std::chrono::steady_clock;

  /// The stream that is being sent.
  struct running_stream {
    enum class phase : std::uint8_t {
      steps,       ///< there are steps to write
      last_chunk,  ///< all steps are written, and the last chunk is being written
      complete,    ///< everything is written; the handler of the pending wait reads the next request
    };

    const prepared_stream* recording{};
    const send_plan* plan{};
    std::size_t next_step{};
    clock::time_point round_started;
    std::uint64_t payload_sent{};
    phase at{phase::steps};

    [[nodiscard]] bool chunked() const noexcept { return plan == &recording->chunked; }
  };

  void read_request();
  void on_head();
  void read_body();
  void on_request(error_code error);
  void send_body(answer what, bool keep_alive);
  void send_error_and_close(answer what) { send_body(std::move(what), false); }

  void start_stream(const prepared_stream& from, unsigned http_version, bool keep_alive);
  void watch_client();
  void next_step();
  void write_step();
  void write(const std::string& bytes);
  void on_written(error_code error);
  void end_stream();
  void client_disconnected();

  void log(const std::string& what);
  void drain();
  void discard();
  void close() noexcept;

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<shared_state> shared_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;

  running_stream stream_;
  std::string head_;
  std::string timed_;  ///< a step with its send times
  bool head_only_{};   ///< the request is a HEAD
  bool keep_alive_{};  ///< the connection stays open after the response
  bool watching_{};    ///< the wait for a disconnect is pending
  std::array<char, 4096> unread_{};
};

}  // namespace citestream::replay

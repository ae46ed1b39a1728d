/// \file
/// A server that answers like an LLM API, from recordings.
///
/// It has the endpoints of all supported providers (exchange.cpp). The request's `"model"` selects a
/// recording by name; otherwise the recordings that fit the endpoint take turns. A request for a stream gets
/// the recorded stream, any other one JSON body made from it (501 if the form of its events is unknown). `GET
/// /v1/models` lists the recordings. Errors are `{"error":{"message","type","code"}}`.
///
/// \code
///   citestream::replay_options options;
///   options.recordings = citestream::demo_recordings();
///   citestream::replay_server server(std::move(options));
///   if (auto error = server.start()) return fail(error);
///   ask("http://127.0.0.1:" + std::to_string(server.port()));
/// \endcode
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "page_files.hpp"
#include "recording.hpp"

namespace citestream {

/// When the pieces of a stream are sent.
enum class replay_pace : std::uint8_t {
  recorded,  ///< at the recorded times, piece by piece; like `none` if the recording has no times
  interval,  ///< event by event, each one HTTP chunk and one write, `replay_options::interval` apart
  none,      ///< as fast as the socket accepts them: each event one HTTP chunk, many in one write
};

/// Options of a replay server.
struct replay_options {
  std::string address{"127.0.0.1"};         ///< numeric, IPv4 or IPv6
  std::uint16_t port{};                     ///< 0 selects a free port
  std::vector<recording> recordings;        ///< chosen by the request's `model`, or else in turn
  replay_pace pace{replay_pace::recorded};  ///< of streams; JSON bodies are sent at once
  std::chrono::nanoseconds interval{};      ///< for `replay_pace::interval`
  double speed{1};  ///< for `replay_pace::recorded`: factor on the recorded speed, greater than 0
  /// Insert a comment with the send time before each event (\ref send_time.hpp). Ignored with `split` and
  /// `die_after`, which count bytes.
  bool send_times{};
  /// Divide the stream into pieces of this many bytes, even inside events. Each is one HTTP chunk and one
  /// write, sent when its last byte is due. 0: do not divide.
  std::size_t split{};
  /// Repeat a stream in the same answer until the client disconnects. JSON bodies are not repeated.
  bool loop{};
  /// Close the connection after this many bytes of a stream, without ending the answer. Streams that are not
  /// longer end normally.
  std::optional<std::uint64_t> die_after;
  /// The files of a web page, answers to GET and HEAD at their paths.
  std::vector<page_file> page;
  /// Called in the server's thread with one line, without a line feed, at the start and end of each answer:
  /// `demo: stream begins`, `demo: stream complete, 5120 bytes`, `demo: client disconnected after 512 bytes`.
  std::function<void(std::string_view line)> log;
};

/// Counters since the server was constructed.
struct replay_counts {
  std::uint64_t connections{};           ///< accepted
  std::uint64_t requests{};              ///< read completely
  std::uint64_t streams_started{};       ///< requests answered with a stream
  std::uint64_t streams_complete{};      ///< streams sent to the last byte
  std::uint64_t streams_disconnected{};  ///< streams that the client closed before the last byte
};

/// The server: one thread, any number of clients.
class replay_server {
 public:
  /// Prepares the answers. Does not open the port; start() does.
  explicit replay_server(replay_options options);
  /// Calls stop().
  ~replay_server();
  replay_server(const replay_server&) = delete;
  replay_server& operator=(const replay_server&) = delete;

  /// Binds, listens and serves in a separate thread. Errors: `std::errc::invalid_argument` if the address is
  /// not numeric, and those of bind and listen.
  [[nodiscard]] std::error_code start();

  /// The port on which it listens, after start() has succeeded.
  [[nodiscard]] std::uint16_t port() const noexcept;

  /// Closes all connections and ends the thread. May be called repeatedly.
  void stop() noexcept;

  /// Returns the counters. May be called from any thread.
  [[nodiscard]] replay_counts counts() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream

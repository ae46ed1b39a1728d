/// \file
/// A server that answers like an LLM API with what was recorded.
///
/// `POST /v1/chat`, `/v1/chat/completions` and `/v1/graphs/question` answer with the recording that the
/// request's `"model"` names, or else with the recordings in turn, those first that fit the endpoint. With
/// `"stream":true` in the request the answer is the recorded stream, byte for byte, else one JSON body made
/// from it (501 where the recording's events are of no known form). `GET /v1/models` lists the recordings.
/// Errors are `{"error":{"message","type","code"}}`.
///
/// \code
///   citestream::replay_options options;
///   options.recordings = citestream::demo_recordings();
///   citestream::replay_server server(std::move(options));
///   if (auto error = server.start()) return fail(error);
///   ask("http://127.0.0.1:" + std::to_string(server.port()));
/// \endcode
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "recording.hpp"

namespace citestream {

/// When the pieces of a stream are sent.
enum class replay_pace : std::uint8_t {
  recorded,  ///< at the recorded times, piece by piece; a recording without times as with `none`
  interval,  ///< event by event, each one HTTP chunk and one write, `replay_options::interval_ms` apart
  none,      ///< as fast as the socket takes them: each event one HTTP chunk, many in one write
};

/// What the server answers with, where and when.
struct replay_options {
  std::string address{"127.0.0.1"};   ///< numeric, IPv4 or IPv6
  std::uint16_t port{};               ///< 0: a free one
  std::vector<recording> recordings;  ///< the one that the request's `model` names answers, else all in turn
  replay_pace pace{replay_pace::recorded};  ///< of streams; JSON bodies are sent at once
  std::uint32_t interval_ms{};              ///< for `replay_pace::interval`
  std::uint32_t per_second{};  ///< for `replay_pace::interval`: events a second, in place of `interval_ms`
  double speed{1};             ///< for `replay_pace::recorded`: how many times as fast as recorded; over 0
  /// A comment in front of each event says when it was sent (\ref send_time.hpp). Without effect beside
  /// `split` and `die_after`, which count bytes.
  bool send_times{};
  /// Cut the stream every that many bytes, inside events too; each cut is one HTTP chunk and one write, sent
  /// when its last byte is due. 0: not cut.
  std::size_t split{};
  /// A stream that has ended starts over, in the same answer, until the client leaves. JSON bodies do not.
  bool loop{};
  /// Close the connection after that many bytes of a stream, without the answer's end. A stream that is not
  /// longer than that ends as usual.
  std::optional<std::uint64_t> die_after;
  /// Called from the server's thread with one line at each answer's beginning and end, without a line feed:
  /// `demo: stream begins`, `demo: stream complete, 5120 bytes`, `demo: client left after 512 bytes`.
  std::function<void(std::string_view line)> log;
};

/// What happened so far.
struct replay_counts {
  std::uint64_t connections{};       ///< accepted
  std::uint64_t requests{};          ///< read to their end
  std::uint64_t streams_started{};   ///< of them, answered with a stream
  std::uint64_t streams_complete{};  ///< sent to their last byte
  std::uint64_t streams_left{};      ///< given up by the client before that
};

/// The server: one thread, any number of clients.
class replay_server {
 public:
  /// Prepares the answers; start() opens the port.
  explicit replay_server(replay_options options);
  /// Stops it.
  ~replay_server();
  replay_server(const replay_server&) = delete;
  replay_server& operator=(const replay_server&) = delete;

  /// Binds, listens and serves in a thread of its own. Errors: the address is not numeric
  /// (`std::errc::invalid_argument`), or those of bind and listen.
  [[nodiscard]] std::error_code start();

  /// The port it listens on, after a start() without error.
  [[nodiscard]] std::uint16_t port() const noexcept;

  /// Closes every connection and ends the thread. May be called twice.
  void stop() noexcept;

  /// From any thread.
  [[nodiscard]] replay_counts counts() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream

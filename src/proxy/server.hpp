/// \file
/// A reverse proxy that rewrites LLM answers on their way: event streams as they flow, JSON bodies whole,
/// everything else untouched.
///
/// \code
///   citestream::proxy_options options;
///   options.listen = "127.0.0.1:0";
///   options.upstream = "https://api.writer.com";
///   citestream::proxy_server server(std::move(options));
///   if (std::string why = server.start(); !why.empty()) fail(why);
///   use(server.port());
///   server.stop(std::chrono::seconds(10));
/// \endcode
#pragma once

#include <citestream/provenance/provenance.hpp>
#include <citestream/session/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace citestream {

/// How long each thing may take.
struct proxy_deadlines {
  std::chrono::milliseconds connect{10'000};       ///< name, TCP and TLS together
  std::chrono::milliseconds answer_head{300'000};  ///< from the request sent to the answer's head
  std::chrono::milliseconds upstream_idle{120'000};
  std::chrono::milliseconds keep_alive_comment{
      15'000};                                      ///< silence before a comment keeps the client; 0: never
  std::chrono::milliseconds client_head{10'000};    ///< from a request's first byte to its head's end
  std::chrono::milliseconds client_body{30'000};    ///< silence inside a request body
  std::chrono::milliseconds client_idle{75'000};    ///< between requests
  std::chrono::milliseconds client_stall{120'000};  ///< the client takes nothing of what is written
};

/// What is changed in requests.
struct request_rewriting {
  bool provenance{};           ///< tool results are given keys, and the answer is resolved against them
  provenance_options sources;  ///< how
  bool inline_citations{};     ///< graph tools and questions ask for inline citations (Writer)
};

struct proxy_options {
  std::string listen{"127.0.0.1:8080"};  ///< `host:port`; port 0: any free one
  std::string upstream;                  ///< `http://…` or `https://…`, base path allowed
  std::string upstream_ca;  ///< PEM file: the only certificates trusted; empty: the system's trust store
  unsigned threads{};       ///< 0: one for each core
  session_options session;
  request_rewriting requests;
  proxy_deadlines deadlines;
  std::size_t max_head_bytes{16 * 1024};
  std::size_t max_head_fields{100};
  std::size_t max_request_bytes{64 * 1024 * 1024};
};

/// Counters since start().
struct proxy_statistics {
  std::uint64_t connections{};       ///< accepted
  std::uint64_t active{};            ///< client connections open now
  std::uint64_t requests{};          ///< whose head and body were accepted
  std::uint64_t requests_changed{};  ///< whose body left rewritten
  std::uint64_t requests_unread{};   ///< whose body was to be read, could not be, and left as it came
  std::uint64_t refused{};           ///< answered by the proxy with 4xx or 5xx before upstream was asked
  std::uint64_t streams{};           ///< event streams rewritten
  std::uint64_t bodies{};            ///< JSON bodies rewritten
  std::uint64_t bypassed{};          ///< answers that came compressed and passed for that reason
  std::uint64_t upstream_errors{};   ///< exchanges that upstream did not bring to an end
  std::uint64_t clients_left{};      ///< exchanges given up because the client left
  std::uint64_t upstream_connects{};
  std::uint64_t unsent_max{};  ///< bytes waiting for one client at most
};

/// The proxy: one thread and event loop for each core, one acceptor that deals out connections.
class proxy_server {
 public:
  explicit proxy_server(proxy_options options);
  ~proxy_server();  ///< stop() without a drain time
  proxy_server(const proxy_server&) = delete;
  proxy_server& operator=(const proxy_server&) = delete;

  /// Reads the certificates, binds, and starts to serve. \return an empty string, or in one line why not.
  [[nodiscard]] std::string start();
  /// The port listened on. Valid after start().
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// The address and port listened on, as they stand in a URL.
  [[nodiscard]] std::string address() const;

  /// Stops accepting; running answers go on, idle connections close. Returns at once.
  void drain();
  /// drain() or stop() was called: nothing new is taken.
  [[nodiscard]] bool draining() const noexcept;
  /// Waits until no client connection is open. \return false: the time was over before.
  [[nodiscard]] bool wait_until_idle(std::chrono::milliseconds at_most);
  /// drain(), waits up to \p drain_time, ends what still runs as if upstream had died, and stops.
  void stop(std::chrono::milliseconds drain_time = std::chrono::milliseconds(0));

  [[nodiscard]] proxy_statistics statistics() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream

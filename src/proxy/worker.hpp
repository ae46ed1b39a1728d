/// \file
/// A worker: one thread, its event loop, and everything that its connections share.
#pragma once

#include <citestream/session/session.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>

#include "config_snapshot.hpp"
#include "http/request_id.hpp"
#include "metrics.hpp"
#include "recorder.hpp"
#include "request_log.hpp"
#include "span_exporter.hpp"
#include "upstream_link.hpp"

namespace citestream {

class client_connection;

/// The input and output buffers that the streams of a worker use in turn. Their content is valid until the
/// stream waits for anything. A stream that must wait for its client while it needs the bytes takes the
/// buffers with it, and the next stream gets new ones.
class buffer_pair {
 public:
  struct taken {
    std::unique_ptr<std::string> input;
    std::unique_ptr<std::string> output;
  };

  /// Clears and returns the input buffer.
  std::string& clear_input() { return clear(current_.input); }
  /// Clears and returns the output buffer.
  std::string& clear_output() { return clear(current_.output); }
  /// Gives the buffers to the caller, who keeps them for as long as the bytes are needed. They do not move.
  [[nodiscard]] taken take() noexcept { return {std::move(current_.input), std::move(current_.output)}; }

 private:
  /// A larger buffer is not kept for the next stream.
  static constexpr std::size_t max_kept_bytes = 512 * 1024;

  static std::string& clear(std::unique_ptr<std::string>& one);

  taken current_;
};

/// Where the workers of a proxy report what happens. Shared by all of them.
struct telemetry {
  telemetry(log_options log_options, record_options record_options, trace_options trace_options)
      : log(std::move(log_options)),
        recordings(std::move(record_options), log),
        spans(std::move(trace_options), log) {}

  /// Opens the log and the folder of recordings, and starts the exporter of spans. \return an empty string,
  /// or one line that describes the error.
  [[nodiscard]] std::string start();
  /// Counts and logs a request that has ended.
  void report(const request_facts& of, const std::string& client, proxy_metrics& metrics);

  request_log log;
  recorder recordings;
  span_exporter spans;
  model_names models;
  log_throttle connection_limit;    ///< connections over `max_connections`
  log_throttle failed_accepts;      ///< accept() failed
  log_throttle failed_handshakes;   ///< of TLS clients
  log_throttle broken_connections;  ///< connections that an error inside the proxy ended
};

/// What is open now in all workers, to compare with the limits.
struct open_counts {
  std::atomic<std::uint64_t> connections{};    ///< being served
  std::atomic<std::uint64_t> refused{};        ///< connections over the limit that get a 503
  std::atomic<std::uint64_t> streams{};        ///< requests being served
  std::atomic<std::uint64_t> request_bytes{};  ///< of request bodies that the upstream does not have yet
};

/// What all workers of a proxy share.
struct shared_by_workers {
  explicit shared_by_workers(const proxy_options& options)
      : reports(options.log, options.record, options.trace), resolver(options.lookup) {}

  open_counts open;
  telemetry reports;
  name_resolver resolver;
  /// The name of this proxy in Via. Random, because several processes can share an address and must not
  /// reject each other's requests.
  const std::string pseudonym{"citestream-" + http::request_ids().make()};
};

/// How far the end of a worker has come.
enum class stopping : std::uint8_t {
  no,
  draining,  ///< no further request on any connection
  aborting,  ///< the same, and running responses end now
};

/// One thread: its event loop, its idle upstream connections, its clients. Only that thread uses it.
struct worker {
  worker(std::shared_ptr<const config_snapshot> config_in, shared_by_workers& shared_in)
      : config(std::move(config_in)), shared(shared_in) {}
  ~worker();

  [[nodiscard]] bool draining() const noexcept { return stage != stopping::no; }
  [[nodiscard]] bool aborting() const noexcept { return stage == stopping::aborting; }
  /// Counts and logs an exception that has ended a connection, usually std::bad_alloc.
  void report_broken(const std::exception_ptr& error) noexcept;

  /// Returns null for an upstream that is not in the current configuration.
  [[nodiscard]] upstream_pool* pool_of(const upstream_target& to);
  [[nodiscard]] std::shared_ptr<upstream_caches> caches_of(const upstream_target& to);
  /// Returns a copy of the metrics, including what is going on now.
  [[nodiscard]] proxy_metrics current_metrics() const;
  /// Adds the rows of all routes and upstreams, with zeros if nothing was counted.
  void add_configured_rows(proxy_metrics& out) const;

  std::shared_ptr<const config_snapshot> config;  ///< for new requests; a reload replaces it
  shared_by_workers& shared;
  proxy_metrics metrics;
  std::unordered_set<client_connection*> clients;
  stopping stage{};
  std::map<const upstream_target*, upstream_pool> pools;
  http::request_ids ids;
  workspace space;  ///< of the sessions
  buffer_pair buffers;
  asio::io_context io{1};  ///< last: pending operations are destroyed first
};

}  // namespace citestream

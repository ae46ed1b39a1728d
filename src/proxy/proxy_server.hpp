/// \file
/// A reverse proxy that rewrites LLM responses: event streams as they flow, JSON bodies as a whole,
/// everything else passes through unchanged.
///
/// \code
///   citestream::proxy_options options;
///   options.listen.addresses = "127.0.0.1:0";
///   options.upstream.url = "https://api.writer.com";
///   citestream::proxy_server server(std::move(options));
///   if (std::string error = server.start(); !error.empty()) fail(error);
///   use(server.port());
///   server.stop(std::chrono::seconds(10));
/// \endcode
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "metrics.hpp"
#include "proxy_options.hpp"

namespace citestream {

/// What a reload has done.
struct reload_result {
  std::string error;    ///< why the reload failed, in one line; empty: the new options are in use
  std::string waiting;  ///< changed options that need a restart: `listen, record`; empty if there are none
};

/// The proxy: one thread with an event loop and its own listening sockets for each core.
class proxy_server {
 public:
  explicit proxy_server(proxy_options options);
  ~proxy_server();  ///< stops without a drain time
  proxy_server(const proxy_server&) = delete;
  proxy_server& operator=(const proxy_server&) = delete;

  /// Reads the certificates, binds, and starts to serve. \return an empty string, or one line that describes
  /// the error.
  [[nodiscard]] std::string start();
  /// The first plain port, or 0. Valid after start().
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// All listening addresses, plain ones first: `http://127.0.0.1:8080`, `https://…`, `unix:/path`.
  [[nodiscard]] std::vector<std::string> addresses() const;

  /// Address and port of the admin listener; empty without one.
  [[nodiscard]] std::string admin_address() const;
  /// Opens the log file again by its name (log rotation). Can be called from signal handlers.
  void reopen_log() noexcept;
  /// The options in use; a reload changes them.
  [[nodiscard]] const proxy_options& options() const noexcept;
  /// Logs a message about the process.
  void log(log_level level, const std::string& message);

  /// Stops accepting connections and closes idle ones; running responses continue. Returns when the listeners
  /// are closed. Must not be called from a thread of the proxy.
  void drain();
  /// Waits until no client connection is open. \return false on timeout.
  [[nodiscard]] bool wait_until_idle(std::chrono::milliseconds at_most);
  /// Drains, waits up to \p drain_time, ends running responses with an error, and stops. Does not wait for
  /// name servers.
  void stop(std::chrono::milliseconds drain_time = std::chrono::milliseconds(0));

  /// Uses \p options for all new requests; running ones keep theirs. Reads certificate files again; new
  /// connections get the new certificate. The level and the format of the log change immediately, but a log
  /// that was off at start() stays off. keep_restart_only_options() has the options that cannot change. Must
  /// not be called from a thread of the proxy.
  [[nodiscard]] reload_result reload(proxy_options options);
  /// Records in the metrics that the configuration could not be read, so that reload() was not called.
  void note_failed_reload() noexcept;

  /// Metrics since start(), of all workers. Empty if one of them does not answer within a minute. For tests.
  [[nodiscard]] proxy_metrics metrics() const;
  /// The process and its configuration now. For tests.
  [[nodiscard]] proxy_state state() const;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream

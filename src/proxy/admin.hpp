/// \file
/// The listener for those who run the proxy: health, readiness, metrics. A socket, a thread and an event loop
/// of its own; nothing of it is reachable through the proxy's listener.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace citestream {

struct admin_page {
  unsigned status{404};
  std::string type{"text/plain; charset=utf-8"};
  std::string body{"not found\n"};
};

/// Serves GET and HEAD. Bounded: connections, the size of a head, the time for a request.
class admin_server {
 public:
  /// \p page is asked for the page at a path (without its query), from the server's thread.
  explicit admin_server(std::function<admin_page(std::string_view path)> page);
  ~admin_server();  ///< stop()
  admin_server(const admin_server&) = delete;
  admin_server& operator=(const admin_server&) = delete;

  /// \p listen is `host:port`; without a host, `:9090` or `9090`, it is the loopback interface. The port is
  /// shared as those for clients are: while a new process starts beside the old, either may answer.
  /// \return an empty string, or in one line why not.
  [[nodiscard]] std::string start(const std::string& listen);
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// As it stands in a URL.
  [[nodiscard]] std::string address() const;
  void stop();

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

/// Splits what \ref admin_server::start takes. \return whether it is an address.
[[nodiscard]] bool parse_admin_address(const std::string& text, std::string& host, std::string& port);

}  // namespace citestream

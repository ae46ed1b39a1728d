/// \file
/// The admin listener: health, readiness, metrics. It has its own socket, thread and event loop, and nothing
/// of it can be reached through the listeners for clients.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace citestream {

/// A response.
struct admin_page {
  unsigned status{404};
  std::string type{"text/plain; charset=utf-8"};
  std::string body{"not found\n"};
};

/// Serves GET and HEAD. Connections, the size of a head and the time for a request are bounded. If there are
/// too many connections, idle ones are closed first.
class admin_server {
 public:
  using page_answer = std::function<void(admin_page)>;
  /// Passes the page for a path without its query to \p answer, now or later.
  using page_source = std::function<void(std::string_view path, page_answer answer)>;

  /// \p source is called from the thread of the listener, and so must be its `answer`. A page that takes
  /// longer than two seconds is answered with 503.
  explicit admin_server(page_source source);
  ~admin_server();
  admin_server(const admin_server&) = delete;
  admin_server& operator=(const admin_server&) = delete;

  /// \p listen is `host:port`, or `:9090` or `9090` for the loopback interface. The port is bound with
  /// SO_REUSEPORT: while two processes run, either may answer. \return an empty string, or one line that
  /// describes the error.
  [[nodiscard]] std::string start(const std::string& listen);
  /// Calls \p task from the thread of the listener. Thread-safe.
  void post(std::function<void()> task);
  /// Returns `host:port`.
  [[nodiscard]] std::string address() const;
  /// Returns true if another process listened on the same port at the start.
  [[nodiscard]] bool shared() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

/// Splits the address for \ref admin_server::start. \return false if it is not valid.
[[nodiscard]] bool parse_admin_address(const std::string& text, std::string& host, std::string& port);

}  // namespace citestream

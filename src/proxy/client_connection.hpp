/// \file
/// One client connection: its requests, one after the other.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client_link.hpp"
#include "http/message_head.hpp"
#include "request_body.hpp"
#include "request_facts.hpp"
#include "served_request.hpp"
#include "worker.hpp"

namespace citestream {

/// Reads the requests of one client connection and serves them, one after the other.
class client_connection {
 public:
  /// \p tls: null for a plain connection. \p place: in the count of connections. \p over_limit: it gets a
  /// 503.
  client_connection(worker& owner, transport::socket_type socket, SSL_CTX* tls, counter_share place,
                    bool over_limit);
  ~client_connection();
  client_connection(const client_connection&) = delete;
  client_connection& operator=(const client_connection&) = delete;

  /// Serves requests until the client or the proxy closes the connection, which the coroutine owns.
  static awaitable<void> serve(std::unique_ptr<client_connection> self);

  /// The current request.
  [[nodiscard]] const request_facts& facts() const noexcept { return facts_; }

  /// The worker's flags have changed.
  void wake() { wake_->notify(); }
  /// The event loop has ended: destroys the coroutine where it waits.
  void abandon() { wake_->abandon(); }

 private:
  awaitable<void> serve_all();
  awaitable<bool> serve_one();
  void abort() noexcept;
  awaitable<http::own_error> read_request(http::head_state found);
  awaitable<std::optional<http::head_state>> read_head();
  awaitable<bool> begin_head();
  void identify();
  awaitable<http::own_error> read_body();
  void log_handshake(std::string_view why);
  [[nodiscard]] const proxy_options& options() const noexcept { return matched_.config->options; }
  /// A larger body could never be accepted.
  [[nodiscard]] std::size_t max_body_bytes() const noexcept {
    return std::min(options().limits.max_request_bytes, options().limits.max_request_memory);
  }
  [[nodiscard]] served_request current_request();
  awaitable<bool> send_continue();
  awaitable<bool> refuse(http::own_error why, bool close);
  awaitable<void> close_gently();
  [[nodiscard]] http::head_state find_head();
  void skip_empty_line();
  void report();

  /// The request that is being read or answered.
  struct incoming_request {
    http::head_finder finder{0};
    bool skipped_line{};  ///< an empty line in front of the head
    std::string head_bytes;
    http::request_head head;  ///< views into `head_bytes`
    request_body body;
  };

  worker& worker_;
  matched_route matched_;  ///< of the current request
  std::string peer_;
  std::shared_ptr<wakeup> wake_;
  std::shared_ptr<client_link> client_;
  incoming_request request_;
  request_facts facts_;  ///< of the current request
  counter_share place_;
  bool over_limit_;
  bool served_{};  ///< a request has been read
};

}  // namespace citestream

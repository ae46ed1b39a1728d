/// \file
/// One client connection: its requests, one after the other.
#pragma once

#include <memory>
#include <string>

#include "client_link.hpp"
#include "http/message_head.hpp"
#include "request_facts.hpp"
#include "worker.hpp"

namespace citestream {

class connection {
 public:
  /// \p tls: where the client speaks it, else null. \p over: it is one too many, and told so.
  connection(worker& home, transport::socket_type socket, SSL_CTX* tls, bool over);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// Serves until the client or the proxy ends it. Owns the connection meanwhile.
  static awaitable<void> serve(std::unique_ptr<connection> self);

  /// What is known of the request under way.
  [[nodiscard]] const request_facts& seen() const noexcept { return seen_; }

  /// The worker's flags have changed.
  void look_up() { wake_->notify(); }
  /// Nothing runs any more: serve() ends where it waits.
  void abandon() { wake_->abandon(); }

 private:
  awaitable<void> serve_all();
  awaitable<bool> serve_one();
  void break_off() noexcept;
  awaitable<http::refusal> read_request();
  awaitable<bool> read_head();
  awaitable<bool> begin_head();
  awaitable<http::refusal> read_body();
  [[nodiscard]] const proxy_options& options() const noexcept { return way_.of->options; }
  awaitable<bool> say_continue();
  awaitable<bool> refuse(http::refusal why, bool close);
  awaitable<bool> send(std::string_view bytes);
  awaitable<void> leave();
  bool has_head();
  void report();

  worker& home_;
  course way_;  ///< of the request under way
  std::string peer_;
  std::shared_ptr<wakeup> wake_;
  std::shared_ptr<client_link> client_;
  http::head_finder finder_;
  http::head_state found_{http::head_state::more};
  bool over_;       ///< over the bound
  bool served_{};   ///< a request has been read
  bool started_{};  ///< a byte of the head has come
  std::string head_bytes_;
  http::request_head head_;  ///< views into head_bytes_
  std::string body_;
  request_facts seen_;  ///< of the request under way
};

}  // namespace citestream

/// \file
/// A client connection: received bytes that are not consumed yet, and one write at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "proxy_options.hpp"
#include "transport.hpp"
#include "wakeup.hpp"

namespace citestream {

/// Reads also while a response is sent, so that a disconnect is noticed immediately. Bytes that arrive early
/// (pipelining) are kept up to max_unread; beyond that, reading stops and the socket is polled for the end.
class client_link : public transport {
 public:
  /// \p context: null for a plain connection.
  client_link(socket_type socket, SSL_CTX* context, std::shared_ptr<wakeup> wake);

  /// Arms the first read.
  void start();
  [[nodiscard]] std::string_view unread() const noexcept { return unread_; }
  void consume(std::size_t bytes);
  /// Returns true if the client has closed its side or the connection is broken.
  [[nodiscard]] bool disconnected() const noexcept { return disconnected_; }
  /// Returns true during the TLS handshake.
  [[nodiscard]] bool handshaking() const noexcept { return tls() != nullptr && !tls()->established(); }
  /// Why the TLS handshake failed; empty if it has not.
  [[nodiscard]] std::string_view handshake_error() const noexcept {
    return handshaking() ? std::string_view(tls()->reason()) : std::string_view{};
  }

  /// Starts one gathered write. The bytes must stay in place until writing() is false, or close().
  void write(const pieces& bytes);
  [[nodiscard]] bool writing() const noexcept { return writing_; }

  /// Bytes that the system has taken and the client has not acknowledged.
  [[nodiscard]] std::size_t unacknowledged() noexcept;
  /// The same with the bytes of the current write that the system has not taken.
  [[nodiscard]] std::size_t unread_by_client() noexcept { return unacknowledged() + unsent(); }

  /// Ends our side. The client sees the end after everything that was written.
  void shut() { end_writing(); }
  /// Closes the connection; written bytes may not arrive. \p reset: the client sees an error instead of an
  /// end.
  void close(bool reset = false);

 private:
  /// Reading pauses while this many received bytes are not consumed. One more shows that a head is too long.
  static constexpr std::size_t max_unread = client_limits::most_head_bytes + 1;

  void arm();
  void on_readable(error_code error) override;
  void on_written(error_code error) override;
  void on_broken() override;
  void poll_for_end();

  asio::steady_timer poll_timer_;  ///< runs while nothing is read
  std::shared_ptr<wakeup> wake_;
  std::string unread_;
  bool reading_{};
  bool polling_{};
  bool writing_{};
  bool disconnected_{};
};

}  // namespace citestream

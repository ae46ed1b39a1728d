/// \file
/// A client's connection: what it has sent and nobody has used yet, and one write at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "transport.hpp"
#include "wakeup.hpp"

namespace citestream {

/// A read is always armed, also while an answer is on its way: that is how a client that leaves is noticed
/// at once. Bytes that come early (pipelining) are kept, up to a bound; from there on nothing is read, and
/// the socket is looked at again and again for the client's end.
class client_link : public transport {
 public:
  /// Bytes read ahead of what is used.
  static constexpr std::size_t max_unread = 64 * 1024;

  /// \p context: where the client speaks TLS, else null.
  client_link(socket_type socket, SSL_CTX* context, std::shared_ptr<wakeup> wake);

  /// Arms the first read.
  void start();
  [[nodiscard]] std::string_view unread() const noexcept { return unread_; }
  void consume(std::size_t bytes);
  /// The client closed its side, or its connection broke.
  [[nodiscard]] bool gone() const noexcept { return gone_; }
  /// TLS is not there yet.
  [[nodiscard]] bool greeting() const noexcept { return tls() != nullptr && !tls()->established(); }

  /// Starts one gathered write. The bytes stay in place until writing() is false, or close().
  void write(const pieces& bytes);
  [[nodiscard]] bool writing() const noexcept { return writing_; }

  /// Bytes that the system has taken and the client has not acknowledged.
  [[nodiscard]] std::size_t unacknowledged() noexcept;

  /// Ends our side: the client sees the end after all that was written.
  void shut() { end_writing(); }
  /// Closes; what was written may not arrive. With \p reset the client sees an error, not an end.
  void close(bool reset = false);

 private:
  void arm();
  void on_readable(error_code error) override;
  void on_written(error_code error) override;
  void on_broken() override;
  void watch();
  void on_look(error_code cancelled);

  asio::steady_timer look_;  ///< runs while nothing more is read
  std::shared_ptr<wakeup> wake_;
  std::string unread_;
  bool reading_{};
  bool watching_{};
  bool writing_{};
  bool gone_{};
};

}  // namespace citestream

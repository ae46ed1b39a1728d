/// \file
/// TLS without I/O (OpenSSL): converts encrypted bytes into plain bytes and back.
///
/// \code
///   tls_engine tls(context, tls_engine::side::server);
///   tls.feed(received, plain, to_send);       // including the handshake
///   if (tls.established()) tls.seal(answer, to_send);
/// \endcode
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/types.h>

namespace citestream {

/// The TLS state of one connection. Buffers at most the beginning of an encrypted record.
class tls_engine {
 public:
  enum class side : std::uint8_t { client, server };

  /// The connection keeps its context, even if new connections use another one.
  tls_engine(SSL_CTX* context, side which);

  /// Starts the handshake as a client. Appends to \p to_send.
  void start(std::string& to_send);
  /// Consumes all of \p wire. Appends to \p plain and \p to_send.
  void feed(std::string_view wire, std::string& plain, std::string& to_send);
  /// Appends \p plain in records to \p to_send. \return false: not established(), or failed().
  bool seal(std::string_view plain, std::string& to_send);
  /// Ends our side with a close_notify alert. Appends to \p to_send.
  void send_close_notify(std::string& to_send);

  [[nodiscard]] bool established() const noexcept { return established_; }
  /// Returns true if the peer has ended its side. The end of the TCP connection alone proves nothing.
  [[nodiscard]] bool close_notify_received() const noexcept { return close_notify_received_; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// OpenSSL's error message.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] SSL* native() const noexcept { return ssl_.get(); }

  /// The buffers that OpenSSL reads from and writes to during a call.
  struct wire_ends {
    std::string_view in;
    std::string* out{};
  };

 private:
  struct freed {
    void operator()(SSL* ssl) const noexcept;
  };
  void note(int result);
  void shake_hands();

  std::unique_ptr<wire_ends> ends_;
  std::unique_ptr<SSL, freed> ssl_;
  bool established_{};
  bool close_notify_received_{};
  bool failed_{};
  std::string reason_;
};

}  // namespace citestream

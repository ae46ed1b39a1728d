/// \file
/// TLS (OpenSSL): the state of a connection without I/O, sessions to resume, and certificates from PEM files.
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

#include <boost/asio/ssl/context.hpp>
#include <openssl/types.h>

struct ssl_session_st;  // OpenSSL has no header with a forward declaration

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

/// The last TLS session with a server, to resume it on the next connection.
class tls_session_cache {
 public:
  tls_session_cache() = default;
  tls_session_cache(const tls_session_cache&) = delete;
  tls_session_cache& operator=(const tls_session_cache&) = delete;
  ~tls_session_cache();

  /// Offers the cached session to the server. Sessions that the server sends on \p connection are cached
  /// here.
  void use(SSL* connection);
  /// Enables the cache for connections of \p context. Call it once for each context.
  static void enable(SSL_CTX* context);

 private:
  static int on_session(SSL* connection, ssl_session_st* session);

  ssl_session_st* session_{};
};

/// Checks that \p path contains at least one CA certificate. \return an empty string, or one line that
/// describes the error.
[[nodiscard]] std::string ca_file_error(const std::string& path);

/// An error in a certificate or its key.
struct certificate_error {
  std::string what;  ///< one line; empty: no error
  bool in_key{};     ///< the error is in the key, not in the certificate
  explicit operator bool() const noexcept { return !what.empty(); }
};

/// Uses the certificate chain of \p cert_file and the key of \p key_file (empty: the same file) in \p to. A
/// key with a passphrase is rejected, because there is no one to ask for it.
[[nodiscard]] certificate_error use_certificate(boost::asio::ssl::context& to, const std::string& cert_file,
                                                const std::string& key_file);
/// Returns the error that use_certificate() would return.
[[nodiscard]] certificate_error certificate_error_of(const std::string& cert_file,
                                                     const std::string& key_file);

/// Makes the TLS context for clients, TLS 1.2 and later, with the certificate chain and key of these files.
/// \return an empty string, or one line that describes the error.
[[nodiscard]] std::string make_server_tls(const std::string& cert_file, const std::string& key_file,
                                          std::shared_ptr<boost::asio::ssl::context>& out);

}  // namespace citestream

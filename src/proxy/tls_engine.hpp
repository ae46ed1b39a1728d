/// \file
/// TLS without I/O: bytes of the wire in, the application's bytes out, and the other way round (OpenSSL).
///
/// \code
///   tls_engine tls(context, tls_engine::side::server);
///   tls.feed(what_came, plain, to_send);      // the handshake too
///   if (tls.established()) tls.seal(answer, to_send);
/// \endcode
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/types.h>

namespace citestream {

/// One connection's TLS. Holds no bytes of the application's; of the wire's, the start of a record at most.
class tls_engine {
 public:
  enum class side : std::uint8_t { client, server };

  /// The context may be replaced meanwhile: the connection keeps what it was made with.
  tls_engine(SSL_CTX* context, side which);

  /// A client's first words. Appends to \p to_send.
  void start(std::string& to_send);
  /// Takes all of \p wire. Appends to both.
  void feed(std::string_view wire, std::string& plain, std::string& to_send);
  /// Appends \p plain in records to \p to_send. \return false: not established(), or failed().
  bool seal(std::string_view plain, std::string& to_send);
  /// Says that nothing more comes from here. Appends to \p to_send.
  void say_goodbye(std::string& to_send);

  [[nodiscard]] bool established() const noexcept { return established_; }
  /// The other side has said that nothing more comes: TCP's end alone proves nothing.
  [[nodiscard]] bool goodbye_came() const noexcept { return goodbye_; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Why, in OpenSSL's words.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] SSL* native() const noexcept { return ssl_.get(); }

  /// What OpenSSL reads from and writes to, while it is called.
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
  bool goodbye_{};
  bool failed_{};
  std::string reason_;
};

}  // namespace citestream

// A certificate authority for one test, and TLS servers and clients that use its certificates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/loopback.hpp"

namespace loopback {

/// A key and a self-signed certificate; signs others.
class authority {
 public:
  authority();
  ~authority();
  authority(const authority&) = delete;
  authority& operator=(const authority&) = delete;
  /// Path of the certificate (PEM). The destructor removes the file.
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// Writes a certificate for \p name and its key to \p path.
  void issue(const std::string& name, const std::string& path) const;

  struct keys;
  [[nodiscard]] const keys& own() const noexcept { return *own_; }

 private:
  std::unique_ptr<keys> own_;
  std::string file_;
};

enum class key_kind : std::uint8_t { rsa, locked };

/// Writes a private key without a certificate to \p path: an RSA key (authorities use elliptic curves), or an
/// elliptic key with a passphrase.
void write_key(key_kind kind, const std::string& path);

/// Answers one request on each connection. \p name is the subject of its certificate (`DNS:localhost`,
/// `IP:127.0.0.1`). With \p says_goodbye it sends close_notify before it closes.
class tls_upstream {
 public:
  tls_upstream(const authority& signer, const std::string& name, std::string answer, bool says_goodbye = true,
               bool asks_for_certificate = false);
  ~tls_upstream();
  tls_upstream(const tls_upstream&) = delete;
  tls_upstream& operator=(const tls_upstream&) = delete;
  [[nodiscard]] std::string url(std::string_view host) const;
  /// The server name that the last client requested (SNI).
  [[nodiscard]] std::string server_name() const;
  /// Connections on which a request was read.
  [[nodiscard]] int requests() const;
  /// The number of these that resumed a TLS session.
  [[nodiscard]] int resumed() const;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

/// A client that speaks TLS. Waits end with an exception.
class tls_client {
 public:
  /// Checks the certificate for `localhost` against \p trusted. Throws if that fails. \p version: the newest
  /// one, such as TLS1_2_VERSION; 0: all. \p earlier: offers the TLS session of this client, if not null.
  tls_client(const authority& trusted, std::uint16_t port, int version = 0,
             const tls_client* earlier = nullptr);
  ~tls_client();
  tls_client(const tls_client&) = delete;
  tls_client& operator=(const tls_client&) = delete;
  void send(std::string_view bytes);
  /// Reads until \p mark has arrived. \return false if the connection ended first
  bool read_until(std::string_view mark, std::string& into);
  /// Requests \p times key updates without reading the answers. \return how many could be sent
  int renew_keys(int times);
  /// Returns true if the TLS session is that of an earlier client.
  [[nodiscard]] bool resumed() const;
  /// Reads to the end. \return true if the connection ended with close_notify
  bool ends_well();
  [[nodiscard]] wire& socket() noexcept { return wire_; }

 private:
  struct freed {
    void operator()(void* tls) const noexcept;
  };
  wire wire_;
  std::unique_ptr<void, freed> tls_;
};

}  // namespace loopback

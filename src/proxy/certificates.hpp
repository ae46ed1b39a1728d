/// \file
/// Certificates and keys from PEM files, and the TLS context that clients connect to.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

namespace citestream {

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

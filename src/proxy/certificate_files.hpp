/// \file
/// Files with certificates and keys (PEM).
#pragma once

#include <string>

namespace boost::asio::ssl {
class context;
}

namespace citestream {

/// Whether \p path can be trusted by: a file that holds at least one certificate. \return an empty string, or
/// in one line why not.
[[nodiscard]] std::string trouble_of_ca_file(const std::string& path);

/// What is wrong with a certificate and its key.
struct certificate_trouble {
  std::string what;  ///< in one line; empty: nothing
  bool in_key{};     ///< the certificate is good
  explicit operator bool() const noexcept { return !what.empty(); }
};

/// Shows the certificate of \p cert_file, with its chain, to the other side of connections made with \p to.
/// \p key_file: its key; empty: it stands in `cert_file`. A key behind a passphrase is refused: nobody is
/// there to be asked for one.
[[nodiscard]] certificate_trouble use_certificate(boost::asio::ssl::context& to, const std::string& cert_file,
                                                  const std::string& key_file);
/// Whether use_certificate() would do.
[[nodiscard]] certificate_trouble trouble_of_certificate(const std::string& cert_file,
                                                         const std::string& key_file);

}  // namespace citestream

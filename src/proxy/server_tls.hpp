/// \file
/// The certificate that clients are shown.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

namespace citestream {

/// Reads a certificate with its chain, and its key (PEM; both may stand in one file). TLS 1.2 and later.
/// \return an empty string, or in one line what is wrong.
[[nodiscard]] std::string make_server_tls(const std::string& cert_file, const std::string& key_file,
                                          std::shared_ptr<boost::asio::ssl::context>& out);

}  // namespace citestream

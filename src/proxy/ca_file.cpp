#include "ca_file.hpp"

#include <boost/asio/ssl/context.hpp>

#include "asio.hpp"

namespace citestream {

std::string trouble_of_ca_file(const std::string& path) {
  asio::ssl::context tls(asio::ssl::context::tls_client);
  error_code error;
  tls.load_verify_file(path, error);
  return error ? "'" + path + "' holds no certificates (PEM)" : std::string{};
}

}  // namespace citestream

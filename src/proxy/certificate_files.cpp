#include "certificate_files.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "asio.hpp"

namespace citestream {
namespace {

using context_type = boost::asio::ssl::context;

/// What OpenSSL says, where people say it otherwise.
std::string words(const error_code& error, const std::string& wanted) {
  const auto code = static_cast<unsigned long>(error.value());
  const bool of_openssl = error.category() == asio::error::get_ssl_category();
  const int reason = of_openssl ? ERR_GET_REASON(code) : 0;
  const bool none = reason == PEM_R_NO_START_LINE || reason == ERR_R_UNSUPPORTED;
  return none ? "holds no " + wanted + " (PEM)" : error.message();
}

}  // namespace

std::string trouble_of_ca_file(const std::string& path) {
  context_type tls(context_type::tls_client);
  error_code error;
  tls.load_verify_file(path, error);
  return error ? "'" + path + "' holds no certificates (PEM)" : std::string{};
}

certificate_trouble use_certificate(context_type& to, const std::string& cert_file,
                                    const std::string& key_file) {
  error_code error;
  to.use_certificate_chain_file(cert_file, error);
  if (error) return {"certificate '" + cert_file + "': " + words(error, "certificate"), false};
  const std::string& key = key_file.empty() ? cert_file : key_file;
  bool locked = false;
  to.set_password_callback(
      [&locked](std::size_t, context_type::password_purpose) {
        locked = true;
        return std::string{};
      },
      error);
  to.use_private_key_file(key, context_type::pem, error);
  if (locked) return {"key '" + key + "': is behind a passphrase", true};
  // A key of another kind than the certificate's is taken without a word.
  const bool fits = error || SSL_CTX_check_private_key(to.native_handle()) == 1;
  const bool other = error && ERR_GET_LIB(static_cast<unsigned long>(error.value())) == ERR_LIB_X509;
  if (other || !fits) return {"key '" + key + "': is not that of the certificate '" + cert_file + "'", true};
  if (error) return {"key '" + key + "': " + words(error, "private key"), true};
  return {};
}

certificate_trouble trouble_of_certificate(const std::string& cert_file, const std::string& key_file) {
  context_type tls(context_type::tls);
  return use_certificate(tls, cert_file, key_file);
}

}  // namespace citestream

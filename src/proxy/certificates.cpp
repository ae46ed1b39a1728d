#include "certificates.hpp"

#include <utility>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "asio.hpp"

namespace citestream {
namespace {

using context_type = boost::asio::ssl::context;

/// OpenSSL's message, or a clearer one.
std::string words(const error_code& error, const std::string& wanted) {
  const auto code = static_cast<unsigned long>(error.value());
  const bool of_openssl = error.category() == asio::error::get_ssl_category();
  const int reason = of_openssl ? ERR_GET_REASON(code) : 0;
  const bool none = reason == PEM_R_NO_START_LINE || reason == ERR_R_UNSUPPORTED;
  return none ? "contains no " + wanted + " (PEM)" : error.message();
}

}  // namespace

std::string ca_file_error(const std::string& path) {
  context_type tls(context_type::tls_client);
  error_code error;
  tls.load_verify_file(path, error);
  return error ? "'" + path + "' contains no certificates (PEM)" : std::string{};
}

certificate_error use_certificate(context_type& to, const std::string& cert_file,
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
  if (locked) return {"key '" + key + "': has a passphrase, which is not supported", true};
  // OpenSSL accepts a key of another type than that of the certificate.
  const bool fits = error || SSL_CTX_check_private_key(to.native_handle()) == 1;
  const bool other = error && ERR_GET_LIB(static_cast<unsigned long>(error.value())) == ERR_LIB_X509;
  if (other || !fits) return {"key '" + key + "': does not match the certificate '" + cert_file + "'", true};
  if (error) return {"key '" + key + "': " + words(error, "private key"), true};
  return {};
}

certificate_error certificate_error_of(const std::string& cert_file, const std::string& key_file) {
  context_type tls(context_type::tls);
  return use_certificate(tls, cert_file, key_file);
}

namespace {

constexpr unsigned char http_1_1[] = "\x08http/1.1";

/// Selects HTTP/1.1 if the client offers several protocols (RFC 7301).
int choose_protocol(SSL* /*tls*/, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned offered_size, void* /*data*/) {
  unsigned char* chosen = nullptr;
  const int found =
      SSL_select_next_proto(&chosen, out_size, http_1_1, sizeof http_1_1 - 1, offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

std::string make_server_tls(const std::string& cert_file, const std::string& key_file,
                            std::shared_ptr<asio::ssl::context>& out) {
  auto made = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  SSL_CTX* const native = made->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);  // tickets do not use it
  SSL_CTX_set_num_tickets(native, 1);
  SSL_CTX_set_alpn_select_cb(native, &choose_protocol, nullptr);
  const certificate_error why = use_certificate(*made, cert_file, key_file);
  if (!why) out = std::move(made);
  return why.what;
}

}  // namespace citestream

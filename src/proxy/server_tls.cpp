#include "server_tls.hpp"

#include <utility>

#include "asio.hpp"
#include "certificate_files.hpp"

namespace citestream {
namespace {

constexpr unsigned char http_1_1[] = "\x08http/1.1";

/// RFC 7301: a client that offers more is told what is spoken here.
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
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);  // tickets need none
  SSL_CTX_set_num_tickets(native, 1);
  SSL_CTX_set_alpn_select_cb(native, &choose_protocol, nullptr);
  const certificate_trouble why = use_certificate(*made, cert_file, key_file);
  if (!why) out = std::move(made);
  return why.what;
}

}  // namespace citestream

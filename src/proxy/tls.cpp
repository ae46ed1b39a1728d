// OpenSSL reads and writes through a BIO that is connected to two buffers for the duration of one call
// (`wire_ends`), so that it never sees a socket and never waits. If it wants more input than there is, the
// call ends and continues with the next feed().
//
// The end of a connection counts as the end of the data only after close_notify. Errors are final.

#include "tls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include <boost/asio/ssl/error.hpp>
#include <climits>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include "asio.hpp"

namespace citestream {
namespace {

/// Maximum plain bytes in a record (RFC 8446, 5.1).
constexpr std::size_t max_record = 16 * 1024;

tls_engine::wire_ends& ends_of(BIO* bio) {
  return *static_cast<tls_engine::wire_ends*>(BIO_get_data(bio));
}

int read_wire(BIO* bio, char* to, int size) {
  std::string_view& in = ends_of(bio).in;
  BIO_clear_retry_flags(bio);
  if (in.empty()) {
    BIO_set_retry_read(bio);
    return -1;
  }
  const std::size_t taken = std::min(in.size(), static_cast<std::size_t>(size));
  std::memcpy(to, in.data(), taken);
  in.remove_prefix(taken);
  return static_cast<int>(taken);
}

int write_wire(BIO* bio, const char* from, int size) {
  BIO_clear_retry_flags(bio);
  std::string* const out = ends_of(bio).out;
  if (out != nullptr) out->append(from, static_cast<std::size_t>(size));
  return size;
}

long control(BIO* /*bio*/, int what, long /*number*/, void* /*data*/) {
  return what == BIO_CTRL_FLUSH ? 1 : 0;
}

int made(BIO* bio) {
  BIO_set_init(bio, 1);
  return 1;
}

const BIO_METHOD* wire_method() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* const out = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "citestream wire");
    BIO_meth_set_read(out, &read_wire);
    BIO_meth_set_write(out, &write_wire);
    BIO_meth_set_ctrl(out, &control);
    BIO_meth_set_create(out, &made);
    return out;
  }();
  return method;
}

}  // namespace

void tls_engine::freed::operator()(SSL* ssl) const noexcept {
  // Otherwise OpenSSL does not resume sessions of connections that were closed without a shutdown.
  SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  SSL_free(ssl);
}

tls_engine::tls_engine(SSL_CTX* context, side which)
    : ends_(std::make_unique<wire_ends>()), ssl_(SSL_new(context)) {
  BIO* const bio = ssl_ == nullptr ? nullptr : BIO_new(wire_method());
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, ends_.get());
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS);
  if (which == side::server) {
    SSL_set_accept_state(ssl_.get());
  } else {
    SSL_set_connect_state(ssl_.get());
  }
}

void tls_engine::note(int result) {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_NONE:
    case SSL_ERROR_WANT_READ:
      return;
    case SSL_ERROR_ZERO_RETURN:
      close_notify_received_ = true;
      return;
    default:
      break;
  }
  failed_ = true;
  const long verified = SSL_get_verify_result(ssl_.get());
  const char* why = ERR_reason_error_string(ERR_peek_last_error());
  if (verified != X509_V_OK) why = X509_verify_cert_error_string(verified);
  reason_ = why == nullptr ? "no TLS" : why;
}

void tls_engine::shake_hands() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  established_ = result == 1;
  if (!established_) note(result);
}

void tls_engine::start(std::string& to_send) {
  ends_->out = &to_send;
  shake_hands();
  ends_->out = nullptr;
}

void tls_engine::feed(std::string_view wire, std::string& plain, std::string& to_send) {
  ends_->in = wire;
  ends_->out = &to_send;
  if (!established_ && !failed_) shake_hands();
  std::array<char, max_record> record;
  int got = 1;
  while (established_ && !failed_ && got > 0) {
    ERR_clear_error();
    got = SSL_read(ssl_.get(), record.data(), static_cast<int>(record.size()));
    if (got > 0) plain.append(record.data(), static_cast<std::size_t>(got));
    if (got <= 0) note(got);
  }
  *ends_ = {};
}

bool tls_engine::seal(std::string_view plain, std::string& to_send) {
  ends_->out = &to_send;
  while (established_ && !failed_ && !plain.empty()) {
    const std::size_t size = std::min(plain.size(), max_record);
    ERR_clear_error();
    const int taken = SSL_write(ssl_.get(), plain.data(), static_cast<int>(size));
    if (taken > 0) plain.remove_prefix(static_cast<std::size_t>(taken));
    if (taken <= 0) failed_ = true;
  }
  ends_->out = nullptr;
  return plain.empty();
}

void tls_engine::send_close_notify(std::string& to_send) {
  if (!established_ || failed_) return;
  ends_->out = &to_send;
  ERR_clear_error();
  SSL_shutdown(ssl_.get());
  ends_->out = nullptr;
}

namespace {

/// Where a connection keeps a pointer to the cache that it uses.
int slot() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

}  // namespace

tls_session_cache::~tls_session_cache() {
  SSL_SESSION_free(session_);
}

void tls_session_cache::use(SSL* connection) {
  SSL_set_ex_data(connection, slot(), this);
  if (session_ != nullptr) SSL_set_session(connection, session_);
}

void tls_session_cache::enable(SSL_CTX* context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, &tls_session_cache::on_session);
}

int tls_session_cache::on_session(SSL* connection, SSL_SESSION* session) {
  auto* const self = static_cast<tls_session_cache*>(SSL_get_ex_data(connection, slot()));
  if (self == nullptr) return 0;
  SSL_SESSION_free(std::exchange(self->session_, session));
  return 1;  // the cache owns the session now
}

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

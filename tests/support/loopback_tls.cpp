#include "support/loopback_tls.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace loopback {

struct authority::keys {
  EVP_PKEY* key{};
  X509* certificate{};
  ~keys() {
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
};

namespace {

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* made = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  if (made == nullptr) throw std::runtime_error("no certificate extension " + value);
  X509_add_ext(certificate, made, -1);
  X509_EXTENSION_free(made);
}

/// A certificate for \p name, signed by \p signer or self-signed.
std::unique_ptr<authority::keys> make_keys(const std::string& name, const authority::keys* signer) {
  auto out = std::make_unique<authority::keys>();
  out->key = EVP_EC_gen("P-256");
  out->certificate = X509_new();
  X509* const made = out->certificate;
  const authority::keys& by = signer == nullptr ? *out : *signer;
  X509_set_version(made, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made), signer == nullptr ? 1 : 2);
  X509_gmtime_adj(X509_getm_notBefore(made), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made), 3600);
  X509_set_pubkey(made, out->key);
  const std::string shown = signer == nullptr ? "citestream test authority" : "citestream test upstream";
  const std::basic_string<unsigned char> common(shown.begin(), shown.end());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC, common.c_str(), -1, -1, 0);
  X509_set_issuer_name(made, X509_get_subject_name(by.certificate));
  extend(made, by.certificate, NID_basic_constraints, signer == nullptr ? "critical,CA:TRUE" : "CA:FALSE");
  if (signer != nullptr) extend(made, by.certificate, NID_subject_alt_name, name);
  if (X509_sign(made, by.key, EVP_sha256()) == 0) throw std::runtime_error("cannot sign");
  return out;
}

}  // namespace

authority::authority() : own_(make_keys("", nullptr)) {
  char path[] = "/tmp/citestream-test-ca-XXXXXX";
  const int fd = ::mkstemp(path);
  file_ = path;
  std::FILE* out = ::fdopen(fd, "w");
  PEM_write_X509(out, own_->certificate);
  std::fclose(out);
}

authority::~authority() {
  std::remove(file_.c_str());
}

void authority::issue(const std::string& name, const std::string& path) const {
  const std::unique_ptr<keys> made = make_keys(name, own_.get());
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (out == nullptr) throw std::runtime_error("cannot write " + path);
  PEM_write_X509(out, made->certificate);
  PEM_write_PrivateKey(out, made->key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(out);
}

void write_key(key_kind kind, const std::string& path) {
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (out == nullptr) throw std::runtime_error("cannot write " + path);
  EVP_PKEY* key = kind == key_kind::rsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256");
  std::string phrase = "secret";
  const EVP_CIPHER* cipher = kind == key_kind::locked ? EVP_aes_128_cbc() : nullptr;
  PEM_write_PrivateKey(out, key, cipher, nullptr, 0, nullptr, cipher == nullptr ? nullptr : phrase.data());
  EVP_PKEY_free(key);
  std::fclose(out);
}

struct tls_upstream::impl {
  impl(const authority& signer, const std::string& name, std::string text, bool goodbye, bool asks)
      : keys(make_keys(name, &signer.own())), answer(std::move(text)), says_goodbye(goodbye) {
    SSL_CTX_use_certificate(context, keys->certificate);
    SSL_CTX_use_PrivateKey(context, keys->key);
    const unsigned char name_of_sessions[] = "test";
    SSL_CTX_set_session_id_context(context, name_of_sessions, 4);
    if (!asks) return;
    SSL_CTX_load_verify_file(context, signer.file().c_str());
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  ~impl() {
    plain.reset();
    SSL_CTX_free(context);
  }

  void serve(wire& client) {
    SSL* const tls = SSL_new(context);
    SSL_set_fd(tls, client.fd());
    if (SSL_accept(tls) == 1) talk(tls);
    ERR_clear_error();
    SSL_free(tls);
  }

  void talk(SSL* tls) {
    if (const char* name = SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name)) {
      const std::lock_guard lock(mutex);
      server_name = name;
    }
    std::string seen;
    char buffer[4096];
    while (seen.find("\r\n\r\n") == std::string::npos) {
      const int got = SSL_read(tls, buffer, sizeof buffer);
      if (got <= 0) return;
      seen.append(buffer, static_cast<std::size_t>(got));
    }
    ++requests;
    if (SSL_session_reused(tls) == 1) ++resumed;
    SSL_write(tls, answer.data(), static_cast<int>(answer.size()));
    if (says_goodbye) SSL_shutdown(tls);
  }

  std::unique_ptr<authority::keys> keys;
  std::string answer;
  bool says_goodbye;
  SSL_CTX* context{SSL_CTX_new(TLS_server_method())};
  std::mutex mutex;
  std::string server_name;
  std::atomic<int> requests{};
  std::atomic<int> resumed{};
  std::unique_ptr<upstream> plain;
};

tls_upstream::tls_upstream(const authority& signer, const std::string& name, std::string answer,
                           bool says_goodbye, bool asks_for_certificate)
    : impl_(std::make_unique<impl>(signer, name, std::move(answer), says_goodbye, asks_for_certificate)) {
  impl_->plain = std::make_unique<upstream>([this](wire& client, int) { impl_->serve(client); });
}

tls_upstream::~tls_upstream() = default;

std::string tls_upstream::url(std::string_view host) const {
  return "https://" + std::string(host) + ":" + std::to_string(impl_->plain->port());
}

std::string tls_upstream::server_name() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->server_name;
}

int tls_upstream::resumed() const {
  return impl_->resumed;
}

int tls_upstream::requests() const {
  return impl_->requests;
}

namespace {

SSL* native(void* tls) {
  return static_cast<SSL*>(tls);
}

}  // namespace

void tls_client::freed::operator()(void* tls) const noexcept {
  SSL_free(native(tls));
}

tls_client::tls_client(const authority& trusted, std::uint16_t port, int version, const tls_client* earlier)
    : wire_(dial(port)) {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_load_verify_file(context, trusted.file().c_str());
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_max_proto_version(context, version);
  SSL* const tls = SSL_new(context);
  SSL_CTX_free(context);
  tls_.reset(tls);
  SSL_set1_host(tls, "localhost");
  SSL_set_fd(tls, wire_.fd());
  if (earlier != nullptr) SSL_set_session(tls, SSL_get0_session(native(earlier->tls_.get())));
  if (SSL_connect(tls) != 1) throw std::runtime_error("no TLS");
}

tls_client::~tls_client() = default;

void tls_client::send(std::string_view bytes) {
  if (SSL_write(native(tls_.get()), bytes.data(), static_cast<int>(bytes.size())) <= 0) {
    throw std::runtime_error("cannot send");
  }
}

bool tls_client::read_until(std::string_view mark, std::string& into) {
  while (into.find(mark) == std::string::npos) {
    if (SSL_pending(native(tls_.get())) == 0 && !wire_.readable(patience)) {
      throw std::runtime_error("nothing came for too long");
    }
    char buffer[4096];
    const int got = SSL_read(native(tls_.get()), buffer, sizeof buffer);
    if (got <= 0) return false;
    into.append(buffer, static_cast<std::size_t>(got));
  }
  return true;
}

int tls_client::renew_keys(int times) {
  SSL* const tls = native(tls_.get());
  int done = 0;
  while (done < times && SSL_key_update(tls, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(tls) == 1)
    ++done;
  return done;
}

bool tls_client::resumed() const {
  return SSL_session_reused(native(tls_.get())) == 1;
}

bool tls_client::ends_well() {
  std::string rest;
  while (read_until("\n", rest)) rest.clear();
  return (SSL_get_shutdown(native(tls_.get())) & SSL_RECEIVED_SHUTDOWN) != 0;
}

}  // namespace loopback

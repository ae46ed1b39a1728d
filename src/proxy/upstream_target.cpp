#include "upstream_target.hpp"

#include <utility>

#include "certificate_files.hpp"
#include "upstream_memory.hpp"

namespace citestream {
namespace {

std::string prepare_tls(const upstream_options& from, asio::ssl::context& tls) {
  error_code error;
  tls.set_options(
      asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1,
      error);
  tls.set_verify_mode(asio::ssl::verify_peer, error);
  if (from.ca_file.empty()) {
    tls.set_default_verify_paths(error);
  } else {
    tls.load_verify_file(from.ca_file, error);
  }
  if (error) return "certificates of '" + from.ca_file + "': " + error.message();
  upstream_memory::watch(tls.native_handle());
  return from.cert_file.empty() ? std::string{} : use_certificate(tls, from.cert_file, from.key_file).what;
}

}  // namespace

std::string make_upstream_target(const upstream_options& from, std::shared_ptr<upstream_target>& out) {
  auto made = std::make_shared<upstream_target>();
  made->name = from.name;
  std::string why = http::parse_upstream_url(from.url, made->url);
  if (!why.empty()) return "upstream " + why;
  if (made->url.tls) why = prepare_tls(from, made->tls);
  if (why.empty()) out = std::move(made);
  return why;
}

}  // namespace citestream

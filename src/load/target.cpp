#include "target.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace citestream::load {

namespace urls = boost::urls;

namespace {

bool is_port(std::string_view text) noexcept {
  std::uint16_t number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number != 0;
}

}  // namespace

std::string parse_target(std::string_view text, target& out) {
  const std::string quoted = "'" + std::string(text) + "'";
  const auto parsed = urls::parse_uri(text);
  if (!parsed) return quoted + " is not a URL like http://127.0.0.1:8080";
  const urls::url_view& url = *parsed;
  out.tls = url.scheme_id() == urls::scheme::https;
  if (!out.tls && url.scheme_id() != urls::scheme::http) return quoted + " is not an http or https URL";
  if (url.has_userinfo() || url.has_fragment()) return quoted + " may have no user and no fragment";
  if (url.encoded_host().empty()) return quoted + " has no host";
  if (url.has_port() && !is_port(url.port())) return quoted + " has no usable port";
  out.address = url.host_type() == urls::host_type::ipv4 || url.host_type() == urls::host_type::ipv6;
  out.host = url.host_type() == urls::host_type::ipv6 ? url.host_address() : url.host();
  out.port = url.has_port() ? std::string(url.port()) : out.tls ? "443" : "80";
  out.authority = url.encoded_host_and_port();
  out.path = url.encoded_resource();
  return {};
}

}  // namespace citestream::load

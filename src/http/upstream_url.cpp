#include "upstream_url.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "fields.hpp"

namespace citestream::http {
namespace {

/// An IPv4 address has no letters. The last label of a host name has at least one (RFC 3696, 2).
bool is_address(std::string_view host) noexcept {
  return host.find(':') != std::string_view::npos ||
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// Returns true if \p text may be the name of a host: labels of letters, digits, `-` and `_` between dots.
bool is_name(std::string_view text) noexcept {
  const auto allowed = [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  return std::ranges::all_of(text, allowed) && !text.starts_with('.') &&
         text.find("..") == std::string_view::npos;
}

/// Returns true if \p host is empty, a name, or an address with numbers in range.
bool is_usable(const std::string& host) noexcept {
  if (!is_address(host)) return is_name(host);
  if (host.empty()) return true;
  in_addr version_4{};
  in6_addr version_6{};
  return host.find(':') == std::string::npos
             ? ::inet_aton(host.c_str(), &version_4) != 0
             : ::inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &version_6) == 1;
}

bool split_authority(std::string_view text, std::string& host, std::string& port) {
  std::size_t host_end = text.find(':');
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return false;
    host = text.substr(1, bracket - 1);
    if (host.find(':') == std::string::npos) return false;
    host_end = bracket + 1;
    if (host_end < text.size() && text[host_end] != ':') return false;
  } else {
    host_end = std::min(host_end, text.size());
    host = text.substr(0, host_end);
  }
  port = host_end < text.size() ? text.substr(host_end + 1) : std::string_view{};
  return (host_end >= text.size() || whole_number<std::uint16_t>(port)) && is_usable(host);
}

}  // namespace

std::string port_error(std::string_view text, bool to_listen) {
  const std::size_t colon = text.rfind(':');
  const std::string_view port = text.substr(colon == std::string_view::npos ? text.size() : colon + 1);
  if (port.empty() || port.find_first_not_of("0123456789") != std::string_view::npos) return {};
  const auto number = whole_number<std::uint16_t>(port);
  if (number && (to_listen || *number != 0)) return {};
  return "port " + std::string(port) + ": not between 1 and 65535" +
         (to_listen ? ", or 0 for a free port" : "");
}

std::string parse_upstream_url(std::string_view text, upstream_url& out) {
  // The part before @ is a secret, and error messages are logged.
  const bool secret = text.find('@') != std::string_view::npos;
  const std::string quoted = secret ? "the URL" : "'" + std::string(text) + "'";
  const std::size_t scheme_end = std::min(text.find("://"), text.size());
  const std::string_view scheme = text.substr(0, scheme_end);
  out.tls = same_name(scheme, "https");
  if (!out.tls && !same_name(scheme, "http")) return quoted + " is not an http or https URL";
  if (!std::ranges::all_of(text, ascii::is_visible))
    return quoted + " has blanks, control characters or letters outside ASCII";
  text.remove_prefix(std::min(scheme_end + 3, text.size()));
  if (text.find_first_of("@?#") != std::string_view::npos) {
    return quoted + " must not contain a user, a query or a fragment";
  }
  const std::size_t slash = std::min(text.find('/'), text.size());
  if (const std::string why = port_error(text.substr(0, slash), false); !why.empty())
    return quoted + ": " + why;
  if (!split_authority(text.substr(0, slash), out.host, out.port) || out.host.empty()) {
    return quoted + " has no usable host and port";
  }
  out.is_address = is_address(out.host);
  out.authority = text.substr(0, slash);
  const std::string_view default_port = out.tls ? "443" : "80";
  if (out.port.empty() || out.port == default_port) {
    out.port = default_port;
    out.authority = text.starts_with('[') ? "[" + out.host + "]" : out.host;
  }
  out.base_path = text.substr(slash);
  while (out.base_path.ends_with('/')) out.base_path.pop_back();
  return {};
}

bool parse_listen_address(std::string_view text, std::string& host, std::string& port) {
  return split_authority(text, host, port) && !port.empty() && std::ranges::all_of(text, ascii::is_visible);
}

}  // namespace citestream::http

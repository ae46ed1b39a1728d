// Two options conflict if one socket could get the connections meant for the other: the same address and port
// in any spelling, or a wildcard that includes it. An upstream conflicts if connecting to it reaches one of
// our sockets; a wildcard socket gets connections to every address of this machine. Names are not looked up:
// those other than `localhost` are compared as text, and a loop through them is cut at run time (`Via`).
#include "own_addresses.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ifaddrs.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <string_view>
#include <utility>

#include "admin.hpp"
#include "asio.hpp"
#include "base/decimal.hpp"
#include "http/fields.hpp"
#include "http/upstream_url.hpp"
#include "listener.hpp"

namespace citestream {
namespace {

using asio::ip::address;

/// An address that the proxy listens on.
struct own_address {
  std::string option;
  std::string shown;
  std::string host;  ///< as configured
  std::uint16_t port{};
  std::vector<address> addresses;  ///< that the host may mean; empty for other names than `localhost`
  std::string path;                ///< of a Unix socket
};

/// `::ffff:192.0.2.1` and `192.0.2.1` are one address.
address unmapped(const address& of) {
  const bool mapped = of.is_v6() && of.to_v6().is_v4_mapped();
  return mapped ? address(asio::ip::make_address_v4(asio::ip::v4_mapped, of.to_v6())) : of;
}

/// Returns the addresses of a host as far as they are known without a name server. Like binding and
/// connecting, this accepts every spelling of an address that the C library knows (`127.1`, `0x7f000001`).
std::vector<address> known_addresses(const std::string& host) {
  if (http::same_name(host, "localhost")) {
    return {asio::ip::address_v4::loopback(), asio::ip::address_v6::loopback()};
  }
  if (host.empty()) return {asio::ip::address_v4::any()};
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, &::freeaddrinfo);
  const auto found = address_of(list->ai_addr, list->ai_addrlen);
  return found ? std::vector<address>{unmapped(*found)} : std::vector<address>{};
}

void add_tcp(const std::string& option, const std::string& host, const std::string& port,
             std::vector<own_address>& out) {
  const std::uint16_t number = whole_number<std::uint16_t>(port).value_or(0);
  if (number == 0) return;
  out.push_back({option, http::authority_of(host, port), host, number, known_addresses(host), {}});
}

void add_list(const std::string& option, const std::string& list, bool tls, std::vector<own_address>& out) {
  std::vector<listen_address> points;
  if (!parse_listen_addresses(list, tls, points).empty()) return;
  for (const listen_address& one : points) {
    if (one.path.empty()) {
      add_tcp(option, one.host, one.port, out);
      continue;
    }
    std::error_code ignored;
    std::filesystem::path path = std::filesystem::weakly_canonical(one.path, ignored);
    if (ignored) path = std::filesystem::path(one.path).lexically_normal();
    out.push_back({option, "unix:" + one.path, {}, {}, {}, path.string()});
  }
}

std::vector<own_address> own_addresses(const proxy_options& options) {
  std::vector<own_address> out;
  add_list("listen", options.listen.addresses, false, out);
  add_list("tls_listen", options.listen.tls_addresses, true, out);
  std::string host;
  std::string port;
  if (parse_admin_address(options.admin, host, port)) add_tcp("admin", host, port, out);
  return out;
}

/// Returns true if a socket that listens on \p wildcard gets connections to \p one.
bool includes(const address& wildcard, const address& one) {
  return wildcard.is_unspecified() && (wildcard.is_v6() || one.is_v4());
}

bool overlap(const own_address& a, const own_address& b) {
  if (!a.path.empty() || !b.path.empty()) return a.path == b.path;
  if (a.port != b.port) return false;
  if (http::same_name(a.host, b.host)) return true;
  for (const address& first : a.addresses) {
    for (const address& second : b.addresses) {
      if (first == second || includes(first, second) || includes(second, first)) return true;
    }
  }
  return false;
}

/// Returns true if a network interface of this machine has the address.
bool is_of_this_machine(const address& one) {
  if (one.is_loopback()) return true;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return false;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(all, &::freeifaddrs);
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr) continue;
    const bool v4 = each->ifa_addr->sa_family == AF_INET;
    const auto found = address_of(each->ifa_addr, v4 ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    if (!found) continue;
    if (found->is_v6() && one.is_v6()) {
      // An interface's link-local address has a scope, which an address in a URL usually lacks.
      if (found->to_v6().to_bytes() == one.to_v6().to_bytes()) return true;
    } else if (*found == one) {
      return true;
    }
  }
  return false;
}

/// A connection to a wildcard address reaches the loopback interface.
address reached_by(const address& one) {
  if (!one.is_unspecified()) return one;
  return one.is_v4() ? address(asio::ip::address_v4::loopback()) : asio::ip::address_v6::loopback();
}

bool reaches(const http::upstream_url& url, const own_address& own) {
  if (!own.path.empty() || url.port != std::to_string(own.port)) return false;
  if (http::same_name(url.host, own.host)) return true;
  for (const address& wanted : known_addresses(url.host)) {
    const address target = reached_by(wanted);
    for (const address& mine : own.addresses) {
      if (target == mine || (includes(mine, target) && is_of_this_machine(target))) return true;
    }
  }
  return false;
}

std::string loop_error(const std::string& text, const std::vector<own_address>& all,
                       const std::string& meant = "the API") {
  http::upstream_url url;
  if (!http::parse_upstream_url(text, url).empty()) return {};
  for (const own_address& own : all) {
    if (!reaches(url, own)) continue;
    return "'" + text + "' is this proxy itself (" + own.option + " " + own.shown +
           "); requests would loop; set the address of " + meant;
  }
  return {};
}

}  // namespace

std::vector<address_conflict> find_address_conflicts(const proxy_options& options) {
  std::vector<address_conflict> out;
  const std::vector<own_address> all = own_addresses(options);
  for (std::size_t later = 1; later < all.size(); ++later) {
    for (std::size_t i = 0; i < later; ++i) {
      if (!overlap(all[i], all[later])) continue;
      out.push_back({all[later].option,
                     {},
                     "'" + all[later].shown + "' overlaps with " + all[i].option + " '" + all[i].shown +
                         "'; set another address or port"});
      break;
    }
  }
  if (std::string why = loop_error(options.upstream.url, all); !why.empty()) {
    out.push_back({"upstream", {}, std::move(why)});
  }
  if (std::string why = loop_error(options.trace.endpoint, all, "the collector"); !why.empty()) {
    out.push_back({"otlp_endpoint", {}, std::move(why)});
  }
  for (const upstream_options& one : options.upstreams) {
    if (std::string why = loop_error(one.url, all); !why.empty()) {
      out.push_back({"url", one.name, std::move(why)});
    }
  }
  return out;
}

}  // namespace citestream

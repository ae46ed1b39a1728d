/// \file
/// Where requests go: from configuration, never from a request.
#pragma once

#include <string>
#include <string_view>

namespace citestream::http {

/// `http://host[:port][/base]` or `https://…`, taken apart.
struct upstream_url {
  bool tls{};
  bool address{};         ///< the host is an IP address: no server name in the TLS greeting
  std::string host;       ///< without the brackets of an IPv6 address
  std::string port;       ///< decimal, the scheme's default where none was given
  std::string authority;  ///< for `Host`: the port only where it is not the default
  std::string base_path;  ///< put before every request's path; empty or `/…` without a last `/`
};

/// \return an empty string, or what is wrong with \p text, in one line.
[[nodiscard]] std::string parse_upstream_url(std::string_view text, upstream_url& out);

/// Splits `host:port` or `[v6]:port`. An empty host means all addresses. \return whether it is one.
[[nodiscard]] bool parse_listen_address(std::string_view text, std::string& host, std::string& port);

}  // namespace citestream::http

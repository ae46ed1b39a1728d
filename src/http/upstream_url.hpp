/// \file
/// Parses URLs of upstreams and addresses to listen on. They are configured, never part of a request.
#pragma once

#include <string>
#include <string_view>

namespace citestream::http {

/// The parts of `http://host[:port][/base]` or `https://…`.
struct upstream_url {
  bool tls{};
  bool is_address{};      ///< the host is an IP address, so TLS sends no server name
  std::string host;       ///< without the brackets of an IPv6 address
  std::string port;       ///< decimal; the default of the scheme if none is given
  std::string authority;  ///< value of `Host`: without the port if that is the default
  std::string base_path;  ///< prefix of every request path; empty, or `/…` without a trailing `/`
};

/// Parses a URL. \return an empty string, or one line that describes the error.
[[nodiscard]] std::string parse_upstream_url(std::string_view text, upstream_url& out);

/// Checks the port in \p text (`host:port`). Returns an error such as `port 99999: not between 1 and 65535`,
/// or an empty string if the port is valid or not a number. Port 0 is allowed for listen addresses: it picks
/// a free one.
[[nodiscard]] std::string port_error(std::string_view text, bool to_listen);

/// Splits `host:port` or `[v6]:port`. An empty host means all addresses. \return false if it is neither.
[[nodiscard]] bool parse_listen_address(std::string_view text, std::string& host, std::string& port);

}  // namespace citestream::http

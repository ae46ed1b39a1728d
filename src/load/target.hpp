/// \file
/// Where requests go.
#pragma once

#include <string>
#include <string_view>

namespace citestream::load {

/// `http://host[:port][/path]` or `https://…`, taken apart.
struct target {
  bool tls{};
  bool address{};         ///< the host is an IP address: no server name in the TLS greeting
  std::string host;       ///< without the brackets of an IPv6 address
  std::string port;       ///< decimal, the scheme's default where none was given
  std::string authority;  ///< for `Host`: the port only where one was given
  std::string path;       ///< with its query; empty where the URL has neither
};

/// Reads a URL (RFC 3986). \return an empty string, or in one line what is wrong with \p text.
[[nodiscard]] std::string parse_target(std::string_view text, target& out);

}  // namespace citestream::load

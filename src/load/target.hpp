/// \file
/// The URL of the server under test.
#pragma once

#include <string>
#include <string_view>

namespace citestream::load {

/// The parts of `http://host[:port][/path]` or `https://…`.
struct target {
  bool tls{};
  bool address{};         ///< the host is an IP address, so the TLS handshake has no server name
  std::string host;       ///< without the brackets of an IPv6 address
  std::string port;       ///< decimal; the scheme's default if the URL has none
  std::string authority;  ///< for `Host`: has a port only if the URL has one
  std::string path;       ///< with its query; empty if the URL has neither
};

/// Reads a URL (RFC 3986). \return an empty string, or one line about the error in \p text
[[nodiscard]] std::string parse_target(std::string_view text, target& out);

}  // namespace citestream::load

/// \file
/// Checks that the addresses of a proxy differ from each other and from its upstreams.
///
/// Ports are bound with SO_REUSEPORT, so the kernel accepts the same address twice and gives each connection
/// to either listener. Requests to an upstream that is the proxy itself would only be answered with 508.
#pragma once

#include <string>
#include <vector>

#include "proxy_options.hpp"

namespace citestream {

/// Two options with one address.
struct address_conflict {
  /// The option that sets the address: `listen`, `tls_listen`, `admin`, `upstream` or `otlp_endpoint`.
  std::string option;
  std::string upstream;  ///< name of the further upstream at fault; `option` is `url` then
  std::string what;      ///< one line
};

/// Compares `listen`, `tls_listen`, `admin` and the URLs of all upstreams and of `otlp_endpoint`. A wildcard
/// address (`0.0.0.0`, `[::]`) overlaps with every address of the machine on its port; `[::]` accepts IPv4
/// too. Port 0 never conflicts. No DNS lookups: host names other than `localhost` are compared as text.
/// Invalid addresses are ignored.
[[nodiscard]] std::vector<address_conflict> find_address_conflicts(const proxy_options& options);

}  // namespace citestream

/// \file
/// The configuration as requests use it: upstreams and routes, ready to serve.
///
/// A snapshot is shared by all threads and never changes. A reload replaces it; a request keeps the snapshot
/// it began with until its response has ended.
#pragma once

#include <citestream/session/rewrite_mode.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ssl/context.hpp>

#include "asio.hpp"
#include "http/message_head.hpp"
#include "http/upstream_url.hpp"
#include "proxy_options.hpp"
#include "request_rewriting.hpp"

namespace citestream {

/// One upstream, ready to be connected to.
struct upstream_target {
  std::string name;
  http::upstream_url url;
  asio::ssl::context tls{asio::ssl::context::tls_client};
};

/// Parses the URL and reads the certificates. \return an empty string, or one line that describes the error.
[[nodiscard]] std::string make_upstream_target(const upstream_options& from,
                                               std::shared_ptr<upstream_target>& out);

/// Returns status, type and coding of a response. The caller sets `json` and `bypass`.
[[nodiscard]] response_facts facts_of(const http::response_head& response) noexcept;

/// A route with its upstream.
struct configured_route {
  route_options options;
  std::shared_ptr<upstream_target> upstream;

  /// Returns the target to forward, without the base path of the upstream: removes the path of the route if
  /// `strip_prefix` is set. The result starts with `/`.
  [[nodiscard]] std::string forwarded_target(const http::request_head& request) const;
  /// Returns true if JSON responses to requests for \p target are rewritten.
  [[nodiscard]] bool rewrites_json_of(std::string_view target) const noexcept;
};

/// An immutable configuration.
struct config_snapshot {
  proxy_options options;
  std::vector<std::shared_ptr<upstream_target>> upstreams;
  std::vector<configured_route> routes;  ///< in order of precedence: longer paths first

  /// Returns the route for a request by its path, and by its Host if the route has one; null if there is
  /// none.
  [[nodiscard]] const configured_route* find(const http::request_head& request) const noexcept;
  [[nodiscard]] bool has(const upstream_target& one) const noexcept;
};

/// Reads certificates and checks that routes and upstreams fit together. The option `upstream` becomes an
/// upstream named `default`, with a route for all paths after the given ones. \return an empty string, or one
/// line that describes the error.
[[nodiscard]] std::string make_config_snapshot(proxy_options options,
                                               std::shared_ptr<const config_snapshot>& out);

/// The route of a request and the options that the request sets itself. Keeps the snapshot of the route
/// alive.
struct matched_route {
  std::shared_ptr<const config_snapshot> config;
  const configured_route* route{};
  per_request_options options;

  [[nodiscard]] bool bypass() const noexcept { return route->options.bypass || options.bypass; }
  /// A request cannot switch the egress guard off, so its bypass does not count if the guard enforces.
  [[nodiscard]] bool bypasses_response() const noexcept {
    return route->options.bypass || (options.bypass && route->options.session.egress != egress_mode::enforce);
  }
};

}  // namespace citestream

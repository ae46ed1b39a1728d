/// \file
/// A configuration made ready to serve: upstreams, and the routes that lead to them.
///
/// Shared by all threads and never changed: a reload brings another one, and a request keeps the one that it
/// began with until its answer has ended.
#pragma once

#include <citestream/session/treatment.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/message_head.hpp"
#include "request_options.hpp"
#include "server.hpp"
#include "upstream_target.hpp"

namespace citestream {

/// Which requests go where, and what is done with them.
struct route {
  route_options options;
  std::shared_ptr<upstream_target> upstream;

  /// \p target as upstream is asked for it, without its base path: without the route's prefix where that is
  /// stripped, always with a `/` in front.
  [[nodiscard]] std::string upstream_target_of(std::string_view target) const;
  /// Whether JSON that answers a request for \p target is rewritten.
  [[nodiscard]] bool rewrites_json_of(std::string_view target) const noexcept;
};

struct site {
  proxy_options options;
  std::vector<std::shared_ptr<upstream_target>> upstreams;
  std::vector<route> routes;  ///< the one that decides first: longer paths before shorter ones

  /// By the request's path, and by the name in its Host field where the route asks for one. Null: nowhere.
  [[nodiscard]] const route* find(const http::request_head& request) const noexcept;
  [[nodiscard]] bool has(const upstream_target& one) const noexcept;
};

/// Makes \p options ready: reads certificates, checks that routes and upstreams fit together. The single
/// `upstream` is one named `default` with a route for all paths, after those that are given.
/// \return an empty string, or in one line why not.
[[nodiscard]] std::string make_site(proxy_options options, std::shared_ptr<const site>& out);

/// Where a request goes, and what it asks for besides. Keeps the site alive that the route belongs to.
struct course {
  std::shared_ptr<const site> of;
  const route* by{};
  http::request_options asked;

  [[nodiscard]] bool bypass() const noexcept { return by->options.bypass || asked.bypass; }
  /// The same for the answer, where a request cannot switch the egress guard off.
  [[nodiscard]] bool answer_bypass() const noexcept {
    return by->options.bypass || (asked.bypass && by->options.session.egress != egress_mode::enforce);
  }
};

}  // namespace citestream

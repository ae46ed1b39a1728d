#include "route_rules.hpp"

#include <algorithm>
#include <utility>

#include "http/fields.hpp"

namespace citestream {

void add_default_route(route_options base, proxy_options& to) {
  const auto takes_all = [](const route_options& one) { return one.path == "/" && one.host.empty(); };
  if (std::ranges::any_of(to.routes, takes_all)) return;
  if (!to.upstream.empty()) {
    base.upstream = default_upstream;
  } else if (to.upstreams.size() == 1 && to.routes.empty()) {
    base.upstream = to.upstreams.front().name;
  } else {
    return;
  }
  to.routes.push_back(std::move(base));
}

bool takes_the_same(const route_options& a, const route_options& b) noexcept {
  const auto folder = [](std::string_view path) {
    return path.substr(0, path.size() - (path.ends_with('/') ? 1 : 0));
  };
  return folder(a.path) == folder(b.path) && http::same_name(a.host, b.host);
}

}  // namespace citestream

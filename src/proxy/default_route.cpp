#include "default_route.hpp"

#include <algorithm>
#include <utility>

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

}  // namespace citestream

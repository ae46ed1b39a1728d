/// \file
/// Where a request goes that no route takes.
#pragma once

#include <string_view>

#include "server.hpp"

namespace citestream {

/// What routes call \ref proxy_options::upstream.
inline constexpr std::string_view default_upstream = "default";

/// Adds a route that takes what no other one does: to `upstream`, or to the only one that there is. Nothing
/// where a route takes all already, or where it is open which upstream is meant. \p base: what it is besides.
void add_default_route(route_options base, proxy_options& to);

}  // namespace citestream

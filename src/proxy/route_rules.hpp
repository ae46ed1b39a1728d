/// \file
/// What routes are as a whole: which are the same, and where a request goes that none takes.
#pragma once

#include <string_view>

#include "server.hpp"

namespace citestream {

/// What routes call \ref proxy_options::upstream.
inline constexpr std::string_view default_upstream = "default";

/// Adds a route that takes what no other one does: to `upstream`, or to the only one that there is. Nothing
/// where a route takes all already, or where it is open which upstream is meant. \p base: what it is besides.
void add_default_route(route_options base, proxy_options& to);

/// Whether no request could tell two routes apart: `/v1` and `/v1/` are the same, and so are names of hosts
/// but for their case.
[[nodiscard]] bool takes_the_same(const route_options& a, const route_options& b) noexcept;

}  // namespace citestream

/// \file
/// Sends one JSON text to an HTTP server and receives the response, without TLS, retries or redirects.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "http/upstream_url.hpp"

namespace citestream::tools {

/// The longest time that may be given to post_json().
inline constexpr std::chrono::milliseconds no_limit = std::chrono::hours(24 * 365);

/// Sends POST with \p body to \p url, on a connection of its own. Passes the body of the response to \p take
/// in pieces as it arrives, until that returns false. \param time  for all of it, apart from looking up the
/// name of the host \return an empty string, or why the response is missing or incomplete, such as `returned
/// status 500`
[[nodiscard]] std::string post_json(const http::upstream_url& url, std::string_view body,
                                    std::chrono::milliseconds time,
                                    const std::function<bool(std::string_view)>& take);

}  // namespace citestream::tools

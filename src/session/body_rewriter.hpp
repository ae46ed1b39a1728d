/// \file
/// Rewrites one whole answer: a JSON body.
#pragma once

#include <citestream/base/status.hpp>

#include <string>
#include <string_view>

#include "rewrite_stages.hpp"

namespace citestream {

/// Appends the rewritten body to `sent`, or `body` itself if it cannot be read or is not an answer.
/// \return see session::rewrite_body()
status rewrite_body(rewrite_stages& stages, std::string_view body, std::string& sent);

}  // namespace citestream

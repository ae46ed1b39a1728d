/// \file
/// Checks web addresses.
#pragma once

#include <string_view>

namespace citestream::tools {

/// Returns true if \p text is an absolute http or https URL (RFC 3986) with a valid host. A host name must
/// contain a letter or a digit and no empty labels. The port, if there is one, is at most 65535.
[[nodiscard]] bool is_valid_web_url(std::string_view text) noexcept;

}  // namespace citestream::tools

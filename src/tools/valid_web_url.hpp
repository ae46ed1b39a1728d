// Whether an address is one.
#pragma once

#include <string_view>

namespace citestream::tools {

/// Whether \p text is an absolute http or https URL by RFC 3986's grammar, with a host that can be one (a
/// name without empty labels, with a letter or a digit) and a port up to 65535 or none.
[[nodiscard]] bool is_valid_web_url(std::string_view text) noexcept;

}  // namespace citestream::tools

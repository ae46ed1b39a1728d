// Whether an address is one.
#pragma once

#include <string_view>

namespace citestream::tools {

/// Whether \p text is an absolute http or https URL with a host, by RFC 3986's grammar.
[[nodiscard]] bool is_valid_web_url(std::string_view text) noexcept;

}  // namespace citestream::tools

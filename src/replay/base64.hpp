// Base64 (RFC 4648, 4): how a recording writes bytes that are not UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace citestream::replay {

/// \p bytes in base64, with padding.
[[nodiscard]] std::string to_base64(std::string_view bytes);

/// The bytes of \p text, or nothing where it is not base64 with padding.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace citestream::replay

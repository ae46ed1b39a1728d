/// \file
/// Base64 (RFC 4648, 4), in which recordings write bytes that are not UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace citestream::replay {

/// Encodes \p bytes, with padding.
[[nodiscard]] std::string to_base64(std::string_view bytes);

/// Decodes \p text. Returns nothing if it is not base64 with padding.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace citestream::replay

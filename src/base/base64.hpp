/// \file
/// Base64 (RFC 4648, 4), in which recordings and some providers write bytes.
#pragma once

#include <string>
#include <string_view>

namespace citestream {

/// Appends \p bytes encoded, with padding.
void append_base64(std::string_view bytes, std::string& out);

/// Appends the decoded \p text. Returns false, with \p out unchanged, if it is not base64 with padding.
[[nodiscard]] bool append_decoded_base64(std::string_view text, std::string& out);

}  // namespace citestream

/// \file
/// Responses of the proxy itself, in the shape of the API's errors, so that SDKs raise the right exceptions.
#pragma once

#include <string>
#include <string_view>

namespace citestream::http {

/// Returns the standard reason phrase; empty for a status that the proxy never sends itself.
[[nodiscard]] std::string_view reason_phrase(unsigned status) noexcept;

/// Returns `"upstream_error"` for 502 and 504, `"proxy_error"` for 503 and 508, otherwise
/// `"invalid_request_error"`.
[[nodiscard]] std::string_view error_type(unsigned status) noexcept;

/// Returns a complete response with the body `{"error":{"message":…,"type":…,"code":…}}`. \p bodiless: only
/// the head. \p request_id is sent as `X-Request-Id` unless it is empty. A 503 has `Retry-After: 1`.
[[nodiscard]] std::string error_response(unsigned status, std::string_view code, std::string_view message,
                                         bool close, bool bodiless = false, std::string_view request_id = {});

}  // namespace citestream::http

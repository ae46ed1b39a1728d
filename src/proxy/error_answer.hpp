/// \file
/// Answers of the proxy's own, in the shape of the API's errors, so that SDKs raise them as they should.
#pragma once

#include <string>
#include <string_view>

namespace citestream::http {

/// The usual reason phrase; empty for statuses that the proxy never makes.
[[nodiscard]] std::string_view reason_phrase(unsigned status) noexcept;

/// `"invalid_request_error"` for what the client did, `"upstream_error"` for 502 and 504.
[[nodiscard]] std::string_view error_type(unsigned status) noexcept;

/// A whole answer with `{"error":{"message":…,"type":…,"code":…}}`; only its head where \p bodiless.
/// \p request_id: as `X-Request-Id`, where it is not empty.
[[nodiscard]] std::string error_answer(unsigned status, std::string_view code, std::string_view message,
                                       bool close, bool bodiless = false, std::string_view request_id = {});

}  // namespace citestream::http

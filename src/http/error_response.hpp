/// \file
/// Responses of the proxy itself, in the shape of the API's errors, so that SDKs raise the right exceptions.
#pragma once

#include <string>
#include <string_view>

namespace citestream::http {

/// An error that the proxy reports itself: a request is rejected, or its response failed.
struct [[nodiscard]] own_error {
  unsigned status{};         ///< HTTP status; 0: no error
  std::string_view code;     ///< for programs; static storage
  std::string_view message;  ///< one line for people

  explicit operator bool() const noexcept { return status != 0; }
};

/// Properties of the request that shape its error response.
struct error_context {
  std::string_view target{};      ///< of the request; its path names the API. Empty: it is not known
  std::string_view request_id{};  ///< sent as `X-Request-Id` unless it is empty
  bool close{};                   ///< the connection ends after the response
  bool bodiless{};                ///< only the head is sent
};

/// Returns a complete response. Its body has the form of the API's own errors (failure_form::append_body) or,
/// if the API is not known, `{"error":{"message":…,"type":…,"code":…}}`. A 503 has `Retry-After: 1`.
[[nodiscard]] std::string error_response(const own_error& error, const error_context& with);

}  // namespace citestream::http

#include "error_response.hpp"

#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include "ascii_text.hpp"
#include "request_id.hpp"

namespace citestream::http {

namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_ascii_json(text, out);
  return out;
}

std::string_view error_type(unsigned status) noexcept {
  if (status == 502 || status == 504) return "upstream_error";
  return status == 503 || status == 508 ? "proxy_error" : "invalid_request_error";
}

/// The body of an error response, in the form of the API that was called.
std::string body_of(const own_error& error, std::string_view target) {
  const std::string message = quoted(error.message);
  const std::string code = quoted(error.code);
  std::string body;
  const dialect* const api = find_api(target).api;
  if (api != nullptr && api->failures.append_body != nullptr) {
    api->failures.append_body({message, code, std::nullopt, error.status}, body);
  } else {
    body.append("{\"error\":{\"message\":").append(message);
    body.append(",\"type\":").append(quoted(error_type(error.status)));
    body.append(",\"code\":").append(code).append("}}");
  }
  return body + '\n';
}

struct reason {
  unsigned status;
  std::string_view phrase;
};

/// Of every status that the proxy sends itself.
constexpr auto reasons = std::to_array<reason>({{400, "Bad Request"},
                                                {404, "Not Found"},
                                                {408, "Request Timeout"},
                                                {413, "Content Too Large"},
                                                {417, "Expectation Failed"},
                                                {431, "Request Header Fields Too Large"},
                                                {501, "Not Implemented"},
                                                {502, "Bad Gateway"},
                                                {503, "Service Unavailable"},
                                                {504, "Gateway Timeout"},
                                                {505, "HTTP Version Not Supported"},
                                                {508, "Loop Detected"}});

/// Returns an empty phrase for any other status.
std::string_view reason_phrase(unsigned status) noexcept {
  const auto* const found = std::ranges::find(reasons, status, &reason::status);
  return found == reasons.end() ? std::string_view{} : found->phrase;
}

}  // namespace

std::string error_response(const own_error& error, const error_context& with) {
  const std::string body = body_of(error, with.target);
  std::string response = "HTTP/1.1 " + std::to_string(error.status) + " ";
  response += reason_phrase(error.status);
  response += "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  if (!with.request_id.empty()) {
    response.append(request_id_name).append(": ").append(with.request_id).append("\r\n");
  }
  if (error.status == 503) response += "Retry-After: 1\r\n";  // SDKs try again after this many seconds
  if (with.close) response += "Connection: close\r\n";
  response += "\r\n";
  if (!with.bodiless) response += body;
  return response;
}

}  // namespace citestream::http

#include "error_response.hpp"

#include <citestream/dialect/dialect.hpp>

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

/// The only place that decides which form an error has.
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

}  // namespace

std::string_view reason_phrase(unsigned status) noexcept {
  switch (status) {
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    case 508:
      return "Loop Detected";
    default:
      return "";
  }
}

std::string_view error_type(unsigned status) noexcept {
  if (status == 502 || status == 504) return "upstream_error";
  return status == 503 || status == 508 ? "proxy_error" : "invalid_request_error";
}

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

#include "error_response.hpp"

#include "ascii_text.hpp"
#include "request_id.hpp"

namespace citestream::http {

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

std::string error_response(unsigned status, std::string_view code, std::string_view message, bool close,
                           bool bodiless, std::string_view request_id) {
  std::string body = R"({"error":{"message":)";
  append_ascii_json(message, body);
  body += R"(,"type":)";
  append_ascii_json(error_type(status), body);
  body += R"(,"code":)";
  append_ascii_json(code, body);
  body += "}}\n";
  std::string response = "HTTP/1.1 " + std::to_string(status) + " ";
  response += reason_phrase(status);
  response += "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  if (!request_id.empty()) response.append(request_id_name).append(": ").append(request_id).append("\r\n");
  if (status == 503) response += "Retry-After: 1\r\n";  // SDKs try again after this many seconds
  if (close) response += "Connection: close\r\n";
  response += "\r\n";
  if (!bodiless) response += body;
  return response;
}

}  // namespace citestream::http

#include "error_answer.hpp"

#include <cstdio>

namespace citestream::http {
namespace {

/// Our own texts, and reasons from the TLS library: ASCII, but nothing is taken on trust.
void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      char escaped[7];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      out += escaped;
    }
  }
  out += '"';
}

}  // namespace

std::string_view reason_phrase(unsigned status) noexcept {
  switch (status) {
    case 400:
      return "Bad Request";
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
    default:
      return "";
  }
}

std::string_view error_type(unsigned status) noexcept {
  if (status == 502 || status == 504) return "upstream_error";
  return status == 503 ? "proxy_error" : "invalid_request_error";
}

std::string error_answer(unsigned status, std::string_view code, std::string_view message, bool close,
                         bool bodiless) {
  std::string body = R"({"error":{"message":)";
  append_json_string(message, body);
  body += R"(,"type":)";
  append_json_string(error_type(status), body);
  body += R"(,"code":)";
  append_json_string(code, body);
  body += "}}\n";
  std::string answer = "HTTP/1.1 " + std::to_string(status) + " ";
  answer += reason_phrase(status);
  answer += "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  if (close) answer += "Connection: close\r\n";
  answer += "\r\n";
  if (!bodiless) answer += body;
  return answer;
}

}  // namespace citestream::http

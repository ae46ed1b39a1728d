#include "response_head.hpp"

namespace citestream::http {
namespace {

bool read_status_line(std::string_view line, response_head& out) noexcept {
  if (!line.starts_with("HTTP/1.1 ") && !line.starts_with("HTTP/1.0 ")) return false;
  out.version = line[7] == '1' ? http_version::http_1_1 : http_version::http_1_0;
  const auto status = decimal(line.substr(9, 3));
  if (!status || *status < 100 || *status > 599 || line.size() < 12) return false;
  out.status = static_cast<unsigned>(*status);
  // Servers leave the space away where there is no reason; that harms nobody.
  if (line.size() == 12) return true;
  out.reason = line.substr(13);
  return line[12] == ' ' && is_field_value(out.reason);
}

bool is_bodiless(unsigned status, std::string_view method) noexcept {
  return method == "HEAD" || status < 200 || status == 204 || status == 304;
}

bool read_framing(response_head& out, std::string_view method) noexcept {
  const std::size_t codings = count(out.all, "transfer-encoding");
  const std::size_t lengths = count(out.all, "content-length");
  if (codings > 1 || lengths > 1 || (codings != 0 && lengths != 0)) return false;
  if (lengths == 1) {
    const auto length = decimal(find(out.all, "content-length")->value);
    if (!length) return false;
    out.length = *length;
    out.body = framing::length;
  } else if (codings == 1) {
    if (out.version == http_version::http_1_0) return false;
    if (!same_name(find(out.all, "transfer-encoding")->value, "chunked")) return false;
    out.body = framing::chunked;
  } else {
    out.body = framing::until_close;
  }
  if (is_bodiless(out.status, method)) out.body = framing::none;
  return true;
}

}  // namespace

bool parse_response_head(std::string_view head, std::size_t max_fields, std::string_view method,
                         response_head& out) {
  out = {};
  const std::size_t line_end = head.find("\r\n");
  if (line_end == std::string_view::npos || !head.ends_with("\r\n\r\n")) return false;
  if (!read_status_line(head.substr(0, line_end), out)) return false;
  const std::string_view lines = head.substr(line_end + 2, head.size() - line_end - 4);
  if (parse_fields(lines, max_fields, out.all) != field_error::none) return false;
  if (!read_framing(out, method)) return false;
  out.persistent = out.version == http_version::http_1_1 && out.body != framing::until_close &&
                   !lists(out.all, "connection", "close");
  return true;
}

}  // namespace citestream::http

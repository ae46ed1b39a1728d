// A head is read in three steps. head_finder finds its end in bytes that arrive in pieces, looks at every
// byte once, and rejects a bare CR or LF and a NUL. parse_fields() splits the lines.
// Then the head is checked as a whole: framing of the body, host, expectations.
//
// The checks prevent request smuggling. These are errors: Content-Length together with Transfer-Encoding,
// either of them twice, a coding other than `chunked`, two Hosts, an absolute target with another host, and
// dot segments, encoded or not. Nothing is guessed and nothing is repaired.

#include "message_head.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/decimal.hpp"

namespace citestream::http {

namespace {

/// Returns the number of bytes at the start of \p text that are greater than CR. Such bytes need no check
/// unless they follow a CR.
std::size_t count_ordinary(std::string_view text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && static_cast<unsigned char>(text[count]) > '\r') ++count;
  return count;
}

}  // namespace

head_state head_finder::scan(std::string_view buffer) noexcept {
  while (scanned_ < buffer.size()) {
    if (scanned_ == max_bytes_) return head_state::too_long;
    const std::string_view rest = buffer.substr(scanned_, max_bytes_ - scanned_);
    const std::size_t ordinary = after_cr_ ? 0 : count_ordinary(rest);
    scanned_ += ordinary;
    line_ += ordinary;
    if (ordinary == rest.size()) continue;
    const char c = buffer[scanned_++];
    if (c == '\0' || (c == '\n' && !after_cr_) || (c != '\n' && after_cr_)) return head_state::malformed;
    if (c == '\n') {
      if (line_ == 1) return head_state::found;
      line_ = 0;
      after_cr_ = false;
      continue;
    }
    ++line_;
    after_cr_ = c == '\r';
  }
  return head_state::more;
}

namespace {

own_error bad(std::string_view message) noexcept {
  return {400, "invalid_request", message};
}

/// Returns true for visible ASCII without a fragment, which is never sent (RFC 9112, 3.2).
bool is_target(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return ascii::is_visible(c) && c != '#'; });
}

bool is_host(std::string_view text) noexcept {
  return is_target(text) && text.find_first_of("/?@\\,\"<>^`{|}") == std::string_view::npos;
}

/// Returns true if \p segment is `.` or `..`, perhaps with parameters (`..;a=1`), which some upstreams
/// remove.
bool is_dots(std::string_view segment) noexcept {
  const auto begins_with = [&](std::string_view encoded) { return same_name(segment.substr(0, 3), encoded); };
  std::size_t dots = 0;
  while (!segment.empty() && segment.front() != ';' && !begins_with("%3b")) {
    const bool encoded = begins_with("%2e");
    if (!encoded && segment.front() != '.') return false;
    segment.remove_prefix(encoded ? 3 : 1);
    ++dots;
  }
  return dots == 1 || dots == 2;
}

/// Returns the length of the path separator at the start of \p text, or 0. Includes separators that only some
/// upstreams recognise.
std::size_t separator(std::string_view text) noexcept {
  if (text.front() == '/' || text.front() == '\\') return 1;
  const std::string_view encoded = text.substr(0, 3);
  return same_name(encoded, "%2f") || same_name(encoded, "%5c") ? 3 : 0;
}

/// Returns true if the path has dot segments. An upstream that removes them (RFC 3986, 5.2.4) would escape
/// from the configured base path. Some upstreams decode the path first, so encoded forms count too.
bool has_dot_segments(std::string_view target) noexcept {
  const std::string_view path = target.substr(0, target.find('?'));
  std::size_t begin = 0;
  for (std::size_t at = 0; at < path.size(); ++at) {
    const std::size_t length = separator(path.substr(at));
    if (length == 0) continue;
    if (is_dots(path.substr(begin, at - begin))) return true;
    begin = at + length;
    at = begin - 1;
  }
  return is_dots(path.substr(begin));
}

own_error read_version(std::string_view text, request_head& out) noexcept {
  if (text == "HTTP/1.1" || text == "HTTP/1.0") {
    out.version = text.back() == '1' ? http_version::http_1_1 : http_version::http_1_0;
    return {};
  }
  const bool other = text.size() == 8 && text.starts_with("HTTP/") && text[6] == '.';
  return other ? own_error{505, "http_version", "this server speaks HTTP/1.1"}
               : bad("malformed request line");
}

own_error read_request_line(std::string_view line, request_head& out) noexcept {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return bad("malformed request line");
  out.method = line.substr(0, first);
  out.target = line.substr(first + 1, last - first - 1);
  if (!is_token(out.method)) return bad("malformed method");
  if (!is_target(out.target)) return bad("malformed request target");
  if (const own_error no = read_version(line.substr(last + 1), out)) return no;
  // CONNECT requests a tunnel and TRACE echoes credentials. A reverse proxy supports neither.
  if (out.method == "CONNECT" || out.method == "TRACE") return {501, "method", "method not implemented"};
  return {};
}

/// Reduces an absolute target to its path and query. Its host must equal the Host field (RFC 9112, 3.2.2).
own_error to_origin_form(request_head& out, std::string_view host) {
  if (!out.target.starts_with('/')) {
    const std::size_t scheme = out.target.find("://");
    if (scheme == std::string_view::npos) return bad("malformed request target");
    const std::string_view name = out.target.substr(0, scheme);
    if (!same_name(name, "http") && !same_name(name, "https")) return bad("malformed request target");
    const std::string_view rest = out.target.substr(scheme + 3);
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return bad("the request target has no path");
    if (!same_name(rest.substr(0, slash), host)) return bad("the request target names another host");
    out.target = rest.substr(slash);
  }
  if (has_dot_segments(out.target)) return bad("the request target has dot segments");
  return {};
}

own_error check_host(request_head& out) {
  const std::size_t hosts = count(out.all, "host");
  if (hosts > 1) return bad("more than one Host");
  if (hosts == 0 && out.version == http_version::http_1_1) return bad("no Host");
  const std::string_view host = hosts == 0 ? std::string_view{} : find(out.all, "host")->value;
  if (hosts == 1 && !is_host(host)) return bad("malformed Host");
  return to_origin_form(out, host);
}

/// Reads the framing of a request or response. A message that readers could divide differently is rejected.
template <typename Head>
own_error read_framing(Head& out) noexcept {
  const std::size_t codings = count(out.all, "transfer-encoding");
  const std::size_t lengths = count(out.all, "content-length");
  if (codings > 1) return bad("more than one Transfer-Encoding");
  if (codings == 1) {
    if (out.version == http_version::http_1_0) return bad("Transfer-Encoding in HTTP/1.0");
    if (lengths != 0) return bad("both Content-Length and Transfer-Encoding");
    if (!same_name(find(out.all, "transfer-encoding")->value, "chunked")) {
      return {501, "transfer_encoding", "transfer coding not implemented"};
    }
    out.body = framing::chunked;
    return {};
  }
  if (lengths == 0) return {};
  if (lengths > 1) return bad("more than one Content-Length");
  const auto length = whole_number<std::uint64_t>(find(out.all, "content-length")->value);
  if (!length) return bad("malformed Content-Length");
  out.body = framing::length;
  out.length = *length;
  return {};
}

own_error read_expect(request_head& out) noexcept {
  const field* expect = find(out.all, "expect");
  if (expect == nullptr || out.version == http_version::http_1_0) return {};
  if (count(out.all, "expect") > 1 || !same_name(expect->value, "100-continue")) {
    return {417, "expectation_failed", "only 100-continue can be expected"};
  }
  out.expects_continue = true;
  return {};
}

}  // namespace

own_error parse_request_head(std::string_view head, std::size_t max_fields, request_head& out) {
  out = {};
  const std::size_t line_end = head.find("\r\n");
  if (line_end == std::string_view::npos || !head.ends_with("\r\n\r\n")) return bad("malformed head");
  if (const own_error no = read_request_line(head.substr(0, line_end), out)) return no;
  const std::string_view lines = head.substr(line_end + 2, head.size() - line_end - 4);
  switch (parse_fields(lines, max_fields, out.all)) {
    case field_error::malformed:
      return bad("malformed header field");
    case field_error::too_many:
      return {431, "too_many_fields", "too many header fields"};
    case field_error::none:
      break;
  }
  if (const own_error no = read_framing(out)) return no;
  if (const own_error no = check_host(out)) return no;
  if (const own_error no = read_expect(out)) return no;
  out.persistent = out.version == http_version::http_1_1 && !lists(out.all, "connection", "close");
  return {};
}

namespace {

bool read_status_line(std::string_view line, response_head& out) noexcept {
  if (!line.starts_with("HTTP/1.1 ") && !line.starts_with("HTTP/1.0 ")) return false;
  out.version = line[7] == '1' ? http_version::http_1_1 : http_version::http_1_0;
  const auto status = whole_number<std::uint64_t>(line.substr(9, 3));
  if (!status || *status < 100 || *status > 599 || line.size() < 12) return false;
  out.status = static_cast<unsigned>(*status);
  // Some servers omit the space if there is no reason phrase. That is harmless.
  if (line.size() == 12) return true;
  out.reason = line.substr(13);
  return line[12] == ' ' && is_field_value(out.reason);
}

bool is_bodiless(unsigned status, std::string_view method) noexcept {
  return method == "HEAD" || status < 200 || status == 204 || status == 304;
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
  if (read_framing(out)) return false;
  if (out.body == framing::none) out.body = framing::until_close;
  const bool announced = out.body == framing::chunked || (out.body == framing::length && out.length > 0);
  const bool bodiless = is_bodiless(out.status, method);
  if (bodiless) out.body = framing::none;
  // A faulty server may send the body that it announced where there must be none.
  out.persistent = out.version == http_version::http_1_1 && out.body != framing::until_close &&
                   !(bodiless && announced) && !lists(out.all, "connection", "close");
  return true;
}

}  // namespace citestream::http

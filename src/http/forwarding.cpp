// Every field is passed on unchanged unless one of these rules drops it:
// - it is hop-by-hop: in a fixed list, or named by Connection, except fields that Connection cannot remove;
// - it describes the exact bytes of a body that was rewritten;
// - the proxy handles or replaces it: Host, Content-Length, Accept-Encoding, Expect, X-Request-Id;
// - tracing replaces it: traceparent, and tracestate if the trace is new;
// - it is an option for the proxy: X-Citestream-*.
// One entry is added to the Via field of requests, as every gateway must (RFC 9110, 7.6.3), so that a request
// that comes back is recognised. Responses get none.

#include "forwarding.hpp"

#include <algorithm>
#include <array>

#include "request_id.hpp"

namespace citestream::http {
namespace {

/// The names of RFC 9110, 7.6.1, and Proxy-Authorization, which is for the next proxy only (11.7.2).
constexpr std::array<std::string_view, 9> hop_by_hop_names{
    "connection", "keep-alive", "proxy-connection",  "proxy-authorization", "te",
    "trailer",    "upgrade",    "transfer-encoding", "http2-settings"};

/// A Connection field cannot remove these: a request without credentials or length means something else, one
/// without Via could loop.
constexpr std::array<std::string_view, 15> protected_names{
    "host",      "content-length", "content-type",  "content-encoding", "authorization",
    "x-api-key", "api-key",        "cookie",        "set-cookie",       "location",
    "date",      "retry-after",    "cache-control", "x-request-id",     "via"};

/// Fields that are valid only for the exact bytes of the body (RFC 9110, 8.8.3; RFC 9530; RFC 3230; RFC
/// 1864), and Accept-Ranges, which offers parts of it.
constexpr std::array<std::string_view, 6> names_of_exact_bytes{
    "etag", "content-md5", "digest", "content-digest", "repr-digest", "accept-ranges"};

/// Fields of requests that the proxy handles or replaces.
constexpr std::array<std::string_view, 4> replaced_names{"host", "content-length", "accept-encoding",
                                                         "expect"};

/// Most heads fit into it.
constexpr std::size_t usual_head_bytes = 512;

void append_field(std::string_view name, std::string_view value, std::string& out) {
  out.append(name).append(": ").append(value).append("\r\n");
}

/// Returns true if field \p name concerns one connection only: it is in the fixed list, or a Connection field
/// of \p all names it and it is not protected (Authorization, Content-Length, Host, …).
bool is_hop_by_hop(const fields& all, std::string_view name) noexcept {
  if (is_one_of(hop_by_hop_names, name)) return true;
  return lists(all, "connection", name) && !is_one_of(protected_names, name);
}

void append_end_to_end(const fields& all, bool changed, std::string& out) {
  for (const field& one : all) {
    if (is_hop_by_hop(all, one.name) || same_name(one.name, "content-length")) continue;
    if (changed && is_one_of(names_of_exact_bytes, one.name)) continue;
    append_field(one.name, one.value, out);
  }
}

void append_status_line(const response_head& response, std::string& out) {
  out.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  out.append(response.reason).append("\r\n");
}

}  // namespace

std::optional<std::string_view> request_option_name(std::string_view field) noexcept {
  constexpr std::string_view prefix = "X-Citestream-";
  if (!same_name(field.substr(0, prefix.size()), prefix)) return std::nullopt;
  return field.substr(prefix.size());
}

bool has_passed(const fields& all, std::string_view pseudonym) noexcept {
  constexpr std::string_view blanks = " \t";
  for (const field& one : all) {
    if (!same_name(one.name, "via")) continue;
    std::string_view list = one.value;
    while (const auto entry = next_element(list)) {
      // received-protocol RWS received-by [ RWS comment ]
      const std::size_t protocol = std::min(entry->find_first_of(blanks), entry->size());
      const std::size_t begin = std::min(entry->find_first_not_of(blanks, protocol), entry->size());
      const std::string_view rest = entry->substr(begin);
      if (same_name(rest.substr(0, rest.find_first_of(blanks)), pseudonym)) return true;
    }
  }
  return false;
}

std::string upstream_request_head(const request_head& request, const upstream_framing& how) {
  std::string out;
  out.reserve(usual_head_bytes);
  out.append(request.method).append(" ").append(how.target).append(" HTTP/1.1\r\n");
  append_field("Host", how.host, out);
  for (const field& one : request.all) {
    if (is_one_of(replaced_names, one.name) || is_hop_by_hop(request.all, one.name)) continue;
    if (request_option_name(one.name)) continue;
    if (how.changed && is_one_of(names_of_exact_bytes, one.name)) continue;
    if (!how.request_id.empty() && same_name(one.name, request_id_name)) continue;
    if (!how.traceparent.empty() && same_name(one.name, "traceparent")) continue;
    if (how.new_trace && same_name(one.name, "tracestate")) continue;
    append_field(one.name, one.value, out);
  }
  if (!how.traceparent.empty()) append_field("traceparent", how.traceparent, out);
  if (!how.request_id.empty()) append_field(request_id_name, how.request_id, out);
  if (!how.via.empty()) {
    // Our entry is last: the entries, in order, are the path of the request (RFC 9110, 7.6.3).
    const bool old = request.version == http_version::http_1_0;
    append_field("Via", (old ? "1.0 " : "1.1 ") + std::string(how.via), out);
  }
  append_field("Accept-Encoding", "identity", out);
  if (request.body != framing::none) append_field("Content-Length", std::to_string(how.body_bytes), out);
  out.append("\r\n");
  return out;
}

void append_client_head(const response_head& response, const client_framing& how, std::string& out) {
  out.reserve(usual_head_bytes);
  append_status_line(response, out);
  append_end_to_end(response.all, how.changed, out);
  if (how.body == framing::length) append_field("Content-Length", std::to_string(how.length), out);
  if (how.body == framing::chunked) append_field("Transfer-Encoding", "chunked", out);
  // The response to HEAD, and 304, contain the length that a body would have had; 204 has none (RFC
  // 9110, 8.6).
  const field* length = find(response.all, "content-length");
  if (how.body == framing::none && length != nullptr && !how.changed && response.status != 204) {
    append_field("Content-Length", length->value, out);
  }
  if (!how.request_id.empty() && find(response.all, request_id_name) == nullptr) {
    append_field(request_id_name, how.request_id, out);
  }
  // A value from the upstream takes precedence: it was set for this response.
  if (how.streamed && find(response.all, "x-accel-buffering") == nullptr) {
    append_field("X-Accel-Buffering", "no", out);
  }
  if (how.bypassed) append_field("X-Citestream", "bypassed", out);
  if (how.close) append_field("Connection", "close", out);
  out.append("\r\n");
}

void append_interim_head(const response_head& response, std::string& out) {
  append_status_line(response, out);
  append_end_to_end(response.all, false, out);
  out.append("\r\n");
}

}  // namespace citestream::http

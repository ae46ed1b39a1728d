// How patterns of allowed URLs are compiled and compared.
//
// split() takes patterns and URLs apart: http or https, an authority, a decimal port. The host that it
// returns may still contain anything. is_host() then accepts only hosts that every reader parses in the same
// way, so a URL with a user name, an escape or a backslash in front of its path never matches.
#include <citestream/egress/egress.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

#include "letters.hpp"

namespace citestream {

namespace {

using namespace egress_detail;

constexpr std::array<std::string_view, 6> kind_names{"image",    "link", "definition",
                                                     "autolink", "url",  "html"};
constexpr std::array<std::string_view, 3> reasons{"not_allowed", "unreadable", "too_long"};

/// The parts of a URL, or of a pattern.
struct url_parts {
  std::string scheme;     ///< in lower case
  std::string host;       ///< in lower case
  std::string port;       ///< by default that of the scheme
  std::string_view rest;  ///< from the path on
};

bool is_host(std::string_view host) noexcept {
  if (host.starts_with('[')) {
    const auto inside = [](char c) { return ascii::is_hex_digit(c) || c == ':'; };
    return host.size() > 3 && host.ends_with(']') && std::all_of(host.begin() + 1, host.end() - 1, inside);
  }
  const auto inside = [](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; };
  return !host.empty() && host.front() != '.' && host.back() != '.' &&
         host.find("..") == std::string_view::npos && std::ranges::all_of(host, inside);
}

/// A port without leading zeros; empty if it is not valid.
std::string plain_port(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  constexpr std::size_t longest = 5;  // digits of 65535
  const bool good = !digits.empty() && digits.size() <= longest && std::ranges::all_of(digits, &is_digit);
  return good ? std::string(digits) : std::string();
}

/// Splits \p url. Returns nothing if scheme or port is not valid.
std::optional<url_parts> split(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  url_parts out;
  out.scheme = in_lower_case(url.substr(0, scheme));
  if (out.scheme != "http" && out.scheme != "https") return std::nullopt;
  url.remove_prefix(scheme + 3);
  const std::size_t end = std::min(url.find_first_of("/?#"), url.size());
  std::string_view authority = url.substr(0, end);
  out.rest = url.substr(end);
  const std::size_t last =
      authority.starts_with('[') ? authority.find(']') : 0;  // a colon in brackets does not start a port
  if (last == std::string_view::npos) return std::nullopt;
  const std::size_t colon = authority.find(':', last);
  out.port = out.scheme == "https" ? "443" : "80";
  if (colon != std::string_view::npos) {
    out.port = plain_port(authority.substr(colon + 1));
    authority = authority.substr(0, colon);
  }
  if (out.port.empty()) return std::nullopt;
  out.host = in_lower_case(authority);
  return out;
}

}  // namespace

std::string_view name(egress_kind kind) noexcept {
  return kind_names[static_cast<std::size_t>(kind)];
}

std::string_view name(egress_reason reason) noexcept {
  return reasons[static_cast<std::size_t>(reason)];
}

void append_egress_json(const egress_record& found, std::uint32_t choice, offset_unit unit, std::string& out,
                        std::string_view in) {
  out.append("{\"choice\":").append(std::to_string(choice));
  out.append(",\"kind\":\"").append(name(found.kind));
  out.append("\",\"reason\":\"").append(name(found.reason));
  out.append("\",\"position\":").append(std::to_string(found.position.in(unit)));
  if (!in.empty()) out.append(",\"in\":\"").append(in).append("\"");
  out.append("}");
}

std::optional<egress_pattern> compile_egress_pattern(std::string_view text) {
  const std::optional<url_parts> found = split(text);
  if (!found || !found->rest.empty()) return std::nullopt;
  egress_pattern out{found->scheme, found->host, found->port, false};
  if (out.host.starts_with("*.")) {
    out.subdomains = true;
    out.host.erase(0, 1);
    // `*.com` would allow hosts that anyone can register.
    if (out.host.find('.', 1) == std::string::npos) return std::nullopt;
    if (!is_host(std::string_view(out.host).substr(1))) return std::nullopt;
  } else if (!is_host(out.host)) {
    return std::nullopt;
  }
  return out;
}

bool matches(const egress_pattern& pattern, std::string_view url) {
  const std::optional<url_parts> found = split(url);
  if (!found || found->scheme != pattern.scheme || found->port != pattern.port) return false;
  const auto plain = [](char c) { return ascii::is_visible(c) && c != '\\'; };
  if (!is_host(found->host) || !std::ranges::all_of(url, plain)) return false;
  if (!pattern.subdomains) return found->host == pattern.host;
  return found->host.size() > pattern.host.size() && found->host.ends_with(pattern.host);
}

}  // namespace citestream

// How URLs are normalized (RFC 3986, 6.2.2).
//
// The URL is split into scheme, authority, path and query; the fragment is dropped. Each part is copied with
// its percent-escapes in normal form, and characters outside ASCII become escapes (RFC 3987, 3.1). The host
// is converted to lower case, the default port and trailing slashes of the path are removed. A URL without an
// http or https scheme, or without a host, is copied unchanged.
//
// Invariant: normalizing twice gives the same result as normalizing once. The cost is linear.
#include "url.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace citestream {
namespace {

using ascii::hex_value;
using ascii::is_ascii;
using ascii::lower;

/// Appends a byte that is not part of an escape.
void append_byte(char c, std::string& out) {
  if (!is_ascii(c)) return append_percent_encoded(c, out);
  out += c;
}

/// Appends \p text with its percent-escapes in normal form (RFC 3986, 6.2.2.1 and 6.2.2.2).
void append_part(std::string_view text, std::string& out) {
  // After a `%` that starts no escape, decoded characters must not complete one; otherwise normalizing twice
  // would give another result. `stray` is the number of hexadecimal digits that this `%` lacks.
  int stray = 0;
  const auto other = std::ranges::find_if(text, [](char c) { return c == '%' || !is_ascii(c); });
  const auto plain = static_cast<std::size_t>(other - text.begin());  // nearly always all of it
  out.append(text, 0, plain);
  for (std::size_t i = plain; i < text.size(); ++i) {
    const std::optional<char> decoded = percent_decoded(text, i);
    if (!decoded) {
      append_byte(text[i], out);
      stray = text[i] == '%' ? 2 : stray > 0 && hex_value(text[i]) >= 0 ? stray - 1 : 0;
      continue;
    }
    if (is_unreserved(*decoded) && !(stray > 0 && hex_value(*decoded) >= 0)) {
      out += *decoded;
    } else {
      append_percent_encoded(*decoded, out);
    }
    stray = 0;
    i += 2;
  }
}

/// Converts letters to lower case, except in percent-escapes.
void lower_host(std::string& out, std::size_t from) noexcept {
  for (std::size_t i = from; i < out.size(); ++i) {
    if (percent_decoded(out, i)) {
      i += 2;
    } else {
      out[i] = lower(out[i]);
    }
  }
}

/// The end of the host that starts at \p from: the colon of its port, or the end.
[[nodiscard]] std::size_t host_end(std::string_view out, std::size_t from) noexcept {
  if (from < out.size() && out[from] == '[') {  // an IPv6 address contains colons
    const std::size_t close = out.find(']', from);
    if (close == std::string_view::npos) return out.size();
    return close + 1;
  }
  return std::min(out.find(':', from), out.size());
}

/// Returns true if \p tail, the bytes after a host, is only the default port of the scheme.
[[nodiscard]] bool is_default_port(std::string_view tail, std::string_view prefix) noexcept {
  if (tail.empty() || tail.front() != ':') return false;
  tail.remove_prefix(1);
  while (tail.size() > 1 && tail.front() == '0') tail.remove_prefix(1);
  return tail.empty() || tail == (prefix == "https://" ? "443" : "80");
}

/// Appends the authority. Returns false if it has no host: then this is not a URL (RFC 9110, 4.2.1).
[[nodiscard]] bool append_authority(std::string_view authority, std::string_view prefix, std::string& out) {
  const std::size_t begin = out.size();
  append_part(authority, out);
  const std::size_t at = out.rfind('@');
  const std::size_t host = at == std::string::npos || at < begin ? begin : at + 1;
  lower_host(out, host);
  const std::size_t end = host_end(out, host);
  if (end == host) return false;
  if (is_default_port(std::string_view(out).substr(end), prefix)) out.resize(end);
  return true;
}

/// Removes the parameters that name the provider from the query, which starts at \p start. Only with these
/// values: others may carry data.
void remove_marks(std::size_t start, std::string& out) {
  std::size_t kept = start;
  for (std::size_t at = start; at < out.size();) {
    const std::size_t end = std::min(out.find('&', at + 1), out.size());
    const std::string_view parameter = std::string_view(out).substr(at + 1, end - at - 1);
    if (parameter != "utm_source=openai" && parameter != "utm_source=chatgpt.com") {
      out[kept] = kept == start ? '?' : '&';
      std::copy(parameter.begin(), parameter.end(), out.begin() + static_cast<std::ptrdiff_t>(kept) + 1);
      kept += end - at;
    }
    at = end;
  }
  out.resize(kept);
}

}  // namespace

void normalize_url(std::string_view url, std::string& out) {
  const std::string_view prefix = web_scheme(url);
  out.assign(prefix);
  std::string_view rest = url.substr(prefix.size());
  rest = rest.substr(0, rest.find('#'));
  const auto ends_host = [](char c) { return c == '/' || c == '?'; };
  const auto path = static_cast<std::size_t>(std::ranges::find_if(rest, ends_host) - rest.begin());
  if (prefix.empty() || !append_authority(rest.substr(0, path), prefix, out)) {
    out.assign(url);
    return;
  }
  const std::size_t query = std::min(rest.find('?', path), rest.size());
  append_part(rest.substr(path, query - path), out);
  while (out.back() == '/') out.pop_back();
  const std::size_t start = out.size();
  append_part(rest.substr(query), out);
  remove_marks(start, out);
}

}  // namespace citestream

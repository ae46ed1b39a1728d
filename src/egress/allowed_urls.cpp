// How allowed URLs are looked up.
//
// The URL of a reference is stored in three spellings: as the provider sent it, normalized, and as styles
// print it. A URL in the text must be equal to one of these byte for byte, or have a host that a pattern
// allows. Either way it is not copied but rebuilt (rebuilt()), so that neither a part of it nor the text
// after it makes another URL. Memory is bounded: when `max_bytes` of URLs are stored, further ones are not
// allowed.
#include "allowed_urls.hpp"

#include <algorithm>

#include "base/web_url.hpp"
#include "cite/url.hpp"
#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

/// Bytes of a path, query or fragment that are copied. All others are percent-encoded.
bool is_copied(char c) noexcept {
  constexpr std::string_view marks = "-._/?#=+,:;%&!()~";
  return is_alphanumeric(c) || marks.find(c) != std::string_view::npos;
}

/// \p url as append_link_destination() prints it: bytes that could end a destination are percent-encoded.
std::string as_printed(std::string_view url) {
  std::string out;
  for (const char c : url) append_inert_url_byte(c, out);
  return out;
}

/// Returns true if only a host in ASCII, perhaps with a port, is between `://` and the path.
bool has_plain_host(std::string_view url) noexcept {
  const std::size_t host = url.find("://") + 3;
  const std::string_view authority =
      url.substr(host, std::min(url.find_first_of("/?#", host), url.size()) - host);
  const auto plain = [](char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == ':'; };
  return !authority.empty() && std::ranges::all_of(authority, plain);
}

/// Returns \p url, whose host is plain, in the form that find() documents.
std::string rebuilt(std::string_view url) {
  const std::size_t host = url.find("://") + 3;
  const std::size_t path = std::min(url.find_first_of("/?#", host), url.size());
  std::string out = in_lower_case(url.substr(0, path));
  if (path == url.size() || url[path] != '/') out += '/';  // so that text after it cannot extend the host
  const std::size_t begin = out.size();
  for (const char c : url.substr(path)) {
    const std::string_view so_far = std::string_view(out).substr(begin);
    const bool second_slash = c == '/' && out.ends_with('/') && out.size() > path;
    if (!is_copied(c) || second_slash || (c == '.' && ends_in_www(so_far))) {
      append_percent_encoded(c, out);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void allowed_urls::add(std::string_view url) {
  if (!is_web_url(url)) return;
  const std::string normal = normalized_url(url);
  const std::string printed = as_printed(url);
  for (const std::string_view one : {url, std::string_view(normal), std::string_view(printed)}) {
    if (one.size() > max_bytes_ - bytes_) return;
    if (references_.emplace(one).second) bytes_ += one.size();
  }
}

void allowed_urls::allow(const reference& ref) {
  for (const std::string_view one :
       {std::string_view(ref.url), std::string_view(ref.cite), std::string_view(ref.id)})
    add(one);
}

std::optional<allowed_url> allowed_urls::find(std::string_view url) const {
  const auto allows = [&](const egress_pattern& one) { return matches(one, url); };
  if (std::ranges::any_of(patterns_, allows)) {
    return allowed_url{rebuilt(url), allowed_by::pattern};
  }
  // Byte for byte: if every equivalent spelling were allowed, the choice between them could carry data.
  if (references_.empty() || !references_.contains(std::string(url)) || !has_plain_host(url))
    return std::nullopt;
  return allowed_url{rebuilt(url), allowed_by::reference};
}

void allowed_urls::reset() noexcept {
  references_.clear();
  bytes_ = 0;
}

}  // namespace citestream

// How allowed addresses are looked up.
//
// The URL of a reference is stored in three spellings: as the provider sent it, normalized, and as styles
// print it. An address in the text must be equal to one of these byte for byte, or have a host that a pattern
// allows. Either way it is not copied but rebuilt (rebuilt()), so that the text after it, or a part of it,
// cannot form another address. Memory is bounded: when `max_bytes` of URLs are stored, further ones are not
// allowed.
#include "allowed_addresses.hpp"

#include <algorithm>

#include "cite/url.hpp"
#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

/// Bytes of a path, query or fragment that have no meaning to any Markdown renderer.
bool is_kept(char c) noexcept {
  constexpr std::string_view marks = "-._/?#=+,:;%&!()~";
  return is_alphanumeric(c) || marks.find(c) != std::string_view::npos;
}

void append_encoded(char c, std::string& out) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out.append(1, '%').append(1, digits[byte >> 4U]).append(1, digits[byte & 15U]);
}

/// \p url as styles print it: bytes that could end a link destination are percent-encoded.
std::string as_printed(std::string_view url) {
  constexpr std::string_view marks = "-._~:/?#@!+,;=%&";
  std::string out;
  for (const char c : url) {
    if (is_alphanumeric(c) || marks.find(c) != std::string_view::npos) {
      out += c;
    } else {
      append_encoded(c, out);
    }
  }
  return out;
}

/// Returns true if the part between `://` and the path is a host, perhaps with a port, and contains nothing
/// to decode.
bool has_plain_host(std::string_view url) noexcept {
  const std::size_t host = url.find("://") + 3;
  const std::string_view authority =
      url.substr(host, std::min(url.find_first_of("/?#", host), url.size()) - host);
  const auto plain = [](char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == ':'; };
  return !authority.empty() && std::all_of(authority.begin(), authority.end(), plain);
}

/// Rebuilds \p url, whose host is plain, so that no part of it starts another address.
std::string rebuilt(std::string_view url) {
  const std::size_t host = url.find("://") + 3;
  const std::size_t path = std::min(url.find_first_of("/?#", host), url.size());
  std::string out = in_lower_case(url.substr(0, path));
  if (path == url.size() || url[path] != '/') out += '/';  // text after it cannot extend the host
  const std::size_t begin = out.size();
  for (const char c : url.substr(path)) {
    const std::string_view so_far = std::string_view(out).substr(begin);
    const bool second_slash = c == '/' && out.ends_with('/') && out.size() > path;
    if (!is_kept(c) || second_slash || (c == '.' && ends_in_www(so_far))) {
      append_encoded(c, out);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void allowed_addresses::add(std::string_view url) {
  if (!is_web_url(url)) return;
  std::string normal;
  normalize_url(url, normal);
  const std::string printed = as_printed(url);
  for (const std::string_view one : {url, std::string_view(normal), std::string_view(printed)}) {
    if (one.size() > max_bytes_ - bytes_) return;
    if (known_.emplace(one).second) bytes_ += one.size();
  }
}

void allowed_addresses::know(const reference& ref) {
  for (const std::string_view one :
       {std::string_view(ref.url), std::string_view(ref.cite), std::string_view(ref.id)})
    add(one);
}

std::optional<allowed_address> allowed_addresses::find(std::string_view url) const {
  const auto means = [&](const egress_pattern& one) { return matches(one, url); };
  if (std::any_of(patterns_.begin(), patterns_.end(), means)) {
    return allowed_address{rebuilt(url), allowed_by::pattern};
  }
  // Byte for byte: if several spellings were allowed, the choice between them could carry data.
  if (known_.empty() || !known_.contains(std::string(url)) || !has_plain_host(url)) return std::nullopt;
  return allowed_address{rebuilt(url), allowed_by::reference};
}

void allowed_addresses::reset() noexcept {
  known_.clear();
  bytes_ = 0;
}

}  // namespace citestream

#include "address_book.hpp"

#include <algorithm>

#include "cite/url.hpp"
#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

bool names_no_host(std::string_view destination) noexcept {
  if (destination.empty()) return true;
  const auto inside = [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '_' || c == '-' || c == '/' || c == '#' || c == '+' ||
           c == ',' || c == '=';
  };
  return destination.front() != '/' && destination.find("//") == std::string_view::npos &&
         !names_www(destination) && std::all_of(destination.begin(), destination.end(), inside);
}

void address_book::add(std::string_view text) {
  if (text.empty() || text.size() > max_bytes_ - bytes_) return;
  if (known_.emplace(text).second) bytes_ += text.size();
}

void address_book::know(const reference& ref) {
  if (is_web_url(ref.url)) {
    add(ref.url);
    normalize_url(ref.url, normal_);
    add(normal_);
  }
  for (const std::string* key : {&ref.cite, &ref.id}) {
    // Nothing that a browser could take for a scheme or a host.
    if (key->find_first_of(":/\\%&?") == std::string::npos) add(*key);
    if (is_web_url(*key)) {
      add(*key);
      normalize_url(*key, normal_);
      add(normal_);
    }
  }
}

bool address_book::trusts(std::string_view url) const {
  const auto means = [&](const egress_pattern& one) { return matches(one, url); };
  return std::any_of(allowed_.begin(), allowed_.end(), means);
}

bool address_book::allows(std::string_view url) {
  if (trusts(url)) return true;
  // As it came or in its normal form, not in any spelling: how something is spelt can say much.
  return !known_.empty() && is_web_url(url) && known_.contains(std::string(url));
}

bool address_book::allows_destination(std::string_view destination) {
  if (names_no_host(destination) || allows(destination)) return true;
  return destination.find(':') == std::string_view::npos && known_.contains(std::string(destination));
}

void address_book::reset() noexcept {
  known_.clear();
  bytes_ = 0;
}

}  // namespace citestream

/// \file
/// URL normalisation, enough to compare what a model wrote with what a provider sent (RFC 3986, 6.2).
#pragma once

#include <string>
#include <string_view>

#include "base/web_url.hpp"

namespace citestream {

/// Normalizes \p url: scheme and host in lower case; without default port, fragment and trailing slashes of
/// the path; percent-escapes of unreserved characters decoded (`%41` becomes `A`), other escapes in upper
/// case, and characters outside ASCII as escapes (RFC 3987, 3.1); without the parameter `utm_source=openai`
/// or `utm_source=chatgpt.com`, which OpenAI adds to pages. Two URLs are equivalent if their normal forms are
/// equal. Anything but http and https is copied unchanged. Linear. The capacity of \p out is reused.
void normalize_url(std::string_view url, std::string& out);
/// Returns the normalized form of \p url.
[[nodiscard]] inline std::string normalized_url(std::string_view url) {
  std::string out;
  normalize_url(url, out);
  return out;
}

}  // namespace citestream

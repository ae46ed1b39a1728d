/// \file
/// URL normalisation, enough to compare what a model wrote with what a provider sent (RFC 3986, 6.2).
#pragma once

#include <string>
#include <string_view>

#include "base/web_url.hpp"

namespace citestream {

/// \p url with scheme and host in lower case, the default port, the fragment and a trailing slash of the path
/// removed, `%41` written `A` where the character is unreserved, and other percent-escapes in upper case.
/// Two URLs are the same place when their normal forms are equal. Anything but http and https comes back as
/// it is. Linear; writes into \p out, whose capacity is reused.
void normalize_url(std::string_view url, std::string& out);

}  // namespace citestream

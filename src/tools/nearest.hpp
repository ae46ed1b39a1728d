// The known name that is closest to a misspelled one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// The name in \p known that \p name was probably meant to be; empty if there is none, or if \p name has more
/// than 64 bytes.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace citestream::tools

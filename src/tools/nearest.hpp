// The name that was probably meant by one that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// The name in \p known that \p name was probably meant to be; empty: none. A name of more than 64 bytes is
/// no slip of the finger.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace citestream::tools

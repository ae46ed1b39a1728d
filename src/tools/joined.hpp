/// \file
/// Joins strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// Returns the concatenation of \p parts with \p between as the separator.
[[nodiscard]] inline std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) out.append(between);
    out.append(part);
  }
  return out;
}

}  // namespace citestream::tools

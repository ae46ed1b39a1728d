/// \file
/// Finds the known name that is closest to a misspelled one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// Returns the name in \p known that is closest to \p name. Returns an empty string if none is close enough
/// (at most 2 edits, or a third of the length of a longer name), or if \p name is longer than 64 bytes.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// Returns the error if \p name is not one of \p known, or an empty string. It suggests the name that is
/// closest in a list of more than four.
[[nodiscard]] std::string name_error(const std::string& name, const std::vector<std::string>& known);

}  // namespace citestream::tools

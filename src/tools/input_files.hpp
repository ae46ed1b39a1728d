// The files that a command reads if folders are among its arguments.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// Returns \p given with each folder replaced by the files in it whose names end in one of \p endings, sorted
/// by name. Files in folders below are not included, nor are those whose names begin with a dot.
/// \throws failure if a folder has no such file or cannot be read
[[nodiscard]] std::vector<std::string> input_files(const std::vector<std::string>& given,
                                                   std::span<const std::string_view> endings);

}  // namespace citestream::tools

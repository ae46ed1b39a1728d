/// \file
/// Replaces folders in the arguments of a command by the files in them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// Returns \p given with each folder replaced by the files in it whose names end in one of \p endings, sorted
/// by name. Files in subfolders and files whose names begin with a dot are not included.
/// \throws failure if a folder has no such file or cannot be read
[[nodiscard]] std::vector<std::string> input_files(const std::vector<std::string>& given,
                                                   std::span<const std::string_view> endings);

}  // namespace citestream::tools

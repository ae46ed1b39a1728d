/// \file
/// Finds the web page that `play` and `proxy --demo` serve.
#pragma once

#include <string>
#include <vector>

#include "replay/page_files.hpp"

namespace citestream::tools {

/// How to get the page, after "the web page is not installed". One line without a full stop.
inline constexpr const char* how_to_get_page = "tools/build js builds it in build/js/page";

/// Returns the files of the page in \p folder, or if that is empty, of the page that belongs to this program:
/// `../js/page` in a build tree, `../share/citestream/page` if it is installed. Empty if it has no page.
[[nodiscard]] std::vector<page_file> find_page(const std::string& folder);

}  // namespace citestream::tools

// References that come beside a stream: a side file, or a line of a file of deltas.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>

#include <string>
#include <vector>

namespace citestream::tools {

/// Appends the references of \p value: `{"files":[…],"web":[…]}` as Writer sends them, or an array of objects
/// with any of `type`, `id` (also `file_id`, `fileId`, `chunk_id`), `cite`, `title` (also `name`, `filename`,
/// `filepath`), `url`, `text` (also `snippet`, `content`), `score`, `page`; a string in the array is a URL.
/// Either may be wrapped as `{"references":…}`. \return false where it is none of these.
[[nodiscard]] bool read_references(json_value value, std::vector<reference>& out);

/// All references of the file \p path. \throws failure
[[nodiscard]] std::vector<reference> load_references(const std::string& path);

}  // namespace citestream::tools

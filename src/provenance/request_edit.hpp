/// \file
/// Edits the JSON body of a request.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>

#include <string>
#include <string_view>

#include "rewrite/splice.hpp"

namespace citestream::provenance {

/// Appends \p body to \p out with the edits that \p edit makes: `edit(json_value root, splicer& edits)`.
/// Returns an error and appends the body unchanged if it is too large or not JSON, or if an object in which
/// \p edit looked for a key has it twice.
template <typename Edit>
[[nodiscard]] status edit_request(std::string_view body, const limits& bounds, std::string& out,
                                  const Edit& edit) {
  status error{errc::body_too_large, bounds.max_body_bytes};
  document parsed(bounds.max_json_depth);
  splicer edits;
  if (body.size() <= bounds.max_body_bytes) error = parsed.parse(body);
  if (!error) {
    edit(parsed.root(), edits);
    if (parsed.duplicate()) error = {errc::duplicate_key, 0};
  }
  if (error) {
    out.append(body);
  } else {
    edits.apply(body, out);
  }
  return error;
}

}  // namespace citestream::provenance

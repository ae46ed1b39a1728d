/// \file
/// Adds the citation instructions to a request.
#pragma once

#include <citestream/chunk/document.hpp>

#include <string_view>

#include "request_form.hpp"
#include "rewrite/splice.hpp"

namespace citestream::provenance {

/// Adds edits to \p edits that put the instructions into the system prompt of a request with at least one
/// message or item. Adds none if a system prompt has them already.
void add_instructions(json_value root, const request_content& request, splicer& edits);

}  // namespace citestream::provenance

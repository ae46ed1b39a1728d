/// \file
/// Adds the citation instructions to a request.
#pragma once

#include <citestream/chunk/document.hpp>

#include <string_view>

#include "rewrite/splice.hpp"

namespace citestream::provenance {

/// Adds edits to \p edits that put the instructions into the system prompt of \p messages, a list in \p body
/// with at least one message. Adds none if a system prompt has them already.
void add_instructions(std::string_view body, json_value messages, splicer& edits);

}  // namespace citestream::provenance

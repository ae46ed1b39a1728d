// The instructions for citing in a request.
#pragma once

#include <citestream/chunk/document.hpp>

#include <string_view>

#include "rewrite/splice.hpp"

namespace citestream::provenance {

// Adds edits that put the instructions into the system prompt of `messages`, a list with at least one
// message, in `body`; none where they stand in one already.
void add_instructions(std::string_view body, json_value messages, splicer& edits);

}  // namespace citestream::provenance

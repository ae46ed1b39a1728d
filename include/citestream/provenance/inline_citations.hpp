/// \file
/// Asking Writer for inline citations.
///
/// Source: Writer's API, "Configure Knowledge Graph query parameters": `query_config.inline_citations` of a
/// graph tool's `function`, and of a question to a Knowledge Graph.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>

#include <string>
#include <string_view>

namespace citestream {

/// Appends the request \p body to \p out with `"inline_citations":true` in the `query_config` of each graph
/// tool (`tools[]` with the type `graph`), and of the body itself where it is a question to a Knowledge Graph
/// (it has `graph_ids` and `question`). A `query_config` that is not there, or null, is made; a value that is
/// there stays, `false` too. Nothing else changes.
///
/// Errors: as \ref add_provenance has them; the body is then appended as it is.
status add_inline_citations(std::string_view body, std::string& out, const limits& bounds = {});

}  // namespace citestream

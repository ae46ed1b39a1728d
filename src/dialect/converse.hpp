/// \file
/// The content blocks of AWS Converse, which its dialects share.
#pragma once

#include <citestream/dialect/dialect.hpp>

namespace citestream::converse {

/// Reads the `delta` of a block: a text or a citation. \p cites: what a citation is about.
void read_delta(json_value delta, text_unit unit, citation_anchor cites, dialect_event& out);

/// Reads a text at `text`. Does nothing if it is not a string.
void read_text(json_value text, text_unit unit, dialect_event& out);

/// Adds a citation and its reference: a page, a document of the request, or a search result of the request.
void read_citation(json_value citation, text_unit unit, citation_anchor cites, dialect_event& out);

}  // namespace citestream::converse

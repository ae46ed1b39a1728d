/// \file
/// The JSON of a citation in two parts. The first has its position and the check of its claim, the second
/// its references. Many citations of one answer share the second part.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citation.hpp>
#include <citestream/cite/citations.hpp>

#include <cstdint>
#include <string>

namespace citestream {

/// Appends the record up to and including its `path`, without the closing brace.
void append_citation_place(const citation& cite, std::uint32_t choice, offset_unit unit, std::string& out);

/// Appends the rest of the record, from `,"status"` to the closing brace.
void append_citation_sources(const citation& cite, const citations& from, std::string& out);

/// Returns true if append_citation_sources() writes the same bytes for both. Citations with the same
/// identifier share one list of references, so comparing its address is enough.
[[nodiscard]] inline bool same_sources(const citation& a, const citation& b) noexcept {
  return a.references.data() == b.references.data() && a.references.size() == b.references.size() &&
         a.status == b.status && a.type == b.type && a.match == b.match && a.native.score == b.native.score;
}

}  // namespace citestream

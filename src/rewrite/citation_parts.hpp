// A citation's record in two parts: where it stands, and what it cites, which many citations of one answer
// share.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citation.hpp>
#include <citestream/cite/citations.hpp>

#include <cstdint>
#include <string>

namespace citestream {

// Appends the record up to its `claim_end`, without the end of the object.
void append_citation_place(const citation& cite, const citations& from, std::uint32_t choice,
                           offset_unit unit, std::string& out);

// Appends the rest, from `,"status"` on.
void append_citation_sources(const citation& cite, const citations& from, std::string& out);

// Whether both have the same rest. Citations of one identifier share their list of references.
[[nodiscard]] inline bool same_sources(const citation& a, const citation& b) noexcept {
  return a.references.data() == b.references.data() && a.references.size() == b.references.size() &&
         a.status == b.status && a.type == b.type && a.match == b.match;
}

}  // namespace citestream

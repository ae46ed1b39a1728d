/// \file
/// Writes one answer as one JSON document.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>
#include <citestream/session/session.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::tools {

/// The answer's text in the three forms that a document contains.
struct document_texts {
  std::string content;   ///< in the chosen style; all positions refer to this text
  std::string raw;       ///< with all markers removed
  std::string markdown;  ///< with footnote marks and the list of footnotes
};

/// Appends the members about citations: `,"offsets":"utf16","citations":[…],"citation_spans":[…],
/// "sources":[…],"unresolved":[…],"uncited":[…]`. `offsets` is the unit of all positions. A citation is the
/// complete record; its member `text` is the full text of its first reference. The `citation` of a span is
/// the number of the source cited there. A source is
/// `{"number","title","identifier","status","source_type","references"}`; `references` lists all references
/// that matched.
void append_citation_members(std::uint32_t choice, const citations& cites, offset_unit unit,
                             std::string& out);

/// If provenance is enabled, appends `,"provenance":{…}`, which describes the reference of each key.
void append_provenance(const session_options& options, std::string& out);

/// Appends `{"content","raw_content","markdown_content", …, "stats"}`, where `…` is \p citation_members. The
/// first member is `"file"` if \p file is not empty.
void append_document(std::string_view file, const document_texts& texts, std::string_view citation_members,
                     const session_statistics& counts, std::string& out);

}  // namespace citestream::tools

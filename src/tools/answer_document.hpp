// One answer as one JSON document.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::tools {

/// The answer's text in the three forms that a document holds.
struct answer_texts {
  std::string content;   ///< in the chosen style: positions are in this one
  std::string raw;       ///< every marker removed
  std::string markdown;  ///< footnote marks, with the list
};

/// Counters of the run.
struct document_statistics {
  std::uint64_t events{};
  std::uint64_t deltas{};
  std::uint64_t held_max{};
  std::uint64_t abandoned{};
  std::uint64_t passed_through{};
};

/// Appends the members about citations: `"citations":[…],"citation_spans":[…],"sources":[…],
/// "unresolved":[…],"uncited":[…]`. A citation is the whole record, with `text`, all of its best reference's
/// text. A span's `citation` is the number of the source cited there. A source is `{"number","title",
/// "identifier","status","source_type"}` and `references`, all that matched.
void append_citation_members(std::uint32_t choice, const citations& cites, offset_unit unit,
                             std::string& out);

/// If the options have provenance, appends `,"provenance":{…}`: the meaning of each key.
void append_provenance(const session_options& options, std::string& out);

/// Appends `{"content","raw_content","markdown_content", …, "stats"}` with \p citation_members in between. If
/// \p file is not empty, the first member is `"file"`.
void append_document(std::string_view file, const answer_texts& texts, std::string_view citation_members,
                     const document_statistics& counts, std::string& out);

}  // namespace citestream::tools

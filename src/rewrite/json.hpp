/// \file
/// JSON that leaves: strings, citation records, the additions of a stream.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace citestream {

/// Appends \p text as a JSON string with its quotes (RFC 8259, 7): `"`, `\` and control characters are
/// escaped, everything else stays as it is. \p text must be UTF-8. No line break is left in it, so it can
/// stand on a `data` line.
void append_json_string(std::string_view text, std::string& out);
/// The same without the quotes. What parts of a text give, one behind the other, is what all of it gives.
void append_json_body(std::string_view text, std::string& out);

/// Appends one reference: `{"type","id","cite","title","url","file_path","text","score","page","tool",
/// "tool_call_id"}`, only what is known. A tool result came from the client, which has it: of its text at
/// most the first 4,096 bytes are written, and `text_bytes` says how many there are where that is not all.
void append_reference_json(const reference& ref, std::string& out);

/// Whether \p ref is a tool result with a key: its `cite` starts with `d_` or `a_`.
[[nodiscard]] bool has_provenance_key(const reference& ref) noexcept;

/// Appends what a provenance key means: `"d_1":{"label","source_type","tool","tool_call_id","file_path",
/// "url"}`, only what is known, with the reference's `cite` as the key.
void append_provenance_member(const reference& ref, std::string& out);

/// Appends one citation record, complete, with its choice: `number, choice, label, identifier, marker, start,
/// end, claim_start, claim_end, status, source_type, match`, then `title`, `url`, `file_id`, `file_path`,
/// `page`, `score`, `snippet` (the first 200 code points of the text) of its best reference, then
/// `references`, all that matched. What is not known is absent, except `source_type` and `match`, which are
/// then null, and `references`, which is then empty. Without a label in the marker, `label` is the best
/// reference's title.
void append_citation_json(const citation& cite, const citations& from, std::uint32_t choice, offset_unit unit,
                          std::string& out);

/// The link to a cited file: \p pattern with `{file_id}`, `{page}` and `{title}` percent-encoded (RFC 3986,
/// 2.1). Where the page is not known, the fragment or query part that names it goes: `#page={page}` wholly,
/// `&page={page}` of a longer query alone. Other braces stay.
void append_file_url(std::string_view pattern, const reference& ref, std::string& out);

/// Appends OpenAI's annotations of one choice, comma-separated, without brackets:
/// `{"type":"url_citation","url_citation":{"start_index","end_index","url","title"}}` for each resolved web
/// citation with an http or https URL, and for each resolved file citation where \p file_url is not empty.
/// All four fields are always there: a title is the reference's, else the marker's label, else the URL, at
/// most 1,024 bytes of it. A URL over 8,000 bytes (RFC 9110, 4.1) or of another scheme makes no annotation.
/// Once \p max_bytes have been appended no further one is begun. Appends nothing where there are none.
/// \return how many.
std::size_t append_annotations_json(const citations& from, offset_unit unit, std::string_view file_url,
                                    std::string& out, std::size_t max_bytes = limits{}.max_addition_bytes);

}  // namespace citestream

/// \file
/// Writes JSON: strings, citation records and annotations.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace citestream {

/// Appends \p text as a JSON string with its quotes (RFC 8259, 7): `"`, `\` and control characters are
/// escaped, everything else is unchanged. \p text must be UTF-8. The result contains no line break, so it
/// fits on one `data` line.
void append_json_string(std::string_view text, std::string& out);
/// Returns \p text as a JSON string, in the same form.
[[nodiscard]] std::string json_string(std::string_view text);
/// Appends \p text as a JSON string without its quotes. Appending a text in parts gives the same bytes as
/// appending it at once.
void append_json_body(std::string_view text, std::string& out);
/// Appends `[…]`. \p append writes each entry.
template <typename Entries, typename Append>
void append_json_array(const Entries& entries, std::string& out, const Append& append) {
  out += '[';
  const char* separator = "";
  for (const auto& each : entries) {
    out += separator;
    append(each);
    separator = ",";
  }
  out += ']';
}
/// Appends an array of texts or of numbers.
template <typename Entries>
void append_json_array(const Entries& entries, std::string& out) {
  append_json_array(entries, out, [&](const auto& each) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(each)>>) {
      out += std::to_string(each);
    } else {
      append_json_string(each, out);
    }
  });
}
/// Appends `,"key":[…]`. \p append: as in append_json_array(), nothing for texts or numbers.
template <typename Entries, typename... Append>
void append_json_list(std::string_view key, const Entries& entries, std::string& out,
                      const Append&... append) {
  out.append(",\"").append(key).append("\":");
  append_json_array(entries, out, append...);
}

/// Appends JSON of a payload without its line breaks, which are between tokens only. Text that is inserted
/// into another payload must not contain any.
void append_in_one_line(std::string_view json, std::string& out);

/// Appends one reference: `{"type","id","index","cite","title","url","file_path","container","text",
/// "excerpts","source_span","score","page","tool","tool_call_id","uses","opaque"}`, without the members that
/// are unknown. The client already has the text of a tool result, so at most its first 4,096 bytes are
/// written. If it is longer, `text_bytes` is its full length. \p choice is the first member if it is not 0.
void append_reference_json(const reference& ref, std::string& out, std::uint32_t choice = 0);

/// Appends a list of the references with these indexes.
void append_reference_list(const citations& from, std::span<const std::uint32_t> indexes, std::string& out);

/// Returns true if `cite` is a provenance key: it starts with `d_` or `a_`.
[[nodiscard]] bool has_provenance_key(const reference& ref) noexcept;

/// Appends the meaning of a provenance key: `"d_1":{"label","source_type","tool","tool_call_id","file_path",
/// "url","uses"}`, without the members that are unknown. The key is the reference's `cite`.
void append_provenance_member(const reference& ref, std::string& out);

/// Appends the result of the check of a citation's claim: see append_finding_members(). Nothing if \p found
/// is null.
void append_finding(const claim_finding* found, const citations& from, offset_unit unit, std::string& out);

/// Appends which text of the answer a citation is in, such as `{"output":1,"content":0}`. Nothing if there is
/// no path.
void append_path_json(const citation_path& path, std::string& out);

/// Appends one complete citation record. Its members, in order: `number, choice, group, origin, label,
/// identifier, marker, start, end, claim_start, claim_end, anchor, native, path`; if its claim was checked,
/// what was found (append_finding_members()); `status, source_type, match`; `title`, `url`, `file_id`,
/// `file_path`, `page`, `score` and `snippet` (the first 200 code points of the text) of its best reference;
/// and `references`, which lists every reference that matched. Unknown members are absent, except that
/// unknown `marker`, `native`, `source_type` and `match` are null and `references` may be empty. `label` is
/// that of the marker, inert if egress is enforced.
void append_citation_json(const citation& cite, const citations& from, std::uint32_t choice, offset_unit unit,
                          std::string& out);

/// Appends the start of a citation record, up to and including its `path`, without the closing brace.
/// append_finding() may follow.
void append_citation_place(const citation& cite, std::uint32_t choice, offset_unit unit, std::string& out);

/// Appends the rest of the record, from `,"status"` to the closing brace. Many citations of one answer share
/// it.
void append_citation_sources(const citation& cite, const citations& from, std::string& out);

/// Returns true if append_citation_sources() writes the same bytes for both. Citations with the same
/// identifier share one list of references, so comparing its address is enough.
[[nodiscard]] inline bool same_sources(const citation& a, const citation& b) noexcept {
  return a.references.data() == b.references.data() && a.references.size() == b.references.size() &&
         a.status == b.status && a.type == b.type && a.match == b.match && a.native.score == b.native.score;
}

/// Appends the link to a cited file: \p pattern with `{file_id}`, `{page}` and `{title}` replaced by the
/// percent-encoded values (RFC 3986, 2.1). If the page is unknown, parameters of the query or fragment that
/// contain `{page}` are omitted: all of `#page={page}`, only `&page={page}` of a longer query. Other braces
/// are unchanged.
void append_file_url(std::string_view pattern, const reference& ref, std::string& out);

/// Returns the first `{` of a template that does not begin one of these placeholders, with what follows up to
/// the next brace; empty if all do.
[[nodiscard]] std::string_view unknown_placeholder(std::string_view pattern) noexcept;

/// Appends the annotation of citation \p index in the form of OpenAI, with positions in code points:
/// `{"type":"url_citation","url_citation":{"start_index","end_index","url","title"}}`. Only a resolved
/// citation of a web page with an http or https URL has one, or, if \p file_url is not empty, of a file. All
/// four fields are always present. The title is that of the page, or the marker's label, or the URL,
/// truncated to 1,024 bytes. URLs over 8,000 bytes (RFC 9110, 4.1) and those with other schemes get none.
/// Returns the URL; empty if nothing was appended.
std::string append_annotation_json(const citations& from, std::size_t index, std::string_view file_url,
                                   std::string& out);

/// Where a text of an answer is, for citations in the form of its provider.
struct cited_text {
  bool (*append)(const own_citation&, std::string&){};  ///< of the dialect
  text_unit unit;                                       ///< its id
  text_span printed;                                    ///< see own_citation
  text_span claim;                                      ///< the same
  std::string_view sent;                                ///< its sent text; empty if it is not kept
  std::string_view file_url;                            ///< see append_file_url(); empty: files have no link
  std::size_t source{};                                 ///< own_citation::source
  std::size_t quotable{};  ///< quotes are not looked for in longer texts of references
};

/// Appends the citation \p index as the provider writes its own, or its source. Returns false if
/// no reference of it is known or the provider has no form for it.
bool append_own_citation(const citations& from, std::size_t index, const cited_text& in, std::string& out);

}  // namespace citestream

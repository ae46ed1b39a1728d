/// \file
/// Google Gemini: `generateContent` and `streamGenerateContent`, as an event stream or one streamed array.
///
/// Text: `candidates[].content.parts[].text` without `thought`; the parts of a candidate are one text.
/// References: `groundingMetadata.groundingChunks`, numbered from 1, in any chunk, mostly in the last. Each
/// is a source, whatever members it has. Annotations: `groundingSupports`, which also quote their words, and
/// `citationMetadata`; their positions are bytes of UTF-8 in the text of the candidate, and a start of 0 is
/// left out. With a `partIndex` they count from the start of that part, which is known only in bodies: in a
/// stream, one part may be divided over several chunks. A body has the form of a chunk.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {

namespace gemini {
namespace {

bool is_thought(json_value part) noexcept {
  return part["thought"].boolean().value_or(false);
}

/// The page, passage, place or image of a grounding chunk: its member that is an object.
json_value source_of(json_value chunk) noexcept {
  for (const json_value& member : chunk.is_object() ? chunk : json_value()) {
    if (member.is_object()) return member;
  }
  return {};
}

/// Reads a chunk, except its URL and number. Passages of a file search may have nothing but their text.
reference read_chunk(json_value chunk, json_value source) {
  reference ref;
  ref.type = chunk["web"] || chunk["image"] ? source_type::web
             : chunk["maps"]                ? source_type::place
                                            : source_type::document;
  ref.id = first_text(source, {"documentName", "placeId"});
  ref.title = source["title"].string();
  ref.text = source["text"].string();
  ref.container = source["fileSearchStore"].string();
  ref.page = source["pageNumber"].integer();
  return ref;
}

/// Reads the sources into references, and into \p lists, to which citations of ours refer by index.
void read_chunks(json_value list, citation_lists& lists, dialect_event& out) {
  for (const json_value& chunk : list) {
    const json_value source = source_of(chunk);
    lists.sources.push_back(first_text(source, {"uri", "sourceUri", "imageUri"}));
    lists.references.push_back(out.references.size());
    reference ref = read_chunk(chunk, source);
    ref.url = lists.sources.back();
    ref.number = static_cast<std::int64_t>(lists.sources.size());
    out.references.push_back({lists.choice, std::move(ref)});
  }
}

/// Where each part of a body starts in the text of its candidate, in bytes; nothing if it is not text.
using part_starts = std::vector<std::optional<std::uint64_t>>;

/// Returns where the positions of \p segment are counted from; nothing if this is not known.
std::optional<std::uint64_t> origin_of(json_value segment, const part_starts& parts) noexcept {
  const json_value part = segment["partIndex"];
  if (!part || part.integer() == 0) return 0;
  const auto index = read_index(part);
  return index && *index < parts.size() ? parts[*index] : std::nullopt;
}

/// The text of a candidate.
text_unit text_of(std::uint32_t candidate) noexcept {
  return {candidate, 0};
}

/// Reads the positions of an annotation. Returns false if there are none.
bool read_span(json_value segment, const part_starts& parts, native_annotation& found) noexcept {
  const json_value first = segment["startIndex"];
  const auto at = read_positions_from_0(first, segment["endIndex"]);
  const auto from = origin_of(segment, parts);
  if (!at || !from) return false;
  found.unit = text_of(found.choice);
  found.counted_in = offset_unit::utf8;
  found.origin = *from;
  set_positions(*at, first, segment["endIndex"], found);
  return true;
}

/// Reads which sources a support at \p at cites. An index beyond the list in this payload refers to the list
/// of an earlier payload.
void read_cited(json_value support, const native_annotation& at, citation_lists& lists, dialect_event& out) {
  bool joins = false;
  json_value score = support["confidenceScores"].first();
  for (const json_value& one : support["groundingChunkIndices"]) {
    const json_value sure = std::exchange(score, score.next());
    const auto index = read_index(one);
    if (!index) continue;
    const bool earlier = *index >= lists.references.size();
    lists.cited = std::max(lists.cited, std::size_t{*index} + 1);
    native_annotation& found = out.annotations.emplace_back();
    found.choice = at.choice;
    if (!earlier) found.source = lists.sources[*index];
    found.listed = *index;
    native_citation& cited = add_native(support, at, earlier ? 0 : lists.references[*index], out);
    cited.quote = at.quote;
    if (earlier) cited.listed = *index;
    cited.score = sure.number();
    cited.joins = std::exchange(joins, true);
  }
}

void read_support(json_value support, const part_starts& parts, citation_lists& lists, dialect_event& out) {
  const json_value segment = support["segment"];
  native_annotation found;
  found.choice = lists.choice;
  set_quote(segment["text"], found);
  const bool placed = read_span(segment, parts, found);
  out.annotations.push_back(found);
  if (placed) read_cited(support, found, lists, out);
}

void read_grounding(json_value candidate, std::uint32_t choice, const part_starts& parts,
                    dialect_event& out) {
  citation_lists lists;
  lists.choice = choice;
  lists.holder = candidate.range();
  const json_value data = candidate["groundingMetadata"];
  const auto list_at = [&](std::string_view key) {
    const json_value list = data[key];
    return list.is_array() ? std::optional(list.range()) : std::nullopt;
  };
  if (data.is_object()) lists.object = data.range();
  lists.source_list = list_at("groundingChunks");
  lists.citation_list = list_at("groundingSupports");
  read_chunks(data["groundingChunks"], lists, out);
  for (const json_value& one : data["groundingSupports"]) read_support(one, parts, lists, out);
  for (const std::string_view key : {"citations", "citationSources"}) {
    for (const json_value& one : candidate["citationMetadata"][key]) {
      native_annotation found;
      found.choice = choice;
      if (read_span(one, parts, found)) out.annotations.push_back(found);
    }
  }
  const bool replaceable = !data || data.is_object();
  lists.takes_ours = replaceable && !candidate["finishReason"].string().empty();
  if (lists.takes_ours || !lists.sources.empty()) out.lists.push_back(std::move(lists));
}

choice_event& add_choice(std::uint32_t choice, dialect_event& out) {
  choice_event& found = out.choices.emplace_back();
  found.choice = choice;
  found.unit.id = text_of(choice);
  found.keeps_text = true;  // annotations quote it
  return found;
}

void read_candidate(json_value candidate, payload_kind kind, dialect_event& out) {
  const auto choice = read_index_or_first(candidate["index"]);
  if (!choice) return;
  const std::size_t before = out.choices.size();
  part_starts starts;
  std::uint64_t size = 0;
  for (const json_value& part : candidate["content"]["parts"]) {
    const json_value text = part["text"];
    if (!text.is_string() && !part.empty()) {  // a call of a function, code or an image
      if (out.choices.size() == before) add_choice(*choice, out);
      out.choices.back().unit.pauses = true;
    }
    const bool shown = text.is_string() && !is_thought(part);
    if (kind == payload_kind::body) starts.push_back(shown ? std::optional(size) : std::nullopt);
    if (!shown) continue;
    size += text.string().size();
    choice_event& found = add_choice(*choice, out);
    found.set_text(text);
    found.independent_of_text = true;
  }
  const std::string_view reason = candidate["finishReason"].string();
  if (out.choices.size() == before) add_choice(*choice, out);
  if (!reason.empty()) {
    out.choices.back().end.here = true;
    out.choices.back().end.reason = reason;
  }
  read_grounding(candidate, *choice, starts, out);
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  out.signals.error = root["error"].is_object() && !root["error"].empty();
  const json_value list = root["candidates"];
  if (list && !list.is_array()) return false;
  if (!list && !out.signals.error && !root["usageMetadata"] && !root["promptFeedback"]) return false;
  out.signals.end = kind == payload_kind::body;
  if (!out.signals.error) out.root = root;
  for (const json_value& one : list) read_candidate(one, kind, out);
  return true;
}

bool recognise(json_value root, payload_kind) {
  const json_value first = root["candidates"].first();
  // Other protocols may also have `candidates`.
  if (root["choices"] || root["answer"] || root["object"]) return false;
  if (first["content"]["parts"].is_array()) return true;  // the first chunk may have nothing else
  const bool answers = first["content"].is_object() || first["finishReason"].is_string();
  return answers && (root["usageMetadata"] || root["modelVersion"] || root["responseId"]);
}

bool append_source(const own_citation& one, std::string& out) {
  const bool page = one.type == source_type::web && !one.url.empty();
  out.append(page ? "{\"web\":{" : "{\"retrievedContext\":{");
  if (!one.url.empty()) out.append("\"uri\":").append(one.url).append(",");
  out.append("\"title\":").append(one.title);
  if (!page && one.excerpt.size() > 2) out.append(",\"text\":").append(one.excerpt);
  out.append("}}");
  return true;
}

bool append_citation(const own_citation& one, std::string& out) {
  const std::uint64_t start = one.claim.start.utf8;
  if (one.claim.end.utf8 <= start) return false;
  out.append("{\"segment\":{");
  if (start > 0) out.append("\"startIndex\":").append(std::to_string(start)).append(",");
  append_all(out, "\"endIndex\":", one.claim.end.utf8, ",\"text\":", one.claim_text,
             "},\"groundingChunkIndices\":[", one.source, "]}");
  return true;
}

void append_error(const failure_event& one, std::string& out) {
  const std::string_view status = one.status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE";
  append_all(out, "{\"error\":{\"code\":", one.status, ",\"message\":", one.message, ",\"status\":\"", status,
             "\"}}");
}

constexpr api_path paths[] = {
    {":generateContent"}, {":streamGenerateContent"}, {":countTokens", request_kind::history}};

constexpr const grammar* grammars[] = {&link_grammar, &cite_grammar};

}  // namespace
}  // namespace gemini

extern constinit const dialect gemini_dialect{.name = "gemini",
                                              .recognise = &gemini::recognise,
                                              .read = &read_object<&gemini::read>,
                                              .grammars = gemini::grammars,
                                              .stream = {.sends_references = false},
                                              .names = {.item = "candidate", .part = "part"},
                                              .own = {.append = &gemini::append_citation,
                                                      .append_source = &gemini::append_source,
                                                      .list_name = "groundingSupports",
                                                      .sources_name = "groundingChunks",
                                                      .lists_name = "groundingMetadata"},
                                              .failures = {.append_event = &gemini::append_error,
                                                           .event_type = "",
                                                           .append_body = &gemini::append_error},
                                              .paths = gemini::paths};

}  // namespace citestream

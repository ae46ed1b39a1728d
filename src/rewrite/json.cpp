// How records are written.
//
// object_writer (json_object.hpp) writes the members of an object in order and leaves out those that are
// unknown. Citations and references have members in common (`title`, `url`), so each group of members has a
// function, and a record is a sequence of groups. Only the output grows; nothing else is allocated.
#include "json.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/code_point.hpp"
#include "base/number_label.hpp"
#include "base/provenance_key.hpp"
#include "base/web_url.hpp"
#include "chunk/json_scan.hpp"
#include "cite/passage.hpp"
#include "finding_json.hpp"
#include "json_object.hpp"

namespace citestream {

namespace {

constexpr std::size_t max_annotation_title_bytes = 1024;
// A tool result may be a whole file. This is room for about 20 snippets.
constexpr std::size_t max_result_text_bytes = 4096;

void append_escaped(char c, std::string& out) {
  constexpr std::string_view special = "\"\\\n\t\r\b\f";
  constexpr std::string_view names = "\"\\ntrbf";
  out.push_back('\\');
  if (const std::size_t which = special.find(c); which != std::string_view::npos) {
    out.push_back(names[which]);
  } else {
    out.append("u00");
    ascii::append_hex(c, out);
  }
}

void append_text(const reference& ref, object_writer& object) {
  const bool result = !ref.tool.empty() || !ref.tool_call_id.empty();
  const std::string_view text = result ? utf8_prefix(ref.text, max_result_text_bytes) : ref.text;
  object.known("text", text);
  if (text.size() < ref.text.size()) object.number("text_bytes", ref.text.size());
}

/// Appends the quoted passages of a reference, and where they are.
void append_quoted(const reference& ref, object_writer& object) {
  if (!ref.excerpts.empty()) append_json_array(ref.excerpts, object.key("excerpts"));
  if (!ref.span) return;
  object_writer span(object.key("source_span"));
  span.string("unit", name(ref.span->unit));
  span.number("start", ref.span->start);
  span.number("end", ref.span->end);
  span.number("base", ref.span->base);
  span.end();
}

/// \param score  of this citation, if the provider has rated it
void append_best(const reference& best, const std::optional<double>& score, object_writer& record) {
  record.known("title", best.title);
  record.known("url", best.url);
  if (best.type == source_type::file) record.known("file_id", best.id);
  record.known("file_path", best.file_path);
  record.known("page", best.page);
  record.known("score", score ? score : best.score);
  record.known("snippet", snippet(best.text));
}

/// Appends the link to \p ref. \return false, with nothing appended, if it has no usable link
bool append_link(const reference& ref, std::string_view file_url, std::string& out) {
  const std::size_t begin = out.size();
  if (ref.type == source_type::file) {
    if (file_url.empty() || ref.id.empty()) return false;
    append_file_url(file_url, ref, out);
  } else {
    out.append(ref.url);
  }
  const std::string_view link = std::string_view(out).substr(begin);
  if (is_web_url(link) && link.size() <= max_url_bytes) return true;
  out.resize(begin);
  return false;
}

/// The first text that is not empty.
std::string_view first_of(std::initializer_list<std::string_view> texts) noexcept {
  for (const std::string_view one : texts) {
    if (!one.empty()) return one;
  }
  return {};
}

/// Appends the provider's citation with the meaning of its positions, or null.
void append_native(const native_form& from, std::string& out) {
  if (!from.json.ends_with('}')) {
    out.append("null");
    return;
  }
  const std::size_t begin = out.size();
  append_in_one_line(std::string_view(from.json).substr(0, from.json.size() - 1), out);
  const std::string_view written = std::string_view(out).substr(begin);
  if (written.find_first_not_of(" \t", 1) != std::string_view::npos) out.push_back(',');
  out.append("\"unit\":\"").append(from.unit ? name(*from.unit) : "none");
  out.append("\",\"end_inclusive\":").append(from.end_inclusive ? "true}" : "false}");
}

/// Appends the member `uses`, a list of keys, if there are any.
void append_uses(const reference& ref, object_writer& object) {
  if (ref.uses.empty()) return;
  std::string& out = object.key("uses");
  char before = '[';
  for (std::string_view rest = ref.uses; !rest.empty();) {
    out.push_back(std::exchange(before, ','));
    append_json_string(provenance_key::take_key(rest), out);
  }
  out.push_back(']');
}

const reference* best_of(const citation& cite, const citations& from) noexcept {
  return cite.references.empty() ? nullptr : &from.references()[cite.references.front()];
}

/// A reference of a citation, and the link to it.
struct linked_reference {
  std::uint32_t index{};
  std::string url;  ///< empty: no reference has a link
};

/// The first reference of a citation that has a usable link.
linked_reference first_linked(const citation& cite, const citations& from, std::string_view file_url) {
  linked_reference found;
  for (const std::uint32_t index : cite.references) {
    found.index = index;
    if (append_link(from.references()[index], file_url, found.url)) break;
  }
  return found;
}

/// A passage of a source. The text may be empty.
struct quoted_passage {
  std::string_view text;
  std::int64_t start{};  ///< in characters of the source
  std::int64_t end{};
};

/// Finds what \p claim is about in a reference that is plain text.
quoted_passage quote(const reference& ref, std::string_view claim, std::size_t quotable) {
  const bool plain = ref.requested && ref.span && ref.span->unit == source_unit::character;
  if (!plain || claim.empty() || ref.text.size() > quotable) return {};
  const auto found = find_passage(claim, ref.text);
  if (!found) return {};
  const std::string_view text = std::string_view(ref.text).substr(found->begin, found->end - found->begin);
  text_offset place;
  place.advance(std::string_view(ref.text).substr(0, found->begin));
  const auto start = ref.span->start + static_cast<std::int64_t>(place.codepoint);
  place.advance(text);
  return {text, start, ref.span->start + static_cast<std::int64_t>(place.codepoint)};
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out.push_back('"');
  append_json_body(text, out);
  out.push_back('"');
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

void append_in_one_line(std::string_view json, std::string& out) {
  const std::size_t begin = out.size();
  out.append(json);
  for (const char line_end : {'\n', '\r'}) {
    for (std::size_t at = begin; (at = out.find(line_end, at)) != std::string::npos;) out[at] = ' ';
  }
}

void append_json_body(std::string_view text, std::string& out) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::uint64_t high = 0;  // not used here
    const char* const special = json_scan::skip_plain(at, end, high);
    out.append(at, static_cast<std::size_t>(special - at));
    if (special == end) return;
    append_escaped(*special, out);
    at = special + 1;
  }
}

void append_reference_json(const reference& ref, std::string& out, std::uint32_t choice) {
  object_writer object(out);
  if (choice != 0) object.number("choice", choice);
  object.string("type", name(ref.type));
  object.known("id", ref.id);
  if (ref.requested) object.number("index", ref.requested->index);
  object.known("cite", ref.cite);
  object.known("title", ref.title);
  object.known("url", ref.url);
  object.known("file_path", ref.file_path);
  object.known("container", ref.container);
  append_text(ref, object);
  append_quoted(ref, object);
  object.known("score", ref.score);
  object.known("page", ref.page);
  object.known("tool", ref.tool);
  object.known("tool_call_id", ref.tool_call_id);
  append_uses(ref, object);
  if (!ref.opaque.empty()) object.key("opaque").append(ref.opaque);
  object.end();
}

void append_reference_list(const citations& from, std::span<const std::uint32_t> indexes, std::string& out) {
  append_json_array(indexes, out,
                    [&](std::uint32_t index) { append_reference_json(from.references()[index], out); });
}

bool has_provenance_key(const reference& ref) noexcept {
  return provenance_key::starts_key(ref.cite);
}

void append_provenance_member(const reference& ref, std::string& out) {
  append_json_string(ref.cite, out);
  out.push_back(':');
  object_writer object(out);
  object.known("label", ref.title);
  object.string("source_type", name(ref.type));
  object.known("tool", ref.tool);
  object.known("tool_call_id", ref.tool_call_id);
  object.known("file_path", ref.file_path);
  object.known("url", ref.url);
  append_uses(ref, object);
  object.end();
}

void append_path_json(const citation_path& path, std::string& out) {
  if (path.item_name.empty()) return;
  object_writer object(out);
  std::string& item = object.runtime_key(path.item_name);
  if (path.item) {
    item += std::to_string(*path.item);
  } else {
    item += path.item_id != nullptr ? *path.item_id : "null";
  }
  if (!path.part_name.empty()) object.runtime_key(path.part_name) += std::to_string(path.part);
  if (path.item && path.item_id != nullptr) object.key("item") += *path.item_id;
  object.end();
}

void append_citation_place(const citation& cite, std::uint32_t choice, offset_unit unit, std::string& out) {
  object_writer record(out);
  record.number("number", cite.number);
  record.number("choice", choice);
  record.number("group", cite.group);
  record.string("origin", name(cite.origin));
  record.known("label", cite.label);
  record.known("identifier", cite.identifier);
  if (cite.marker.empty()) {
    record.key("marker").append("null");
  } else {
    record.string("marker", cite.marker);
  }
  record.number("start", cite.start.in(unit));
  record.number("end", cite.end.in(unit));
  record.number("claim_start", cite.claim_start.in(unit));
  record.number("claim_end", cite.claim_end.in(unit));
  record.string("anchor", name(cite.anchor));
  append_native(cite.native, record.key("native"));
  if (!cite.path.item_name.empty()) append_path_json(cite.path, record.key("path"));
}

void append_finding(const claim_finding* found, const citations& from, offset_unit unit, std::string& out) {
  if (found == nullptr) return;
  std::vector<std::string_view> texts;
  texts.reserve(found->references.size());
  for (const std::uint32_t index : found->references) texts.emplace_back(from.references()[index].text);
  object_writer record(out, object_writer::continued{});
  append_finding_members(*found, found->claim, nullptr, texts, unit, record);
}

void append_citation_sources(const citation& cite, const citations& from, std::string& out) {
  const reference* best = best_of(cite, from);
  object_writer record(out, object_writer::continued{});
  record.string("status", name(cite.status));
  record.name_or_null("source_type", cite.type);
  record.name_or_null("match", cite.match);
  if (best != nullptr) append_best(*best, cite.native.score, record);
  append_reference_list(from, cite.references, record.key("references"));
  record.end();
}

void append_citation_json(const citation& cite, const citations& from, std::uint32_t choice, offset_unit unit,
                          std::string& out) {
  append_citation_place(cite, choice, unit, out);
  append_finding(cite.finding.get(), from, unit, out);
  append_citation_sources(cite, from, out);
}

std::string append_annotation_json(const citations& from, std::size_t index, std::string_view file_url,
                                   std::string& out) {
  const citation& cite = from.all()[index];
  if (cite.status != citation_status::resolved) return {};
  const auto [source, link] = first_linked(cite, from, file_url);
  if (link.empty()) return {};
  object_writer annotation(out);
  annotation.string("type", "url_citation");
  object_writer page(annotation.key("url_citation"));
  page.number("start_index", cite.start.codepoint);
  page.number("end_index", cite.end.codepoint);
  page.string("url", link);
  page.string("title", utf8_prefix(first_of({from.page_title(source), name_in(cite.label), link}),
                                   max_annotation_title_bytes));
  page.end();
  annotation.end();
  return link;
}

bool append_own_citation(const citations& from, std::size_t index, const cited_text& in, std::string& out) {
  const citation& cite = from.all()[index];
  auto [linked, link] = first_linked(cite, from, in.file_url);
  const reference* const best = link.empty() ? from.best(index) : &from.references()[linked];
  if (best == nullptr) return false;
  if (link.empty()) append_link(*best, in.file_url, link);
  const std::string_view page = from.page_title(static_cast<std::uint32_t>(best - from.references().data()));
  const std::string_view named = first_of({page, best->title, name_in(cite.label), link, best->id, "source"});
  const std::size_t begin = std::min<std::size_t>(in.claim.start.utf8, in.sent.size());
  const std::string_view claimed = in.sent.substr(begin, in.claim.end.utf8 - begin);
  const quoted_passage passage = quote(*best, claimed, in.quotable);

  const std::string url = link.empty() ? std::string() : json_string(link);
  const std::string title = json_string(utf8_prefix(named, max_annotation_title_bytes));
  const std::string id = json_string(best->id);
  const std::string excerpt = json_string(snippet(best->text));
  const std::string quoted = json_string(passage.text);
  const std::string claim = json_string(claimed);
  const own_citation made{.unit = in.unit,
                          .type = best->type,
                          .number = cite.number,
                          .url = url,
                          .title = title,
                          .id = id,
                          .excerpt = excerpt,
                          .requested = best->requested,
                          .quote = quoted,
                          .quote_start = passage.start,
                          .quote_end = passage.end,
                          .printed = in.printed,
                          .claim = in.claim,
                          .claim_text = claim,
                          .source = in.source};
  return in.append(made, out);
}

}  // namespace citestream

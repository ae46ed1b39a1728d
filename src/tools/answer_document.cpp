#include "answer_document.hpp"

#include <set>
#include <vector>

#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream::tools {

namespace {

void append_record(const citation& cite, const citations& from, std::uint32_t choice, offset_unit unit,
                   std::string& out) {
  append_citation_json(cite, from, choice, unit, out);
  if (cite.references.empty()) return;
  const std::string& text = from.references()[cite.references.front()].text;
  if (text.empty()) return;
  out.pop_back();  // reopens the record
  object_writer record(out, object_writer::continued{});
  record.string("text", text);
  record.end();
}

void append_span(const citation& cite, offset_unit unit, std::string& out) {
  object_writer span(out);
  span.number("citation", cite.number);
  span.number("start", cite.start.in(unit));
  span.number("end", cite.end.in(unit));
  span.number("claim_start", cite.claim_start.in(unit));
  span.number("claim_end", cite.claim_end.in(unit));
  span.end();
}

void append_source(const citation& cite, const citations& from, std::string& out) {
  object_writer source(out);
  source.number("number", cite.number);
  source.string("title", from.title(cite));
  source.string("identifier", cite.identifier);
  source.string("status", name(cite.status));
  source.name_or_null("source_type", cite.type);
  append_reference_list(from, cite.references, source.key("references"));
  source.end();
}

/// One citation of each source: those of markers by number, then those that only the provider cites.
std::vector<const citation*> sources_of(const citations& cites) {
  std::vector<const citation*> out;
  std::set<std::uint32_t> numbers;
  for (const std::uint32_t index : cites.sources()) {
    out.push_back(&cites.all()[index]);
    numbers.insert(out.back()->number);
  }
  for (const citation& cite : cites.native()) {
    if (numbers.insert(cite.number).second) out.push_back(&cite);
  }
  return out;
}

void append_statistics(const session_statistics& counts, std::string& out) {
  object_writer stats(out);
  stats.number("events", counts.events);
  stats.number("deltas", counts.deltas);
  stats.number("held_max", counts.held_max);
  stats.number("abandoned", counts.abandoned);
  stats.number("passed_through", counts.passed_through);
  stats.end();
}

}  // namespace

void append_citation_members(std::uint32_t choice, const citations& cites, offset_unit unit,
                             std::string& out) {
  std::vector<const citation*> all;
  for (const citation& cite : cites.all()) all.push_back(&cite);
  for (const citation& cite : cites.native()) all.push_back(&cite);
  object_writer(out, object_writer::continued{}).string("offsets", name(unit));
  append_json_list("citations", all, out,
                   [&](const citation* cite) { append_record(*cite, cites, choice, unit, out); });
  append_json_list("citation_spans", all, out, [&](const citation* cite) { append_span(*cite, unit, out); });
  append_json_list("sources", sources_of(cites), out,
                   [&](const citation* cite) { append_source(*cite, cites, out); });
  append_json_list("unresolved", cites.unresolved(), out);
  out += ",\"uncited\":";
  append_reference_list(cites, cites.uncited(), out);
}

void append_provenance(const session_options& options, std::string& out) {
  if (!options.provenance) return;
  out += ",\"provenance\":{";
  const std::size_t begin = out.size();
  for (const reference& ref : options.references) {
    if (!has_provenance_key(ref)) continue;
    if (out.size() > begin) out += ',';
    append_provenance_member(ref, out);
  }
  out += '}';
}

void append_document(std::string_view file, const document_texts& texts, std::string_view citation_members,
                     const session_statistics& counts, std::string& out) {
  object_writer object(out);
  object.known("file", file);
  object.string("content", texts.content);
  object.string("raw_content", texts.raw);
  object.string("markdown_content", texts.markdown);
  out += citation_members;
  append_statistics(counts, object.key("stats"));
  object.end();
}

}  // namespace citestream::tools

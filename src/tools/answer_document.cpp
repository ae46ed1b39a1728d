#include "answer_document.hpp"

#include <set>
#include <vector>

#include "rewrite/json.hpp"
#include "session/event_lines.hpp"

namespace citestream::tools {

namespace {

void append_member(std::string_view key, std::string_view text, std::string& out) {
  append_json_string(key, out);
  out += ':';
  append_json_string(text, out);
}

void append_member(std::string_view key, std::uint64_t number, std::string& out) {
  append_json_string(key, out);
  out += ':' + std::to_string(number);
}

void append_record(const citation& cite, const citations& from, std::uint32_t choice, offset_unit unit,
                   std::string& out) {
  append_citation_json(cite, from, choice, unit, out);
  if (cite.references.empty()) return;
  const std::string& text = from.references()[cite.references.front()].text;
  if (text.empty()) return;
  out.back() = ',';  // reopens the record
  append_member("text", text, out);
  out += '}';
}

void append_span(const citation& cite, offset_unit unit, std::string& out) {
  out += '{';
  append_member("citation", cite.number, out);
  const auto place = [&](std::string_view key, const text_offset& at) {
    out += ',';
    append_member(key, at.in(unit), out);
  };
  place("start", cite.start);
  place("end", cite.end);
  place("claim_start", cite.claim_start);
  place("claim_end", cite.claim_end);
  out += '}';
}

void append_source(const citation& cite, const citations& from, std::string& out) {
  out += '{';
  append_member("number", cite.number, out);
  out += ',';
  append_member("title", from.title(cite), out);
  out += ',';
  append_member("identifier", cite.identifier, out);
  out += ',';
  append_member("status", name(cite.status), out);
  out += ",\"source_type\":";
  if (cite.type) {
    append_json_string(name(*cite.type), out);
  } else {
    out += "null";
  }
  out += ",\"references\":";
  append_reference_list(from, cite.references, out);
  out += '}';
}

/// Appends `"key":[…]`. Calls \p append to write each of \p entries.
template <typename Entries, typename Append>
void append_list(std::string_view key, const Entries& entries, std::string& out, const Append& append) {
  append_json_string(key, out);
  out += ":[";
  for (const auto& entry : entries) {
    if (out.back() != '[') out += ',';
    append(entry);
  }
  out += ']';
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

void append_statistics(const document_statistics& counts, std::string& out) {
  out += ",\"stats\":{";
  append_member("events", counts.events, out);
  out += ',';
  append_member("deltas", counts.deltas, out);
  out += ',';
  append_member("held_max", counts.held_max, out);
  out += ',';
  append_member("abandoned", counts.abandoned, out);
  out += ',';
  append_member("passed_through", counts.passed_through, out);
  out += '}';
}

}  // namespace

void append_citation_members(std::uint32_t choice, const citations& cites, offset_unit unit,
                             std::string& out) {
  std::vector<const citation*> all;
  for (const citation& cite : cites.all()) all.push_back(&cite);
  for (const citation& cite : cites.native()) all.push_back(&cite);
  append_list("citations", all, out,
              [&](const citation* cite) { append_record(*cite, cites, choice, unit, out); });
  out += ',';
  append_list("citation_spans", all, out, [&](const citation* cite) { append_span(*cite, unit, out); });
  out += ',';
  append_list("sources", sources_of(cites), out,
              [&](const citation* cite) { append_source(*cite, cites, out); });
  out += ",\"unresolved\":";
  append_numbers(cites.unresolved(), out);
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
                     const document_statistics& counts, std::string& out) {
  out += '{';
  if (!file.empty()) {
    append_member("file", file, out);
    out += ',';
  }
  append_member("content", texts.content, out);
  out += ',';
  append_member("raw_content", texts.raw, out);
  out += ',';
  append_member("markdown_content", texts.markdown, out);
  out += ',';
  out += citation_members;
  append_statistics(counts, out);
  out += '}';
}

}  // namespace citestream::tools

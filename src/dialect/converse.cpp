// What streams and bodies of Converse and Nova have in common.
//
// Text: `{"text":"…"}`. A citation: `{"title","source","location","sourceContent":[{"text"}]}`. `location` is
// a union: `web` has the URL of a page; `documentChar`, `documentPage`, `documentChunk` and
// `searchResultLocation` have the index of a part of the request, and where the passage starts and ends in
// it. A citation that names no source and quotes nothing is ignored.
#include "dialect/converse.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/web_url.hpp"
#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream::converse {

void read_text(json_value text, text_unit unit, dialect_event& out) {
  if (!text.is_string()) return;
  choice_event& found = out.choices.emplace_back();
  found.unit.id = unit;
  found.set_text(text);
  found.independent_of_text = true;
}

namespace {

/// Reads where a citation quotes its source, and which document or search result of the request that is.
void read_location(json_value location, reference& ref) noexcept {
  struct location_form {
    std::string_view name;
    source_unit unit;
    std::string_view index;
    request_part part;
  };
  constexpr location_form all[] = {
      {"documentChar", source_unit::character, "documentIndex", request_part::document},
      {"documentPage", source_unit::page, "documentIndex", request_part::document},
      {"documentChunk", source_unit::chunk, "documentIndex", request_part::document},
      {"searchResultLocation", source_unit::block, "searchResultIndex", request_part::search_result}};
  for (const location_form& one : all) {
    const json_value found = location[one.name];
    if (!found) continue;
    ref.span = read_quoted(found["start"], found["end"], one.unit);
    ref.requested = read_requested(found[one.index], one.part);
    return;
  }
}

}  // namespace

void read_citation(json_value citation, text_unit unit, citation_anchor cites, dialect_event& out) {
  reference ref;
  const std::string_view source = citation["source"].string();
  const std::string_view page = citation["location"]["web"]["url"].string();
  const std::string_view url = page.empty() && is_web_url(source) ? source : page;
  ref.url = url;
  ref.type = citation["location"]["searchResultLocation"] ? source_type::search_result
             : ref.url.empty()                            ? source_type::document
                                                          : source_type::web;
  if (ref.url.empty()) ref.id = source;
  ref.title = citation["title"].string();
  for (const json_value& one : citation["sourceContent"]) {
    if (!ref.text.empty()) ref.text += ' ';
    ref.text += one["text"].string();
    ref.excerpts.emplace_back(one["text"].string());
  }
  read_location(citation["location"], ref);
  if (ref.url.empty() && ref.id.empty() && ref.title.empty() && ref.text.empty()) return;
  add_native(citation, unit, out.references.size(), out).anchor = cites;
  add_annotation(unit, url, out).requested = ref.requested;
  out.references.push_back({std::nullopt, std::move(ref)});
}

void read_delta(json_value delta, text_unit unit, citation_anchor cites, dialect_event& out) {
  read_text(delta["text"], unit, out);
  const json_value citation = delta["citation"];
  if (!citation.is_object()) return;
  // It may precede the text of its block, which begins with it.
  if (cites == citation_anchor::block) out.choices.emplace_back().unit.id = unit;
  read_citation(citation, unit, cites, out);
}

}  // namespace citestream::converse

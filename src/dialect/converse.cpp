#include "dialect/converse.hpp"

#include <string>
#include <utility>

#include "base/web_url.hpp"

namespace citestream::converse {

void read_text(json_value text, text_unit unit, dialect_event& out) {
  if (!text.is_string()) return;
  choice_event& found = out.choices.emplace_back();
  found.unit = unit;
  found.slot = text_slot::string;
  found.text_free = true;
  found.text = text.string();
  found.token = text.range();
}

void read_citation(json_value citation, dialect_event& out) {
  reference ref;
  const std::string_view source = citation["source"].string();
  const std::string_view page = citation["location"]["web"]["url"].string();
  ref.url = page.empty() && is_web_url(source) ? source : page;
  ref.type = ref.url.empty() ? source_type::document : source_type::web;
  if (ref.url.empty()) ref.id = source;
  ref.title = citation["title"].string();
  for (json_value one = citation["sourceContent"].first(); one; one = one.next()) {
    if (!ref.text.empty()) ref.text += ' ';
    ref.text += one["text"].string();
  }
  if (!ref.url.empty() || !ref.id.empty() || !ref.title.empty() || !ref.text.empty())
    out.references.push_back({std::nullopt, std::move(ref)});
}

void read_delta(json_value delta, text_unit unit, dialect_event& out) {
  read_text(delta["text"], unit, out);
  if (const json_value citation = delta["citation"]; citation.is_object()) read_citation(citation, out);
}

void begin_answer(dialect_event& out) {
  out.choices.emplace_back();
}

}  // namespace citestream::converse

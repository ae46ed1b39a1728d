// How chat completions are read.
//
// read_payload() walks over `choices` once and reports where the text of each choice is (read_slot()) and
// where it is repeated (read_mirror()). Only if the caller sets `every_text`, it also reports refusals and a
// `message` that differs from its `delta` (read_other_texts()). Dialects with content in parts then call
// read_parts(), which replaces such a choice by one entry for each text part. Nothing is changed; the cost is
// linear in the payload.
#include "dialect/chat.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/number_label.hpp"
#include "base/web_url.hpp"
#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"
#include "dialect/sources.hpp"

namespace citestream::chat {

namespace {

/// The index of a choice. A choice without one has its place in the list as index.
std::optional<std::uint32_t> index_of(json_value choice, std::uint32_t place) noexcept {
  const json_value value = choice["index"];
  return value.kind() == json_kind::number ? read_index(value) : place;
}

void add_web_page(std::string_view url, json_value about, std::optional<std::int64_t> number,
                  dialect_event& out) {
  reference ref;
  ref.type = source_type::web;
  ref.url = url;
  ref.title = about["title"].string();
  ref.text = about["snippet"].string();
  if (ref.url.empty() && ref.title.empty() && ref.text.empty()) return;
  ref.number = number;
  out.references.push_back({std::nullopt, std::move(ref)});
}

/// Returns true if the content of \p delta is missing, `null` or empty.
bool has_no_text(json_value delta) noexcept {
  const json_value content = delta["content"];
  return !content || content.is_null() || (content.is_string() && content.string().empty());
}

void read_mirror(json_value choice, choice_event& out) noexcept {
  const mirroring found = mirroring_of(choice);
  const json_value list = choice["message"]["annotations"];
  if (list && found != mirroring::different) out.holder.message_annotations = list.range();
  if (found == mirroring::none) return;
  const json_value mirror = choice["message"]["content"];
  // If `message` holds null or another text, how this event is read depends on its text.
  out.independent_of_text = out.independent_of_text && found == mirroring::equal && mirror.is_string();
  if (found == mirroring::different) return;
  out.mirror.accumulates = found == mirroring::whole;
  out.mirror.token = mirror.range();
  out.mirror.text = mirror.string();
}

bool read_choice(json_value choice, std::uint32_t place, payload_kind kind, choice_event& out) noexcept {
  const auto index = index_of(choice, place);
  if (!index) return false;
  out.choice = *index;
  // Some servers send "" where others send null.
  out.end.reason = choice["finish_reason"].string();
  out.end.here = kind == payload_kind::body || !out.end.reason.empty();

  const json_value holder = holder_of(choice, kind);
  if (holder.is_object()) {
    read_slot(holder, "content", out);
    out.holder.can_annotate = true;
    if (const json_value list = holder["annotations"]) out.holder.annotations = list.range();
  }
  if (kind == payload_kind::event) read_mirror(choice, out);
  return true;
}

/// Calls \p take with each part of a content: the elements of a list, or an object.
template <typename Take>
void each_part(json_value content, Take take) {
  if (content.is_object()) return take(content);
  for (const json_value& part : content.elements()) take(part);
}

/// Returns true if a part holds text. \p any: also if its type is unknown.
bool is_text_part(json_value part, bool any) noexcept {
  if (part.is_string()) return true;
  if (!part["text"].is_string()) return false;
  const json_value type = part["type"];
  if (any) return type.string() != "thinking" && type.string() != "reasoning";
  return !type || type.string() == "text" || type.string() == "output_text";
}

void read_string(json_value text, choice_event& out) noexcept {
  out.set_text(text);
  out.independent_of_text = true;
}

/// Reports where the text of a part is.
void read_part(json_value part, choice_event& out) noexcept {
  if (!part.is_string()) return read_slot(part, "text", out);
  out.holder.object.reset();
  read_string(part, out);
}

/// Adds a text part of a choice. The choice does not end with it.
choice_event& add_part(json_value part, const choice_event& whole, dialect_event& out) {
  choice_event& found = out.choices.emplace_back(whole);
  read_part(part, found);
  found.holder.can_annotate = found.end.here = false;
  found.holder.annotations.reset();
  found.holder.message_annotations.reset();
  found.mirror.token.reset();
  found.mirror.text = {};
  found.end.reason = {};
  return found;
}

void add_parts(json_value content, const choice_event& whole, part_reader others, dialect_event& out) {
  const std::size_t first = out.choices.size();
  auto cited = static_cast<std::uint32_t>(out.cited.size());
  each_part(content, [&](json_value part) {
    if (!is_text_part(part, out.every_text)) {
      if (others != nullptr) others(part, whole.choice, out);
      return;
    }
    const auto text = static_cast<std::uint32_t>(out.cited.size());
    add_part(part, whole, out).cited = {cited, text, text};
    cited = text;
  });
  const bool text = out.choices.size() > first;
  choice_event& last = text ? out.choices.back() : out.choices.emplace_back(whole);
  const auto end = static_cast<std::uint32_t>(out.cited.size());
  if (!text) last.cited = {cited, end, end};
  last.cited.end = end;
  last.end.here = whole.end.here;
  last.end.reason = whole.end.reason;
  if (!whole.mirror.accumulates) return;
  last.mirror.token = whole.mirror.token;
  last.mirror.text = whole.mirror.text;
}

// ---- text next to the answer

other_text_event& add_other_text(other_text_place place, bool whole, std::uint32_t choice,
                                 dialect_event& out) {
  other_text_event& found = out.other_texts.emplace_back();
  found.place = place;
  found.whole = whole;
  found.at.choice = choice;
  return found;
}

/// Adds all texts of a content as one text, which is complete.
void add_content(json_value content, std::uint32_t choice, dialect_event& out) {
  const std::size_t first = out.other_texts.size();
  const auto add = [&](json_value text) {
    read_part(text, add_other_text(other_text_place::message, true, choice, out).at);
  };
  if (content.is_string()) {
    add(content);
  } else {
    each_part(content, [&](json_value part) {
      if (is_text_part(part, true)) add(part);
    });
  }
  if (out.other_texts.size() > first) out.other_texts.back().at.end.here = true;
}

/// Adds the refusals among the parts of a content.
void add_refused_parts(json_value content, other_text_place place, const choice_event& main,
                       dialect_event& out) {
  each_part(content, [&](json_value part) {
    if (!part["refusal"].is_string()) return;
    other_text_event& found = add_other_text(place, place != other_text_place::refusal, main.choice, out);
    read_slot(part, "refusal", found.at);
    found.at.end.here = found.whole;
  });
}

/// Adds the text of one choice that is not part of its answer.
void read_other_texts(json_value choice, payload_kind kind, const choice_event& main, dialect_event& out) {
  const json_value holder = holder_of(choice, kind);
  const json_value other = choice[kind == payload_kind::event ? "message" : "delta"];
  add_refused_parts(holder["content"], other_text_place::refusal, main, out);
  const json_value refusal = holder["refusal"];
  const json_value repeated = other["refusal"];
  const bool same = refusal.is_string() && repeated.is_string() && refusal.string() == repeated.string();
  if (holder.is_object() && (refusal.is_string() || main.end.here)) {
    choice_event& at = add_other_text(other_text_place::refusal, false, main.choice, out).at;
    read_slot(holder, "refusal", at);
    at.holder.can_annotate = true;  // so that an added event does not repeat the members next to it
    at.end.here = main.end.here;
    if (same) at.mirror.token = repeated.range();
  }
  const json_value content = other["content"];
  if (!main.mirror.token || !content.is_string()) add_content(content, main.choice, out);
  add_refused_parts(content, other_text_place::message_refusal, main, out);
  if (!repeated.is_string() || same) return;
  choice_event& at = add_other_text(other_text_place::message_refusal, true, main.choice, out).at;
  read_slot(other, "refusal", at);
  at.end.here = true;
}

/// Adds the citation that an annotation is. Positions of 0 mean that the place is not known.
void add_annotation_native(json_value annotation, std::uint32_t choice, dialect_event& out) {
  native_citation& found = add_native(annotation, last_text, out.references.size() - 1, out);
  found.choice = choice;
  const json_value page = annotation["url_citation"];
  const auto at = read_positions(page["start_index"], page["end_index"]);
  if (!at || at->end == 0) return;
  found.anchor = citation_anchor::marker;
  found.start = at->start;
  found.end = at->end;
}

}  // namespace

json_value holder_of(json_value choice, payload_kind kind) noexcept {
  return choice[kind == payload_kind::event ? "delta" : "message"];
}

mirroring mirroring_of(json_value choice) noexcept {
  const json_value delta = choice["delta"];
  const json_value mirror = choice["message"]["content"];
  const bool alone = !delta || !choice["finish_reason"].string().empty();
  if (!mirror.string().empty() && has_no_text(delta) && alone) return mirroring::whole;
  if (!delta.is_object()) return mirroring::none;
  if (mirror.is_array() && delta["content"].is_array()) return mirroring::different;
  if (!mirror.is_string() && !mirror.is_null()) return mirroring::none;
  return delta["content"].string() == mirror.string() ? mirroring::equal : mirroring::different;
}

bool accumulates(json_value root, payload_kind kind) noexcept {
  return kind == payload_kind::event &&
         std::ranges::any_of(root["choices"].elements(),
                             [](json_value choice) { return mirroring_of(choice) == mirroring::different; });
}

bool has_numbered_sources(json_value root) noexcept {
  for (const std::string_view key : {"citations", "search_results"}) {
    const json_value list = root[key];
    if (list.is_array() || list.is_object()) return true;
  }
  return false;
}

bool is_chat_object(json_value root) noexcept {
  const std::string_view object = root["object"].string();
  return object == "chat.completion.chunk" || object == "chat.completion";
}

bool is_error(json_value root) noexcept {
  const json_value error = root["error"];
  return (error.is_object() && !error.empty()) || !error.string().empty();
}

void read_slot(json_value holder, std::string_view key, choice_event& out) noexcept {
  out.holder.object = holder.range();
  out.holder.content_key = key;
  const json_value content = holder[key];
  if (content.is_string()) {
    read_string(content, out);
  } else if (content.is_null()) {
    out.slot = text_slot::null;
    out.token = content.range();
  } else {
    // Content in parts, for example, cannot be replaced by a string: see read_parts().
    out.slot = content ? text_slot::none : text_slot::absent;
  }
}

void read_annotations(json_value choice, payload_kind kind, const choice_event& found, dialect_event& out) {
  const json_value repeat = kind == payload_kind::event ? choice["message"] : json_value();
  for (const json_value& holder : {holder_of(choice, kind), repeat}) {
    for (const json_value& annotation : holder["annotations"].elements()) {
      const json_value source = annotation["url_citation"];
      if (source["url"].string().empty()) continue;
      reference ref;
      ref.type = source_type::web;
      ref.url = source["url"].string();
      ref.title = name_in(source["title"].string());  // xAI sends the number of the citation
      ref.text = source["content"].string();
      out.references.push_back({found.choice, std::move(ref)});
      add_annotation_native(annotation, found.choice, out);
    }
  }
}

void read_numbered_sources(json_value root, dialect_event& out) {
  json_value cited = root["citations"].first_element();
  json_value result = root["search_results"].first_element();
  for (std::int64_t number = 1; cited || result; ++number, cited = cited.next(), result = result.next()) {
    if (cited.is_string() && !cited.string().empty() &&
        !is_web_url(cited.string())) {  // a document, not a URL
      out.references.push_back({std::nullopt, read_source(cited, number)});
      if (result) add_web_page(result["url"].string(), result, std::nullopt, out);
      continue;
    }
    const std::string_view url = cited.is_object() ? cited["url"].string() : cited.string();
    const std::string_view found = result["url"].string();
    const bool same = url.empty() || found.empty() || url == found;
    add_web_page(url.empty() ? found : url, same ? result : json_value(), number, out);
    if (!same) add_web_page(found, result, std::nullopt, out);
  }
}

bool read_choices(json_value root, payload_kind kind, reference_reader references, dialect_event& out) {
  std::uint32_t place = 0;
  for (json_value choice = root["choices"].first_element(); choice; choice = choice.next(), ++place) {
    if (!choice.is_object()) continue;
    choice_event found;
    if (!read_choice(choice, place, kind, found)) return false;
    references(choice, kind, found, out);
    if (out.every_text) read_other_texts(choice, kind, found, out);
    out.choices.push_back(found);
  }
  return true;
}

void read_parts(json_value root, payload_kind kind, dialect_event& out, part_reader others) {
  const json_value choices = root["choices"];
  const auto content_of = [kind](json_value choice) { return holder_of(choice, kind)["content"]; };
  bool parts = false;
  for (const json_value& choice : choices.elements()) {
    const json_value content = content_of(choice);
    parts = parts || content.is_array() || content.is_object();
  }
  if (!parts) return;
  const std::vector<choice_event> whole = std::exchange(out.choices, {});
  std::size_t at = 0;
  for (const json_value& choice : choices) {
    if (!choice.is_object()) continue;
    const choice_event& one = whole[at++];
    const json_value content = content_of(choice);
    if (content.is_array() || content.is_object()) {
      add_parts(content, one, others, out);
    } else {
      out.choices.push_back(one);
    }
  }
}

bool read_payload(json_value root, payload_kind kind, reference_reader references, dialect_event& out,
                  bool known) {
  out.root = root;
  out.signals.error = is_error(root);
  known = known || root["choices"].is_array() || is_chat_object(root) || out.signals.error ||
          root["usage"].is_object();
  if (!known || (!out.every_text && accumulates(root, kind))) return false;
  return read_choices(root, kind, references, out);
}

bool read_with_sources(json_value root, payload_kind kind, json_value list, dialect_event& out, bool known) {
  if (!read_payload(root, kind, &read_annotations, out, known || list)) return false;
  for (reference& ref : read_sources(list)) out.references.push_back({std::nullopt, std::move(ref)});
  return true;
}

bool read_general_with(part_reader others, json_value root, payload_kind kind, dialect_event& out) {
  const json_value list = source_list_of_answer(root, kind);
  if (!read_with_sources(root, kind, list, out)) return false;
  if (first_source(list).is_string())
    std::erase_if(out.references, [](const auto& found) { return found.ref.url.empty(); });
  read_parts(root, kind, out, others);
  return true;
}

}  // namespace citestream::chat

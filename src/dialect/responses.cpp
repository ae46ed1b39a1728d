/// \file
/// OpenAI Responses, also of Azure, xAI and others.
///
/// Text: `response.output_text.delta`. It is repeated in `output_text.done`, `content_part.done`,
/// `output_item.done` and in the last event, which holds the whole response. References and annotations:
/// `annotation.added` and the lists in the repeats, with positions in code points of the text; the results of
/// search calls. A body is a response, an item of a conversation, or a list of them.
///
/// Refusals, reasoning, arguments of tools and structured output (`text.format`) are not text.
#include <citestream/dialect/dialect.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_label.hpp"
#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace responses {
namespace {

/// What the items of an answer are read for.
enum class item_text : std::uint8_t {
  first,     ///< their text has not been sent before: it is a body
  begun,     ///< events are going to send more of it
  repeated,  ///< events have sent it
};

/// The text that an event is about.
std::optional<text_unit> unit_of(json_value root) noexcept {
  const auto item = read_index_or_first(root["output_index"]);
  const auto part = read_index_or_first(root["content_index"]);
  if (!item || !part) return std::nullopt;
  return text_unit{*item, *part};
}

/// Returns true if the response is JSON for a program.
bool is_structured(json_value response) noexcept {
  const std::string_view format = response["text"]["format"]["type"].string();
  return !format.empty() && format != "text";
}

bool is_response(json_value value) noexcept {
  return value["object"].string() == "response";
}

/// Returns true for an item of a conversation that is a message with text of the model.
bool is_answer_item(json_value root) noexcept {
  if (root["type"].string() != "message" || root["role"].string() != "assistant") return false;
  for (const json_value& part : root["content"]) {
    if (part["type"].string() == "output_text") return true;
  }
  return false;
}

bool is_message_list(json_value root) noexcept {
  if (root["object"].string() != "list" || !root["data"].is_array()) return false;
  for (const json_value& item : root["data"]) {
    if (item["type"].string() == "message" && item["content"].is_array()) return true;
  }
  return false;
}

/// Reads an annotation: what it cites, and its positions, which some servers do not send.
void read_annotation(json_value annotation, text_unit unit, dialect_event& out) {
  const std::string_view url = annotation["url"].string();
  reference ref;
  if (!url.empty()) {
    ref.type = source_type::web;
    ref.url = url;
    ref.title = name_in(annotation["title"].string());  // xAI sends the number of the citation
  } else {
    ref.type = source_type::file;
    ref.id = annotation["file_id"].string();
    ref.title = annotation["filename"].string();
    ref.container = annotation["container_id"].string();
  }
  const bool names = !ref.url.empty() || !ref.id.empty();
  if (names) out.references.push_back({std::nullopt, std::move(ref)});
  const json_value point = annotation["index"];
  const json_value first = point ? point : annotation["start_index"];
  const json_value last = point ? point : annotation["end_index"];
  const auto at = read_positions(first, last);
  native_annotation& found = add_annotation(unit, url.empty() ? annotation["file_id"].string() : url, out);
  if (at) set_positions(*at, first, last, found);
  if (point) found.end_token.reset();  // it is the same number
  if (!names) return;
  native_citation& cited = add_native(annotation, unit, out.references.size() - 1, out);
  if (!at || (!point && at->end == 0)) return;  // a span of nothing at the start is not a place
  cited.anchor = point ? citation_anchor::point : citation_anchor::marker;
  cited.start = found.start;
  cited.end = found.end;
}

/// A text begins: with its part, or with an annotation before it.
void begin_text(json_value root, text_unit unit, dialect_event& out) {
  choice_event& begun = add_place(unit, out);
  begun.unit.name = root["item_id"].raw();
  begun.keeps_text = true;
}

/// Reads an event with one annotation.
void read_added(json_value root, text_unit unit, dialect_event& out) {
  begin_text(root, unit, out);
  read_annotation(root["annotation"], unit, out);
  if (root["annotation_index"].integer()) out.numbering.token = root["annotation_index"].range();
  out.numbering.by_text = true;
}

/// Reads a part that holds a whole text. \p item: the id of its item.
void read_part(json_value part, text_unit unit, json_value item, item_text kind, dialect_event& out) {
  if (part["type"].string() != "output_text" || !part["text"].is_string()) return;
  const json_value text = part["text"];
  if (kind == item_text::begun && text.string().empty()) return;  // as OpenAI sends it
  if (kind == item_text::first) {
    choice_event& found = out.choices.emplace_back();
    found.unit.id = unit;
    found.unit.name = item.raw();
    found.set_text(text);
    found.unit.ends = true;
    found.keeps_text = true;  // the claims of annotations are looked up in it
  }
  text_repeat& found = add_repeat(text, unit, out);
  if (kind == item_text::first) found.token.reset();
  found.output_item = item.raw();
  found.ended = kind == item_text::repeated;
  read_list(part, part["annotations"], found, out, [&](json_value one) { read_annotation(one, unit, out); });
}

/// Returns true if the texts after this item may have annotations of the provider.
bool brings_annotations(json_value item) noexcept {
  const std::string_view type = item["type"].string();
  return type == "web_search_call" || type == "file_search_call" || type == "code_interpreter_call";
}

/// Reads the results of a search, if the request asked for them.
void read_results(json_value item, dialect_event& out) {
  for (const json_value& result : item["results"]) {
    reference ref;
    ref.type = source_type::file;
    ref.id = result["file_id"].string();
    ref.title = result["filename"].string();
    ref.text = result["text"].string();
    ref.score = result["score"].number();
    if (!ref.id.empty()) out.references.push_back({std::nullopt, std::move(ref)});
  }
  for (const json_value& source : item["action"]["sources"]) {
    reference ref;
    ref.type = source_type::web;
    ref.url = source["url"].string();
    ref.title = source["title"].string();
    if (!ref.url.empty()) out.references.push_back({std::nullopt, std::move(ref)});
  }
}

void read_item(json_value item, std::uint32_t index, item_text kind, dialect_event& out) {
  const std::string_view type = item["type"].string();
  const bool search = type == "file_search_call" || type == "web_search_call";
  if (search && kind != item_text::begun) read_results(item, out);
  if (type != "message" || (item["role"] && item["role"].string() != "assistant")) return;
  text_unit unit{index, 0};
  for (const json_value& part : item["content"]) {
    read_part(part, unit, item["id"], kind, out);
    ++unit.part;
  }
}

void read_items(json_value list, item_text kind, dialect_event& out) {
  std::uint32_t index = 0;
  for (const json_value& item : list) read_item(item, index++, kind, out);
}

/// The only event type that event_cache may learn: the characters of its text change nothing here.
bool read_delta(json_value root, dialect_event& out) {
  const auto unit = unit_of(root);
  const json_value delta = root["delta"];
  if (!unit || !delta.is_string()) return false;
  choice_event& found = add_text(delta, *unit, out);
  found.independent_of_text = found.keeps_text = true;
  return true;
}

bool read_text_done(json_value root, dialect_event& out) {
  const auto unit = unit_of(root);
  if (!unit) return false;
  choice_event& ended = add_place(*unit, out);
  ended.unit.ends = ended.keeps_text = true;
  text_repeat& found = add_repeat(root["text"], *unit, out);
  found.output_item = root["item_id"].raw();
  found.ended = found.token.has_value();
  return true;
}

/// Some servers repeat all texts in one string, as the SDKs of OpenAI do.
void read_joined(json_value response, dialect_event& out) {
  const json_value text = response["output_text"];
  if (!text.string().empty()) add_repeat(text, all_texts, out);
}

bool read_last(json_value root, dialect_event& out) {
  const json_value response = root["response"];
  read_items(response["output"], item_text::repeated, out);
  read_joined(response, out);
  read_joined(root, out);
  if (response.is_object()) out.root = response;
  out.signals.end = out.signals.last = true;
  return true;
}

bool read_event(json_value root, dialect_event& out) {
  const std::string_view type = root["type"].string();
  out.signals.error = type == "error";
  if (type.empty()) return false;
  if (type == "response.output_text.delta") return read_delta(root, out);
  if (type == "response.output_text.done") return read_text_done(root, out);
  if (type == "response.completed" || type == "response.incomplete" || type == "response.failed")
    return read_last(root, out);
  out.signals.resumable = root["response"]["background"].boolean().value_or(false);
  read_items(root["response"]["output"], item_text::begun, out);
  const auto unit = unit_of(root);
  if (!unit) return false;
  if (type == "response.output_text.annotation.added") read_added(root, *unit, out);
  if (type == "response.content_part.added" && root["part"]["type"].string() == "output_text") {
    begin_text(root, *unit, out);
    read_part(root["part"], *unit, {}, item_text::begun, out);
  }
  if (type.starts_with("response.output_item.")) out.signals.annotates = brings_annotations(root["item"]);
  if (type == "response.content_part.done")
    read_part(root["part"], *unit, root["item_id"], item_text::repeated, out);
  if (type == "response.output_item.added") read_item(root["item"], unit->item, item_text::begun, out);
  if (type == "response.output_item.done") read_item(root["item"], unit->item, item_text::repeated, out);
  return true;
}

bool is_body(json_value root) noexcept {
  return is_response(root) || is_message_list(root) || is_answer_item(root);
}

void read_body(json_value root, dialect_event& out) {
  if (is_answer_item(root)) return read_item(root, 0, item_text::first, out);
  read_items(root[is_response(root) ? "output" : "data"], item_text::first, out);
  read_joined(root, out);
}

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body)
    return (is_response(root) && root["output"].is_array() && !is_structured(root)) ||
           is_message_list(root) || is_answer_item(root);
  const json_value response = root["response"];
  // A stream that a client resumes starts with a later event: its texts may start in the middle.
  const bool first = root["sequence_number"].integer().value_or(0) == 0;
  return root["type"].string().starts_with("response.") && is_response(response) &&
         !is_structured(response) && (first || root["type"].string() == "response.created");
}

bool append_citation(const own_citation& one, std::string& out) {
  if (one.url.empty()) return false;
  append_all(out, "{\"type\":\"url_citation\",\"start_index\":", one.printed.start.codepoint,
             ",\"end_index\":", one.printed.end.codepoint, ",\"url\":", one.url, ",\"title\":", one.title,
             "}");
  return true;
}

void append_annotation(const annotation_event& one, std::vector<own_event>& to) {
  constexpr std::string_view type = "response.output_text.annotation.added";
  std::string& out = to.emplace_back(type).payload;
  append_all(out, "{\"type\":\"", type, "\"");
  if (one.number) out.append(",\"sequence_number\":").append(std::to_string(*one.number));
  if (!one.item_id.empty()) out.append(",\"item_id\":").append(one.item_id);
  append_all(out, ",\"output_index\":", one.unit.item, ",\"content_index\":", one.unit.part,
             ",\"annotation_index\":", one.index, ",\"annotation\":", one.citation, "}");
}

/// The flat members are documented; the SDKs raise on the nested object. Programs match the code, so it does
/// not depend on what has failed; the message does.
void append_error(const failure_event& one, std::string& out) {
  const auto details = [&] {
    append_all(out, R"("code":"upstream_error","message":)", one.message, ",\"param\":null");
  };
  out.append("{\"type\":\"error\",");
  if (one.number) out.append("\"sequence_number\":").append(std::to_string(*one.number)).append(",");
  details();
  out.append(",\"error\":{\"type\":\"upstream_error\",");
  details();
  out.append("}}");
}

constexpr const grammar* grammars[] = {&link_grammar, &private_grammar};

constexpr api_path paths[] = {
    {"/responses"}, {"/responses/*", request_kind::history}, {"/conversations/*", request_kind::history}};

}  // namespace
}  // namespace responses

extern constinit const dialect responses_dialect{
    .name = "responses",
    .recognise = &responses::recognise,
    .read = &read_either<&responses::read_event, &responses::is_body, &responses::read_body>,
    .grammars = responses::grammars,
    .stream = {.ends_with_event = true, .event_number = "sequence_number"},
    .names = {.item = "output", .part = "content", .item_id = "item_id"},
    .own = {.append = &responses::append_citation,
            .append_events = &responses::append_annotation,
            .replaces_text = true,
            .list_name = "annotations"},
    .failures = {.append_event = &responses::append_error},
    .paths = responses::paths};

}  // namespace citestream

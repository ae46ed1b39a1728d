/// \file
/// Google Gemini's Interactions: `/v1beta/interactions`.
///
/// Text: `step.delta` with a delta of the type `text`, and the texts with which a step starts; each step is a
/// text of its own. References and annotations: `text_annotation_delta`, after the text, and `annotations` of
/// the texts with which a step starts; positions are bytes of UTF-8. The answer ends with
/// `interaction.completed`, which may repeat the texts in `steps[].content[]`, as a body has them, with their
/// annotations.
#include <citestream/dialect/dialect.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {

namespace interactions {
namespace {

/// \param from  where the text part that the positions are in begins in its text, in bytes
void read_annotation(json_value one, text_unit unit, std::uint64_t from, dialect_event& out) {
  const std::string_view type = one["type"].string();
  const bool file = type == "file_citation";
  reference ref;
  ref.type = file ? source_type::file : type == "place_citation" ? source_type::place : source_type::web;
  const std::string_view url = one[file ? "document_uri" : "url"].string();
  ref.url = url;
  ref.title = one[file ? "file_name" : "title"].string();
  ref.text = one["source"].string();
  ref.page = one["page_number"].integer();
  native_annotation& found = add_annotation(unit, url, out);
  found.counted_in = offset_unit::utf8;
  const bool names = !ref.url.empty() || !ref.title.empty();
  if (names) out.references.push_back({std::nullopt, std::move(ref)});
  if (const auto at = read_positions_from_0(one["start_index"], one["end_index"])) {
    found.origin = from;
    set_positions(*at, one["start_index"], one["end_index"], found);
  }
  if (names) add_native(one, found, out.references.size() - 1, out);
}

choice_event& read_text(json_value text, text_unit unit, dialect_event& out) {
  choice_event& found = add_text(text, unit, out);
  found.keeps_text = true;
  return found;
}

bool is_text(json_value part) noexcept {
  return part["type"].string() == "text" && part["text"].is_string();
}

bool read_delta(json_value root, dialect_event& out) {
  const auto unit = read_block_index(root["index"]);
  const json_value delta = root["delta"];
  if (!unit) return false;
  if (is_text(delta)) read_text(delta["text"], *unit, out).independent_of_text = true;
  if (delta["type"].string() != "text_annotation_delta") return true;
  for (const json_value& one : delta["annotations"]) read_annotation(one, *unit, 0, out);
  return true;
}

/// A step starts once: more of its text is sent in deltas, without an `event_id`.
own_event more_text(text_unit unit, std::string_view text) {
  own_event more{"step.delta", {}};
  append_all(more.payload, "{\"index\":", unit.item, ",\"delta\":{\"text\":", text,
             ",\"type\":\"text\"},\"event_type\":\"step.delta\"}");
  return more;
}

bool read_start(json_value root, dialect_event& out) {
  const auto unit = read_block_index(root["index"]);
  if (!unit) return false;
  std::uint64_t from = 0;
  for (const json_value& part : root["step"]["content"]) {
    if (!is_text(part)) continue;
    read_text(part["text"], *unit, out).more_text = &more_text;
    for (const json_value& one : part["annotations"]) read_annotation(one, *unit, from, out);
    from += part["text"].string().size();
  }
  return true;
}

bool read_stop(json_value root, dialect_event& out) {
  const auto unit = read_block_index(root["index"]);
  if (!unit) return false;
  choice_event& ended = add_place(*unit, out);
  ended.unit.ends = ended.keeps_text = true;
  return true;
}

/// Reads the list of annotations of a text part, and where it is. \p from: see read_annotation().
void read_annotations(json_value part, text_unit unit, std::uint64_t from, text_repeat& found,
                      dialect_event& out) {
  read_list(part, part["annotations"], found, out,
            [&](json_value one) { read_annotation(one, unit, from, out); });
}

/// Calls \p take with each text of the model in the steps, and its place.
template <typename Take>
void each_text(json_value steps, Take take) {
  text_unit unit;
  for (json_value step = steps.first(); step; step = step.next(), ++unit.item) {
    if (step["type"].string() != "model_output") continue;
    unit.part = 0;
    for (json_value part = step["content"].first(); part; part = part.next(), ++unit.part) {
      if (is_text(part)) take(part, unit);
    }
  }
}

/// The last event. A text of a stream is a whole step, so each part is a repeat of it. The parts of a step
/// with several differ from the whole text, and pass through unchanged.
void read_last(json_value interaction, dialect_event& out) {
  out.signals.end = out.signals.last = true;
  if (!interaction.is_object()) return;
  out.root = interaction;
  std::optional<std::uint32_t> step;
  std::uint64_t from = 0;
  each_text(interaction["steps"], [&](json_value part, text_unit unit) {
    unit.part = 0;
    if (step != unit.item) from = 0;
    step = unit.item;
    text_repeat& found = add_repeat(part["text"], unit, out);
    found.ended = true;
    read_annotations(part, unit, std::exchange(from, from + found.text.size()), found, out);
  });
}

bool read_event(json_value root, dialect_event& out) {
  const std::string_view type = root["event_type"].string();
  if (type == "step.delta") return read_delta(root, out);
  if (type == "step.start") return read_start(root, out);
  if (type == "step.stop") return read_stop(root, out);
  out.signals.error = type == "error";
  if (type == "interaction.completed") read_last(root["interaction"], out);
  return !type.empty();
}

/// A text of a body, which has ended.
void read_part(json_value part, text_unit unit, dialect_event& out) {
  read_text(part["text"], unit, out).unit.ends = true;
  read_annotations(part, unit, 0, add_repeat({}, unit, out), out);
}

bool is_interaction(json_value root) noexcept {
  return root["object"].string() == "interaction";
}

void read_body(json_value root, dialect_event& out) {
  each_text(root["steps"], [&](json_value part, text_unit unit) { read_part(part, unit, out); });
}

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body) return is_interaction(root) && root["steps"].is_array();
  return root["event_type"].string().starts_with("interaction.") && is_interaction(root["interaction"]);
}

/// A citation of the claim of a marker. Without a claim or a page there is nothing to cite.
bool append_citation(const own_citation& one, std::string& out) {
  if (one.url.empty() || one.claim.start.utf8 >= one.claim.end.utf8) return false;
  append_all(out, "{\"type\":\"url_citation\",\"start_index\":", one.claim.start.utf8,
             ",\"end_index\":", one.claim.end.utf8, ",\"url\":", one.url, ",\"title\":", one.title, "}");
  return true;
}

/// Without an `event_id`: clients resume after the last event of the server.
void append_annotation(const annotation_event& one, std::vector<own_event>& to) {
  std::string& out = to.emplace_back("step.delta").payload;
  append_all(out, "{\"index\":", one.unit.item, ",\"delta\":{\"annotations\":[", one.citation,
             "],\"type\":\"text_annotation_delta\"},\"event_type\":\"step.delta\"}");
}

void append_error(const failure_event& one, std::string& out) {
  append_all(out, "{\"event_type\":\"error\",\"error\":{\"code\":", one.code, ",\"message\":", one.message,
             "}}");
}

constexpr const grammar* grammars[] = {&link_grammar, &cite_grammar};

constexpr api_path paths[] = {{"/interactions"}, {"/interactions/*", request_kind::history}};

}  // namespace
}  // namespace interactions

extern constinit const dialect interactions_dialect{
    .name = "interactions",
    .recognise = &interactions::recognise,
    .read = &read_either<&interactions::read_event, &interactions::is_interaction, &interactions::read_body>,
    .grammars = interactions::grammars,
    .stream = {.ends_with_event = true},
    .names = {.item = "step"},
    .own = {.append = &interactions::append_citation,
            .append_events = &interactions::append_annotation,
            .list_name = "annotations"},
    .failures = {.append_event = &interactions::append_error},
    .paths = interactions::paths};

}  // namespace citestream

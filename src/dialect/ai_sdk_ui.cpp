/// \file
/// The UI message stream of the AI SDK, which servers write for browsers.
///
/// Text: `text-delta`; a text has an id, and `text-start` and `text-end` are around it. References: the parts
/// `source-url` and `source-document`. Clients reject members and types that they do not know, so our
/// citations are parts of these kinds before the end of their text, and the records are a part of the
/// application's own kind, `data-citestream`, before `finish`. There are no bodies.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/payload_parts.hpp"

namespace citestream {
namespace ai_sdk_ui {
namespace {

choice_event* add_named(json_value id, dialect_event& out) {
  if (!id.is_string()) return nullptr;
  choice_event& found = add_place(unit_named(id.string()), out);
  found.unit.name = id.raw();
  return &found;
}

bool read_delta(json_value root, dialect_event& out) {
  const json_value delta = root["delta"];
  choice_event* const found = delta.is_string() ? add_named(root["id"], out) : nullptr;
  if (found == nullptr) return false;
  found->set_text(delta);
  found->independent_of_text = true;
  return true;
}

bool read_border(json_value root, bool begins, dialect_event& out) {
  choice_event* const found = add_named(root["id"], out);
  if (found == nullptr) return false;
  (begins ? found->unit.begins : found->unit.ends) = true;
  return true;
}

void read_source(json_value root, dialect_event& out) {
  reference ref;
  ref.id = root["sourceId"].string();
  ref.url = root["url"].string();
  ref.title = root["title"].string();
  ref.file_path = root["filename"].string();
  if (ref.title.empty()) ref.title = ref.file_path;
  ref.type = ref.url.empty() ? source_type::document : source_type::web;
  add_place(last_text, out);
  // A source that the server shows must not be shown a second time.
  if (const std::string_view name = first_text(root, {"url", "sourceId"}); !name.empty())
    out.annotations.emplace_back().source = name;
  add_native(root, last_text, out.references.size(), out);
  out.references.push_back({std::nullopt, std::move(ref)});
}

/// Returns true for a part `start`. Both of its own members are optional; without an id it has no others.
bool is_start(json_value root) noexcept {
  if (root["type"].string() != "start") return false;
  if (root["messageId"].is_string()) return true;
  for (const json_value& one : root) {
    if (one.key() != "type" && one.key() != "messageId" && one.key() != "messageMetadata") return false;
  }
  return true;
}

/// Returns true for the parts of the protocol. Other protocols begin with `{"type":"start"}`, too.
bool belongs(json_value root) {
  constexpr std::string_view names[] = {"start", "start-step", "finish-step", "finish",
                                        "abort", "error",      "file",        "message-metadata"};
  constexpr std::string_view groups[] = {"text-", "reasoning-", "source-", "tool-", "data-"};
  const std::string_view type = root["type"].string();
  return std::ranges::find(names, type) != std::end(names) ||
         std::ranges::any_of(groups, [&](std::string_view group) { return type.starts_with(group); });
}

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body) return false;
  const std::string_view type = root["type"].string();
  if (type == "source-url" || type == "source-document") return root["sourceId"].is_string();
  return type == "start-step" || is_start(root) || (type == "text-start" && root["id"].is_string());
}

bool read_event(json_value root, dialect_event& out) {
  const std::string_view type = root["type"].string();
  if (type == "text-delta") return read_delta(root, out);
  if (type == "text-start" || type == "text-end") return read_border(root, type == "text-start", out);
  if (type == "source-url" || type == "source-document") read_source(root, out);
  // Clients know the texts of a step only up to its end.
  if (type == "finish-step") add_place(last_text, out).unit.ends = true;
  out.signals.error = type == "error";
  out.signals.end = out.signals.last = type == "finish" || type == "abort";
  return !type.empty();
}

/// A part without its identifier. Positions are UTF-16 code units of the text.
bool append_citation(const own_citation& one, std::string& out) {
  if (one.url.empty()) {
    out.append("\"type\":\"source-document\",\"mediaType\":\"text/plain\"");
  } else {
    out.append("\"type\":\"source-url\",\"url\":").append(one.url);
  }
  append_all(out, ",\"title\":", one.title, ",\"providerMetadata\":{\"citestream\":{\"number\":", one.number,
             ",\"start\":", one.printed.start.utf16, ",\"end\":", one.printed.end.utf16, "}}");
  return true;
}

void append_annotation(const annotation_event& one, std::vector<own_event>& to) {
  std::string& out = to.emplace_back().payload;
  append_all(out, "{\"sourceId\":\"citestream-", one.index_in_answer + 1, "\",", one.citation, "}");
}

void append_record(std::string_view record, std::vector<own_event>& to) {
  to.emplace_back().payload.append("{\"type\":\"data-citestream\",\"data\":").append(record).append("}");
}

void append_error(const failure_event& one, std::string& out) {
  append_all(out, "{\"type\":\"error\",\"errorText\":", one.message, "}");
}

}  // namespace
}  // namespace ai_sdk_ui

extern constinit const dialect ai_sdk_ui_dialect{
    .name = "ai_sdk_ui",
    .recognise = &ai_sdk_ui::recognise,
    .read = &read_events<&ai_sdk_ui::read_event>,
    .markers = {.style = "numeric"},
    .signs = {.belongs = &ai_sdk_ui::belongs},
    .stream = {.ends_with_event = true, .joins_answers = true, .append_record = &ai_sdk_ui::append_record},
    .names = {.item = "text"},
    .own = {.append = &ai_sdk_ui::append_citation,
            .append_events = &ai_sdk_ui::append_annotation,
            .shows_sources_once = true},
    .failures = {.append_event = &ai_sdk_ui::append_error, .event_type = {}}};

}  // namespace citestream

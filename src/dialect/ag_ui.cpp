/// \file
/// AG-UI: the events that an agent sends to a user interface.
///
/// Text: `TEXT_MESSAGE_CONTENT` and `TEXT_MESSAGE_CHUNK`; a text is a message and has its id. The text is
/// repeated in `MESSAGES_SNAPSHOT` and may be the result in `RUN_FINISHED`. References: results of tools that
/// are lists of sources in JSON. The records are an event `CUSTOM` before `RUN_FINISHED`. There are no
/// bodies.
#include <citestream/dialect/dialect.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/payload_parts.hpp"
#include "dialect/sources.hpp"

namespace citestream {
namespace ag_ui {
namespace {

choice_event& add_message(json_value id, dialect_event& out) {
  choice_event& found = add_place(id.is_string() ? unit_named(id.string()) : last_text, out);
  if (id.is_string()) found.unit.name = id.raw();
  return found;
}

/// Returns true if an event has a `role` other than that of the model.
bool is_foreign(json_value root) noexcept {
  const std::string_view role = root["role"].string();
  return !role.empty() && role != "assistant";
}

/// Clients reject `TEXT_MESSAGE_CONTENT` with an empty text. A chunk may be the only one with the id.
bool read_delta(json_value root, bool content, dialect_event& out) {
  const json_value delta = root["delta"];
  if (!delta.is_string()) return !content;
  if (content && !root["messageId"].is_string()) return false;
  choice_event& found = add_message(root["messageId"], out);
  found.set_text(delta);
  found.independent_of_text = found.keeps_text = true;
  found.needs_text = content;
  found.unit.ends_previous = !content;
  found.unit.consecutive = !content && !root["messageId"].is_string();
  found.unit.not_of_model = !content && is_foreign(root) && !out.every_text;
  return true;
}

void read_messages(json_value list, dialect_event& out) {
  for (const json_value& one : list) {
    const json_value id = one["id"];
    if (one["role"].string() == "assistant" && one["content"].is_string())
      add_repeat(one["content"], id.is_string() ? unit_named(id.string()) : last_text, out);
  }
}

/// The content of a result is a text. Only JSON is read.
void read_result(json_value root, dialect_event& out) {
  const std::string_view content = root["content"].string();
  if (!content.starts_with('[') && !content.starts_with('{')) return;
  document result;
  if (result.parse(content)) return;
  for (reference& ref : read_sources(result.root().is_array() ? result.root() : source_list(result.root()))) {
    ref.tool_call_id = root["toolCallId"].string();
    out.references.push_back({std::nullopt, std::move(ref)});
  }
}

/// Returns true if clients end a message of chunks at an event of this type that is not part of a message.
bool breaks_chunks(std::string_view type) noexcept {
  for (const std::string_view other :
       {"TEXT_MESSAGE_", "RAW", "ACTIVITY_", "SUBAGENT_", "REASONING_ENCRYPTED_VALUE", "RUN_FINISHED"})
    if (type.starts_with(other)) return false;
  return true;
}

bool read_event(json_value root, dialect_event& out) {
  const std::string_view type = root["type"].string();
  if (type == "TEXT_MESSAGE_CONTENT" || type == "TEXT_MESSAGE_CHUNK")
    return read_delta(root, type == "TEXT_MESSAGE_CONTENT", out);
  if (type == "TEXT_MESSAGE_START") {
    unit_mark& begun = add_message(root["messageId"], out).unit;
    begun.begins = true;
    begun.not_of_model = is_foreign(root) && !out.every_text;
  }
  if (type == "TEXT_MESSAGE_END") add_message(root["messageId"], out).unit.ends = true;
  if (type == "TOOL_CALL_RESULT") read_result(root, out);
  if (type == "MESSAGES_SNAPSHOT") read_messages(root["messages"], out);
  if (type == "RUN_FINISHED" && root["result"].is_string()) add_repeat(root["result"], last_text, out);
  out.signals.breaks_text = breaks_chunks(type);
  out.signals.error = type == "RUN_ERROR";
  out.signals.end = type == "RUN_FINISHED";
  out.signals.last = out.signals.end || out.signals.error;
  return !type.empty();
}

/// A stream begins with `RUN_STARTED`, but some servers send only messages.
bool recognise(json_value root, payload_kind kind) {
  if (kind != payload_kind::event) return false;
  const std::string_view type = root["type"].string();
  if (type == "RUN_STARTED") return root["threadId"].is_string() && root["runId"].is_string();
  if (type == "TOOL_CALL_RESULT") return root["toolCallId"].is_string();
  return type.starts_with("TEXT_MESSAGE_") && root["messageId"].is_string();
}

void append_record(std::string_view record, std::vector<own_event>& to) {
  std::string& out = to.emplace_back().payload;
  append_all(out, "{\"type\":\"CUSTOM\",\"name\":\"citestream\",\"value\":", record, "}");
}

void append_error(const failure_event& one, std::string& out) {
  append_all(out, "{\"type\":\"RUN_ERROR\",\"message\":", one.message, ",\"code\":\"upstream_error\"}");
}

}  // namespace
}  // namespace ag_ui

extern constinit const dialect ag_ui_dialect{
    .name = "ag_ui",
    .recognise = &ag_ui::recognise,
    .read = &read_events<&ag_ui::read_event>,
    .stream = {.ends_with_event = true, .append_record = &ag_ui::append_record},
    .names = {.item = "message"},
    .failures = {.append_event = &ag_ui::append_error, .event_type = {}}};

}  // namespace citestream

/// \file
/// Ollama: `/api/chat` and `/api/generate`.
///
/// Each payload is one object. Its text is in `message.content` or in `response`; `thinking` and `tool_calls`
/// are not part of the answer. The payload with `"done":true` ends it, and may lack text. A stream has one
/// payload on each line; a body (`"stream":false`) is one payload. There are no references and no citations.
/// Source: github.com/ollama/ollama, docs/api.md.
#include <citestream/dialect/dialect.hpp>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace ollama {
namespace {

bool has_place(json_value root) noexcept {
  return root["message"].is_object() || root["response"].is_string();
}

/// Returns true if \p root has a place for text, and reports whether it is the last payload.
bool holds_text(json_value root) noexcept {
  return root["done"].boolean() && !root["choices"] && has_place(root);
}

bool recognise(json_value root, payload_kind) {
  return holds_text(root) && root["model"].is_string() && root["created_at"].is_string();
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  out.signals.error = chat::is_error(root);
  const bool done = root["done"].boolean().value_or(false);
  if (!out.signals.error && !holds_text(root) && (!done || root["choices"])) return false;
  out.root = root;
  if (out.signals.error) return true;
  const json_value message = root["message"];
  choice_event& answer = out.choices.emplace_back();
  answer.unit.id = only_text;
  const bool chat = message.is_object();
  if (has_place(root)) chat::read_slot(chat ? message : root, chat ? "content" : "response", answer);
  answer.end.here = kind == payload_kind::body || done;
  if (answer.end.here) answer.end.reason = root["done_reason"].string();
  out.signals.last = answer.end.here && kind == payload_kind::event;
  return true;
}

void append_error_body(const failure_event& one, std::string& out) {
  append_all(out, "{\"error\":", one.message, "}");
}

constexpr api_path paths[] = {{"/api/chat"}, {"/api/generate"}};

}  // namespace
}  // namespace ollama

extern constinit const dialect ollama_dialect{.name = "ollama",
                                              .recognise = &ollama::recognise,
                                              .read = &read_object<&ollama::read>,
                                              .signs = {.may_hold_message = &ollama::holds_text},
                                              .stream = {.sends_references = false},
                                              .names = {.item = "line"},
                                              .failures = {.append_body = &ollama::append_error_body},
                                              .paths = ollama::paths};

}  // namespace citestream

/// \file
/// OpenAI's chat completions, and what follows them closely (OpenRouter, vLLM, many gateways).
///
/// Text: `choices[].delta.content` in events, `choices[].message.content` in bodies. References:
/// `annotations[].url_citation` beside the text, in whatever event they come.
#include <citestream/dialect/dialect.hpp>

#include <utility>

#include "dialect/chat.hpp"

namespace citestream {

namespace {

bool has_holder(json_value root, payload_kind kind) noexcept {
  const json_value choices = root["choices"];
  if (!choices.is_array()) return false;
  for (json_value choice = choices.first(); choice; choice = choice.next()) {
    if (chat::holder_of(choice, kind).is_object()) return true;
  }
  return false;
}

bool recognise(json_value root, payload_kind kind) {
  if (!root["choices"].is_array() || chat::has_numbered_sources(root)) return false;
  return (chat::is_chat_object(root) || has_holder(root, kind)) && !chat::accumulates(root, kind);
}

void read_references(json_value choice, payload_kind kind, const choice_event& found, dialect_event& out) {
  const json_value list = chat::holder_of(choice, kind)["annotations"];
  if (!list.is_array()) return;
  for (json_value annotation = list.first(); annotation; annotation = annotation.next()) {
    const json_value source = annotation["url_citation"];
    if (source["url"].string().empty()) continue;
    reference ref;
    ref.type = source_type::web;
    ref.url = source["url"].string();
    ref.title = source["title"].string();
    ref.text = source["content"].string();
    out.references.push_back({found.choice, std::move(ref)});
  }
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  out.clear();
  if (!root.is_object()) return false;
  out.root = root.range();
  out.error = chat::is_error(root);
  const bool known =
      root["choices"].is_array() || chat::is_chat_object(root) || out.error || root["usage"].is_object();
  // An accumulated `message` would keep the markers that `delta` loses.
  if (!known || chat::accumulates(root, kind)) return false;
  return chat::read_choices(root, kind, &read_references, out) && !root.ambiguous();
}

}  // namespace

constinit const dialect openai_dialect{"openai", &recognise, &read};

}  // namespace citestream

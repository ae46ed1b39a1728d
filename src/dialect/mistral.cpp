/// \file
/// Mistral: OpenAI's form, where `content` is a string or a list of parts: `{"type":"text","text":…}`, and
/// others that pass as they are (`reference`, `thinking`).
///
/// Each text part is a place for text of its own. What a `reference` part cites are documents of the request,
/// which the answer does not repeat.
#include <citestream/dialect/dialect.hpp>

#include <utility>
#include <vector>

#include "dialect/chat.hpp"

namespace citestream {

namespace {

constexpr std::string_view model_families[] = {"mistral-", "ministral-", "magistral-",   "codestral-",
                                               "pixtral-", "devstral-",  "open-mistral", "open-mixtral"};

bool is_own_model(std::string_view model) noexcept {
  for (const std::string_view family : model_families) {
    if (model.starts_with(family)) return true;
  }
  return false;
}

json_value parts_of(json_value choice, payload_kind kind) noexcept {
  const json_value content = chat::holder_of(choice, kind)["content"];
  return content.is_array() ? content.first() : json_value();
}

bool has_own_parts(json_value root, payload_kind kind) noexcept {
  for (json_value choice = root["choices"].first(); choice; choice = choice.next()) {
    for (json_value part = parts_of(choice, kind); part; part = part.next()) {
      const std::string_view type = part["type"].string();
      if (type == "reference" || type == "thinking") return true;
    }
  }
  return false;
}

bool recognise(json_value root, payload_kind kind) {
  if (!root["choices"].is_array() || chat::has_numbered_sources(root)) return false;
  return (chat::is_chat_object(root) && is_own_model(root["model"].string())) || has_own_parts(root, kind);
}

/// Adds the text parts of one choice; where there are none, the choice itself. The last ends it.
void add_parts(json_value choice, payload_kind kind, const choice_event& whole, dialect_event& out) {
  const std::size_t first = out.choices.size();
  for (json_value part = parts_of(choice, kind); part; part = part.next()) {
    if (part["type"].string() != "text" || !part["text"].is_string()) continue;
    choice_event& found = out.choices.emplace_back(whole);
    chat::read_slot(part, "text", found);
    found.can_annotate = found.finished = false;
    found.annotations.reset();
    found.mirror.reset();
    found.finish_reason = {};
  }
  if (out.choices.size() == first) {
    out.choices.push_back(whole);
  } else {
    out.choices.back().finished = whole.finished;
    out.choices.back().finish_reason = whole.finish_reason;
  }
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  if (!chat::read_payload(root, kind, &chat::read_annotations, out)) return false;
  const json_value choices = root["choices"];
  if (!choices.is_array()) return true;
  bool parts = false;
  for (json_value choice = choices.first(); choice; choice = choice.next()) {
    parts = parts || parts_of(choice, kind);
  }
  if (!parts) return true;
  const std::vector<choice_event> whole = std::exchange(out.choices, {});
  std::size_t at = 0;
  for (json_value choice = choices.first(); choice; choice = choice.next()) {
    if (choice.is_object()) add_parts(choice, kind, whole[at++], out);
  }
  return !root.ambiguous();
}

constexpr const grammar* grammars_of_mistral[] = {&link_grammar};

}  // namespace

constinit const dialect mistral_dialect{"mistral", &recognise, &read, grammars_of_mistral};

}  // namespace citestream

/// \file
/// Mistral: OpenAI's form, where `content` is a string or a list of parts: `{"type":"text","text":…}`,
/// `{"type":"reference","reference_ids":[0]}`, and others that pass as they are (`thinking`).
///
/// Each text part is a place for text of its own. A `reference` part cites where it stands, without a marker
/// in the text. Its ids, numbers or strings, are keys of a tool's result in the request, which the answer
/// does not repeat: an object with members `"0"`, `"1"`, … (docs.mistral.ai, "Citations & References"). A
/// part
/// `{"type":"tool_reference","url":…,"title":…}` brings what it cites.
#include <citestream/dialect/dialect.hpp>

#include <cstdint>
#include <string>
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
      if (type == "reference" || type == "tool_reference" || type == "thinking") return true;
    }
  }
  return false;
}

bool recognise(json_value root, payload_kind kind) {
  if (!root["choices"].is_array() || chat::has_numbered_sources(root)) return false;
  return (chat::is_chat_object(root) && is_own_model(root["model"].string())) || has_own_parts(root, kind);
}

/// Adds what a part that is no text cites.
void read_cited(json_value part, std::uint32_t choice, dialect_event& out) {
  const std::string_view type = part["type"].string();
  if (type == "tool_reference" && !part["url"].string().empty()) {
    reference ref;
    ref.type = source_type::web;
    ref.url = part["url"].string();
    ref.title = part["title"].string();
    ref.text = part["description"].string();
    out.cited.push_back(ref.url);
    out.references.push_back({choice, std::move(ref)});
  }
  const json_value ids = part["reference_ids"];
  if (type != "reference" || !ids.is_array()) return;
  for (json_value id = ids.first(); id; id = id.next()) {
    if (const auto number = id.integer(); number && *number >= 0) {
      out.cited.push_back(std::to_string(*number));
    } else if (!id.string().empty()) {
      out.cited.emplace_back(id.string());
    }
  }
}

/// The text part of a choice; all but the last of them end nothing.
choice_event& add_text(json_value part, const choice_event& whole, dialect_event& out) {
  choice_event& found = out.choices.emplace_back(whole);
  chat::read_slot(part, "text", found);
  found.can_annotate = found.finished = false;
  found.annotations.reset();
  found.mirror.reset();
  found.finish_reason = {};
  return found;
}

/// Adds the text parts of one choice; where there are none, the choice itself. The last ends it, and has what
/// is cited behind it; what is cited before a text goes with it.
void add_parts(json_value choice, payload_kind kind, const choice_event& whole, dialect_event& out) {
  const std::size_t first = out.choices.size();
  std::size_t cited = out.cited.size();
  for (json_value part = parts_of(choice, kind); part; part = part.next()) {
    if (part["type"].string() != "text" || !part["text"].is_string()) {
      read_cited(part, whole.choice, out);
      continue;
    }
    const std::size_t text = out.cited.size();
    add_text(part, whole, out).cited = {cited, text, text};
    cited = text;
  }
  const bool text = out.choices.size() > first;
  choice_event& last = text ? out.choices.back() : out.choices.emplace_back(whole);
  if (!text) last.cited = {cited, out.cited.size(), out.cited.size()};
  last.cited.end = out.cited.size();
  last.finished = whole.finished;
  last.finish_reason = whole.finish_reason;
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  if (!chat::read_general(root, kind, out)) return false;
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

constinit const dialect mistral_dialect{"mistral", &recognise, &read, grammars_of_mistral, true};

}  // namespace citestream

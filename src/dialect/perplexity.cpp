/// \file
/// Perplexity: `[1]` in the text is the first of `citations` and of `search_results`, lists at the top level,
/// in every event or in the last.
///
/// Next to `delta`, each event has a `message` with all text so far, unless the request asked for concise
/// streaming. The `object` of the last event is `chat.completion.done`. A Markdown link is a citation if it
/// is to one of the sources; other links are text.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace perplexity {
namespace {

bool has_own_object(json_value root) noexcept {
  const std::string_view object = root["object"].string();
  return object == "chat.completion.done" || object == "chat.reasoning" || object == "chat.reasoning.done";
}

/// Returns true if a choice of an event has text in `message` next to its `delta`.
bool has_message(json_value root) noexcept {
  return std::ranges::any_of(root["choices"], [](json_value choice) {
    return choice["delta"].is_object() && choice["message"]["content"].is_string();
  });
}

bool recognise(json_value root, payload_kind kind) {
  if (!root["choices"].is_array()) return false;
  if (has_own_object(root) || root["search_results"].is_array()) return true;
  if (chat::is_chat_object(root) && root["model"].string().starts_with("sonar")) return true;
  return kind == payload_kind::event && root["citations"].first_element().is_string() && has_message(root);
}

/// Sets the mirrors of the choices, which hold all text so far.
void read_accumulated(json_value root, dialect_event& out) {
  std::size_t at = 0;
  for (const json_value& choice : root["choices"]) {
    if (!choice.is_object()) continue;
    choice_event& found = out.choices[at++];
    found.mirror.token.reset();
    found.mirror.text = {};
    found.mirror.accumulates = true;
    found.independent_of_text = found.slot == text_slot::string;  // need not be equal to the mirror here
    if (const json_value list = choice["message"]["annotations"])
      found.holder.message_annotations = list.range();
    const json_value message = choice["message"]["content"];
    if (!message.is_string()) continue;
    found.mirror.token = message.range();
    found.mirror.text = message.string();
    std::erase_if(out.other_texts,
                  [&](const other_text_event& one) { return one.at.token == *found.mirror.token; });
  }
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  out.root = root;
  out.signals.error = chat::is_error(root);
  const bool known = root["choices"].is_array() || chat::is_chat_object(root) || has_own_object(root) ||
                     chat::has_numbered_sources(root) || out.signals.error || root["usage"].is_object();
  if (!known || !chat::read_choices(root, kind, &chat::read_annotations, out)) return false;
  if (kind == payload_kind::event && root["choices"].is_array()) read_accumulated(root, out);
  chat::read_numbered_sources(root, out);
  chat::read_parts(root, kind, out);
  return true;
}

constexpr const grammar* grammars[] = {&numeric_grammar, &link_grammar};

}  // namespace
}  // namespace perplexity

extern constinit const dialect perplexity_dialect{.name = "perplexity",
                                                  .recognise = &perplexity::recognise,
                                                  .read = &read_object<&perplexity::read>,
                                                  .grammars = perplexity::grammars,
                                                  .markers = {.only_known = link_alone, .for_references = {}},
                                                  .stream = {.takes_comments = true}};

}  // namespace citestream

/// \file
/// Amazon Titan and Meta Llama through AWS Bedrock's InvokeModel and InvokeModelWithResponseStream.
///
/// Text: `outputText` of Titan, `generation` of Llama, each a delta. The event with a `completionReason` or
/// `stop_reason` ends the answer and the stream. Members that have no value are `null` or missing. A body of
/// Titan has a list `results`, each of which is an answer; that of Llama has the form of its events. There
/// are no references and no citations. Source: AWS Bedrock User Guide, "Inference request parameters and
/// response fields for foundation models".
#include <citestream/dialect/dialect.hpp>

#include <cstdint>
#include <string_view>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace bedrock_text {
namespace {

/// The members of one model.
struct text_form {
  std::string_view text;
  std::string_view end;     ///< why the answer ended
  std::string_view prompt;  ///< number of tokens of the request, in the first event and in a body
  std::string_view count;   ///< a number in all events
};

constexpr text_form titan{"outputText", "completionReason", "inputTextTokenCount", "index"};
constexpr text_form llama{"generation", "stop_reason", "prompt_token_count", "generation_token_count"};

/// The form of an object with text; null if it has none.
const text_form* form_of(json_value object) noexcept {
  for (const text_form* const one : {&titan, &llama}) {
    if (object[one->text].is_string()) return one;
  }
  return nullptr;
}

void read_text(json_value object, const text_form& form, std::uint32_t choice, payload_kind kind,
               dialect_event& out) {
  choice_event& found = out.choices.emplace_back();
  found.choice = choice;
  chat::read_slot(object, form.text, found);
  found.end.reason = object[form.end].string();
  found.end.here = kind == payload_kind::body || !found.end.reason.empty();
  out.signals.last = found.end.here && kind == payload_kind::event;
}

bool is_titan_body(json_value root) noexcept {
  return root["results"].first()[titan.text].is_string() && root[titan.prompt];
}

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body && is_titan_body(root)) return true;
  const text_form* const form = form_of(root);
  return form != nullptr && (root[form->prompt] || root[form->count]);
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  out.root = root;
  if (kind == payload_kind::body && is_titan_body(root)) {
    std::uint32_t choice = 0;
    for (const json_value& one : root["results"]) read_text(one, titan, choice++, kind, out);
    return true;
  }
  const text_form* const form = form_of(root);
  if (form == nullptr) return false;
  read_text(root, *form, 0, kind, out);
  return true;
}

}  // namespace
}  // namespace bedrock_text

extern constinit const dialect bedrock_text_dialect{
    .name = "bedrock_text",
    .recognise = &bedrock_text::recognise,
    .read = &read_object<&bedrock_text::read>,
    .signs = {.in_messages = true},
    .stream = {.ends_with_event = true, .sends_references = false}};

}  // namespace citestream

// How a body is rewritten.
//
// A body is read like one event with all references and every text with its end. Each text is therefore
// settled as soon as it has been taken, and nothing is held back. Texts with several parts have one
// choice_event for each part; the last one ends the text.
#include "body_rewriter.hpp"

namespace citestream {

namespace {

/// Rewrites the texts of a body, their repeats and their annotations.
void take_texts(rewrite_stages& stages, const dialect_event& content, event_output& out) {
  event_edit edit{content, stages.edits()};
  for (const choice_event& found : content.choices) {
    choice_state* const choice = stages.choices.find(found.choice);
    if (choice == nullptr) continue;
    if (found.unit.id != choice->units.current.id) stages.closer.begin_unit(found.unit, *choice, out);
    stages.texts.take_whole(found, content, *choice, edit.edits);
    if (found.unit.ends) stages.units.rewrite_whole(found.unit.id, *choice, edit);
  }
  stages.units.guard_first(stages.choices, edit);
  if (choice_state* const first = stages.choices.find(0); first != nullptr)
    stages.units.rewrite_joined(*first, edit);
  if (content.repeats.empty()) {
    for (const auto& choice : stages.choices.all()) stages.units.rewrite(*choice, edit);
  }
  edit.lists.write(edit.edits);
}

}  // namespace

status rewrite_body(rewrite_stages& stages, std::string_view body, std::string& sent) {
  const body_reading reading = stages.reader.read_body(body);
  if (reading.content == nullptr) {
    sent.append(body);
    return reading.why;
  }
  const dialect_event& content = *reading.content;
  stages.edits().begin(body);
  event_output out(sent);
  stages.open(content);
  stages.choices.keep_natives(content);
  stages.take_other_texts(content, nullptr, out);
  take_texts(stages, content, out);
  if (content.signals.end) stages.closer.end_texts(out);
  stages.closer.settle(out);
  stages.additions.add_to(content, stages.choices, true, stages.edits());
  stages.edits().apply(out.text());
  return {};
}

}  // namespace citestream

// How a body is rewritten.
//
// A body is read like one event with all references and every text with its end. Each text is therefore
// settled as soon as it has been taken, and nothing is held back. Texts with several parts have one
// choice_event for each part; the last one ends the text.
#include "body_rewriter.hpp"

namespace citestream {

namespace {

/// Rewrites the texts of a body, their repeats and their annotations.
void take_texts(rewrite_stages& parts, const dialect_event& content, std::string_view body, splicer& edits,
                event_output& out) {
  new_lists lists;
  std::string appended;
  for (const choice_event& found : content.choices) {
    choice_state* const choice = parts.choices.find(found.choice);
    if (choice == nullptr) continue;
    if (found.unit.id != choice->units.current.id) parts.closer.begin_unit(found.unit, *choice, out);
    appended.clear();
    released_text released = parts.texts.take(found, content, *choice, appended);
    if (found.end.here) {
      parts.texts.settle(*choice, appended);
      released = {appended, false};
    }
    choice_rewriter::note_sent(found, *choice, released.text);
    static_cast<void>(parts.texts.place_text(body, found, released, edits));
    if (found.unit.ends) parts.units.rewrite_whole(body, content, found.unit.id, *choice, lists, edits);
  }
  if (choice_state* const first = parts.choices.find(0); first != nullptr)
    parts.units.rewrite_joined(content, *first, edits);
  if (content.repeats.empty()) {
    for (const auto& choice : parts.choices.all()) parts.units.rewrite(body, content, *choice, lists, edits);
  }
  lists.write(body, edits);
}

}  // namespace

status rewrite_body(rewrite_stages& parts, std::string_view body, std::string& sent) {
  const body_reading reading = parts.reader.read_body(body);
  if (reading.content == nullptr) {
    sent.append(body);
    return reading.why;
  }
  const dialect_event& content = *reading.content;
  splicer& edits = parts.space.edits;
  edits.clear();
  event_output out(sent);
  parts.open(content);
  parts.choices.keep_natives(content);
  parts.take_other_texts(content, body, nullptr, edits, out);
  take_texts(parts, content, body, edits, out);
  if (content.signals.end) parts.closer.end_texts(out);
  parts.closer.settle(out);
  parts.additions.add_to(body, content, parts.choices, true, edits);
  edits.apply(body, out.text());
  return {};
}

}  // namespace citestream

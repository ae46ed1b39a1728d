// How texts and answers are completed.
//
// Text that is still held after its event was sent is sent in an added event. A choice without a template for
// one holds no text (event_template.hpp).
// close() first completes every choice: its citations are resolved, and held text and the style's list of
// sources become its `unsent.text`. Then each choice with something left to send gets one added event with
// its text and annotations. The last of these events also carries the records of all choices, so that they
// are sent once and complete. Dialects with events for records get such an event instead.
#include "stream_closer.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace citestream {

namespace {

/// Returns true if the current text of a choice may continue after another one.
bool may_be_interrupted(const choice_state& choice, const unit_mark& next) noexcept {
  const choice_text& now = choice.units.current;
  const bool any = choice.answer.texts().received_end() != now.start.received || choice.answer.waiting();
  return any && !now.ended() && !now.not_of_model && !now.consecutive && !next.ends_previous &&
         now.id != next.id && choice.last_event.usable();
}

}  // namespace

/// Sends the rest of a text in an event of its own.
void stream_closer::send(choice_state& choice, std::string_view text, event_output& out) {
  if (!text.empty() && choice.last_event.usable()) adder_->add(choice, {.text = text}, out);
}

/// Ends the current text of a choice in the way \p end, and sends what that releases.
void stream_closer::send_end(end_function end, choice_state& choice, event_output& out) {
  released_.clear();
  (texts_->*end)(choice, released_);
  send(choice, released_, out);
}

void stream_closer::begin_unit(const unit_mark& next, choice_state& choice, event_output& out) {
  const choice_text* const same = next.begins ? choice.units.find(next.id) : nullptr;
  if (same != nullptr && same->interrupted != nullptr) end_text(next.id, choice, out);
  std::string text;
  std::optional<std::size_t> number;
  if (may_be_interrupted(choice, next)) number = texts_->interrupt(choice, text);
  if (!number) texts_->finish_text(choice, text);
  send(choice, text, out);
  if (number) {
    adder_->note_number(choice);
    choice.units.current.interrupted =
        std::make_unique<interrupted_text>(interrupted_text{*number, choice.last_event});
  }
  choice.begin_unit(next);
}

/// Ends an interrupted text: sends its held text.
void stream_closer::end_text(text_unit id, choice_state& choice, event_output& out) {
  begin_unit({.id = id}, choice, out);
  send_end(&choice_rewriter::end_unit, choice, out);
}

void stream_closer::end_interrupted(choice_state& choice, event_output& out) {
  if (!choice.answer.texts().any_interrupted()) return;
  const text_unit last = choice.units.current.id;
  while (const choice_text* const text = choice.units.interrupted(last)) end_text(text->id, choice, out);
  const choice_text* const now = choice.units.find(last);
  if (now != nullptr && now->interrupted != nullptr) begin_unit({.id = last}, choice, out);
}

void stream_closer::end_consecutive(event_output& out) {
  for (const auto& choice : choices_->all()) {
    choice_text& text = choice->units.current;
    if (!text.consecutive || text.ended()) continue;
    send_end(&choice_rewriter::end_unit, *choice, out);
    text.phase = unit_phase::over;
  }
}

void stream_closer::end_texts(event_output& out) {
  release(out);
  for (const auto& choice : choices_->all()) {
    if (choice->phase == choice_phase::open) choice->phase = choice_phase::finished;
    choice->expects.references = false;
  }
}

void stream_closer::release_quoted(const dialect_event& content, event_output& out) {
  for (const native_annotation& found : content.annotations) {
    choice_state* const choice = choices_->find(found.choice);
    if (choice == nullptr || !found.end_token) continue;
    const choice_text& text = choice->units.current;
    const bool here = found.unit == text.id || found.unit == last_text;
    if (!here || text.ended()) continue;
    const offset_unit in = found.counted_in;
    if (found.end <= choice->decided_end().in(in) || found.end > text.repeats.received().size().in(in))
      continue;
    send_end(&choice_rewriter::finish_text, *choice, out);
  }
}

void stream_closer::release_repeated(const dialect_event& content, event_output& out) {
  for (const text_repeat& found : content.repeats) {
    choice_state* const choice = found.ended ? choices_->find(found.choice) : nullptr;
    const choice_text* const text = choice != nullptr ? choice->units.find(found.unit) : nullptr;
    if (text == nullptr) continue;
    if (text->interrupted != nullptr) begin_unit({.id = found.unit}, *choice, out);
    if (found.unit != choice->units.current.id || !choice->answer.waiting()) continue;
    send_end(&choice_rewriter::finish_text, *choice, out);
  }
}

bool stream_closer::settle(event_output& out) {
  bool any = false;
  for (const auto& choice : choices_->all()) {
    if (!texts_->can_settle(*choice)) continue;
    any = true;
    send_end(&choice_rewriter::settle, *choice, out);
  }
  return any;
}

void stream_closer::send_record(const dialect& spec, event_output& out) {
  if (spec.stream.append_record == nullptr) return;
  if (!choices_->any_unsent_record()) return;
  const std::string_view record = additions_->object(choices_->all(), false);
  if (record.empty()) return;
  std::vector<own_event> events;
  spec.stream.append_record(record, events);
  for (const own_event& event : events) adder_->add(event, out);
  choices_->note_records_sent();
}

void stream_closer::release(event_output& out) {
  for (const auto& choice : choices_->all()) {
    end_interrupted(*choice, out);
    if (!choice->answer.waiting()) continue;
    send_end(&choice_rewriter::finish_text, *choice, out);
  }
  others_->release(out);
}

void stream_closer::break_off(event_output& out) {
  others_->release(out);
  for (const auto& choice : choices_->all()) {
    end_interrupted(*choice, out);
    std::string text;
    if (choice->answer.waiting()) texts_->finish_text(*choice, text);
    if (choice->last_event.usable() && choice->accepts_text()) texts_->list_references(*choice, text);
    annotation_list list;
    if (!choice->annotations.held.empty() && choice->last_event.usable()) {
      list = additions_->annotations(*choice);
      additions_->note_annotations(list, *choice);
    }
    if (!text.empty() || list.changed)
      adder_->add(*choice, {.text = text, .annotations = list.elements}, out);
    choice->annotations.held.clear();
  }
}

/// Completes a choice: resolves its citations and keeps the remaining text in `unsent`.
void stream_closer::complete(choice_state& choice) {
  const bool settled = choice.phase == choice_phase::settled;
  if (settled) texts_->add_late(choice);
  if (settled && !choice.answer.waiting() && !choice.answer.cites().pending()) return;
  choice.unsent.text.clear();
  texts_->finish_text(choice, choice.unsent.text);
  texts_->settle(choice, choice.unsent.text);
}

/// What is left to send of a choice.
struct stream_closer::rest {
  choice_state* choice{};
  bool any{};  ///< there is text or an annotation
  annotation_list list{};
};

stream_closer::rest stream_closer::rest_of(choice_state& choice) {
  rest out{.choice = &choice};
  if (!choice.last_event.usable()) return out;
  if (choice.annotations.state == annotation_state::due) out.list = additions_->annotations(choice);
  out.any = !choice.unsent.text.empty() || (choice.last_event.takes_annotations() && out.list.changed);
  return out;
}

/// Sends what is left of a choice, with the records of all choices if they are given.
void stream_closer::send_rest(const rest& one, std::string_view records, event_output& out) {
  choice_state& choice = *one.choice;
  adder_->add(choice, {.text = choice.unsent.text, .annotations = one.list.elements, .addition = records},
              out);
  choice.unsent.text.clear();
  if (choice.annotations.state != annotation_state::due) return;
  additions_->note_annotations(one.list, choice);
  choice.annotations.state = annotation_state::sent;
}

/// Sends what is left of the choices. The records of all are in the last event with text.
void stream_closer::send_rests(event_output& out) {
  const auto all = choices_->all();
  rest last;
  const bool record_due = choices_->any_unsent_record();
  for (const auto& choice : all) {
    rest next = rest_of(*choice);
    if (!next.any && !(choice->unsent.record && choice->last_event.usable())) continue;
    if (last.any) send_rest(last, {}, out);
    last = std::move(next);
  }
  const std::string_view records = record_due ? additions_->object(all, true) : std::string_view();
  if (last.choice != nullptr) {
    send_rest(last, records, out);
  } else if (record_due) {  // no choice has an event with text that could carry the records
    event_template* const shape = others_->any_template();
    if (shape != nullptr) adder_->add(*shape, {.addition = records}, out);
  }
  choices_->note_records_sent();
}

void stream_closer::close(event_output& out) {
  others_->release(out);
  const auto all = choices_->all();
  for (const auto& choice : all) {
    end_interrupted(*choice, out);
    complete(*choice);
  }
  if (all.empty() || all.front()->read_as->stream.append_record == nullptr) return send_rests(out);
  for (const auto& choice : all) send(*choice, std::exchange(choice->unsent.text, {}), out);
  send_record(*all.front()->read_as, out);
}

bool stream_closer::lacks_finish() const noexcept {
  const auto all = choices_->all();
  return std::any_of(all.begin(), all.end(),
                     [](const auto& one) { return one->phase == choice_phase::open && one->expects.end; });
}

}  // namespace citestream

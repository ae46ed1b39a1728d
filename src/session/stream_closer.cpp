// How an answer is completed.
//
// close() first completes every choice: its citations are resolved, and held text and the style's list of
// sources become its `rest`. Then each choice with something left to send gets one added event with its text
// and annotations. The last of these events also carries the records of all choices, so that they are sent
// once and complete.
#include "stream_closer.hpp"

#include <algorithm>

namespace citestream {

void stream_closer::release(event_output& out) {
  for (const auto& one : choices_->all()) {
    if (!one->text.waiting()) continue;
    released_.clear();
    texts_->finish_text(*one, released_);
    if (!released_.empty()) adder_->add(*one, {released_, {}, {}, {}}, out);
  }
  others_->release(*adder_, out);
}

void stream_closer::break_off(event_output& out) {
  others_->release(*adder_, out);
  for (const auto& one : choices_->all()) {
    released_.clear();
    if (one->text.waiting()) texts_->finish_text(*one, released_);
    if (one->own_event.usable()) texts_->list_references(*one, released_);
    annotation_list list;
    if (!one->annotations.held.empty() && one->own_event.usable()) list = additions_->annotations(*one);
    if (!released_.empty() || list.changed) adder_->add(*one, {released_, {}, list.elements, {}}, out);
  }
}

/// Completes a choice: resolves its citations and puts the remaining text into `rest`.
void stream_closer::complete(choice_state& one) {
  const bool settled = one.phase == choice_phase::settled;
  if (settled && !one.text.waiting() && !one.text.cites().pending()) return;
  released_.clear();
  texts_->finish_text(one, released_);
  texts_->settle(one, released_);
  one.unsent.text.assign(released_);
}

/// Returns true if there is something left to send for a choice.
bool stream_closer::has_rest(const choice_state& one) {
  if (!one.own_event.usable()) return false;
  if (!one.unsent.text.empty() || one.unsent.record) return true;
  return one.own_event.takes_annotations() && one.annotations.state == annotation_state::due &&
         additions_->annotations(one).changed;
}

/// Sends what is left of a choice, and the records of all choices if \p with_records.
void stream_closer::send_rest(choice_state& one, bool with_records, event_output& out) {
  event_content content{one.unsent.text, {}, {}, {}};
  annotation_list list;
  if (one.annotations.state == annotation_state::due) {
    list = additions_->annotations(one);
    content.annotations = list.elements;
    additions_->note_annotations(list, one);
    one.annotations.state = annotation_state::sent;
  }
  if (with_records) content.addition = additions_->object(choices_->all());
  adder_->add(one, content, out);
  one.unsent.record = false;
  one.unsent.text.clear();
}

void stream_closer::close(event_output& out) {
  others_->release(*adder_, out);
  const choice_state* last = nullptr;
  bool record_due = false;
  for (const auto& one : choices_->all()) {
    complete(*one);
    record_due = record_due || one->unsent.record;
    if (has_rest(*one)) last = one.get();
  }
  for (const auto& one : choices_->all()) {
    if (has_rest(*one)) send_rest(*one, record_due && one.get() == last, out);
  }
  if (last != nullptr || !record_due) return;
  // No choice has an event with text that could carry the records.
  event_template* const shape = others_->any_template();
  if (shape == nullptr) return;
  adder_->add(*shape, {{}, {}, {}, additions_->object(choices_->all())}, out);
  for (const auto& one : choices_->all()) one->unsent.record = false;
}

bool stream_closer::lacks_finish() const noexcept {
  const auto all = choices_->all();
  return std::any_of(all.begin(), all.end(),
                     [](const auto& one) { return one->phase == choice_phase::open && one->end_expected; });
}

}  // namespace citestream

// How an event of the answer is rewritten.
//
// 1. begin() adds new choices and references.
// 2. take_choice() rewrites each text. A choice whose end and references were received is settled: its
//    citations are resolved.
// 3. complete() adds records of choices that have settled, and annotations. All edits are applied in one
//    pass. The event is given to the cache. If it is not learned, it is stored as the template of its
//    choices.
// Most events contain nothing but texts of open choices, so they need only step 2. Most of these have the
// shape of the event before and are sent unchanged like it: take_same_shape().
#include "event_rewriter.hpp"

#include <algorithm>

namespace citestream {

/// Starts the text that the event is about, unless it is the current one.
[[gnu::always_inline]] inline event_rewriter::text_step event_rewriter::begin_text(const choice_event& found,
                                                                                   choice_state& choice,
                                                                                   event_output& out) {
  const bool over = !found.text.empty() && choice.units.is_over(found.unit.id);
  const bool begins = !choice.units.is_current(found.unit.id) || found.unit.begins || over;
  if (begins) {
    // The event names an earlier text and brings no text, so it does not interrupt the current one.
    if (found.slot == text_slot::none && choice.units.note_earlier(found.unit)) return text_step::ignored;
    const std::optional<unit_mark> mark = choice.units.admit(found.unit, stages_.choices.bounds().max_texts);
    if (!mark) {
      ++stages_.counts.passed_through;
      return text_step::ignored;
    }
    stages_.closer.begin_unit(*mark, choice, out);
  }
  if (!found.text.empty()) choice.units.current.consecutive = found.unit.consecutive;
  if (found.end.here) stages_.closer.end_interrupted(choice, out);
  if (choice.units.current.not_of_model) {
    choice.expects.end = found.end.expected;
    return text_step::ignored;
  }
  return begins ? text_step::begins : text_step::continues;
}

/// Inlined into rewrite(): as a call for each event, both would take a tenth more.
[[gnu::always_inline]] inline event_rewriter::choice_result event_rewriter::take_choice(
    const event_reading& reading, const choice_event& found, std::size_t place, event_output& out) {
  choice_state* const choice = stages_.choices.find(found.choice);
  if (choice == nullptr) return {};
  const text_step step = begin_text(found, *choice, out);
  if (step == text_step::ignored) return {};
  appended_.clear();
  released_text released = stages_.texts.take(found, *reading.content, *choice, appended_);
  const bool may_be_template =
      found.slot == text_slot::string &&
      (!found.text.empty() || !choice->last_event.usable() || stages_.adder.numbers().on());
  // Without a template, no text may be held, because no event could send it later.
  const bool flushes = may_be_template && !stages_.templates.expect(reading, found, place, *choice);
  const bool settles = stages_.texts.can_settle(*choice);
  if (flushes || settles) {
    if (released.unchanged) appended_.assign(found.text);
    if (flushes) stages_.texts.finish_text(*choice, appended_);
    if (settles) stages_.texts.settle(*choice, appended_);
    released = {appended_, false};
  }
  const bool dropped = released.text.empty() && !found.text.empty() &&
                       (found.needs_text || stages_.units.replace_text(reading, *choice, out));
  choice_rewriter::note_sent(found, *choice, released.text);
  if (choice_rewriter::changes(found, released)) {
    // Text that has no place in this event is sent in an added one.
    const bool placed = place_text(found, released, stages_.edits());
    if (!placed && choice->last_event.usable()) stages_.adder.add(*choice, {.text = released.text}, out);
    stages_.texts.place_mirror(found, reading.mirror_is_all(place), *choice, stages_.edits());
  }
  return {settles, dropped, step == text_step::continues && !repeats_all(found)};
}

void event_rewriter::rewrite(const event_reading& reading, event_output& out) {
  splicer& edits = stages_.edits();
  edits.begin(reading.item->data);
  stages_.adder.note_whole();
  if (reading.shape == nullptr) begin(reading, out);
  choice_result all;
  std::size_t place = 0;
  for (const choice_event& found : reading.content->choices) {
    const choice_result result = take_choice(reading, found, place, out);
    all.settles |= result.settles;
    all.only_text = result.only_text;
    all.dropped = result.dropped && (place == 0 || all.dropped);  // only if every choice is
    ++place;
  }
  if (reading.shape == nullptr || all.settles) return complete(reading, all, out);
  if (all.dropped) return;
  const bool numbered = stages_.adder.numbers().shifted();
  if (numbered) stages_.adder.write_number(reading, edits);
  if (reading.content->choices.size() == 1 && all.only_text && !numbered) unchanged_shape_ = reading.shape;
  if (edits.empty()) return out.pass(reading.item->raw);
  edits.apply(*reading.item, out);
}

/// Handles everything in a parsed event that must happen before its texts are taken.
void event_rewriter::begin(const event_reading& reading, event_output& out) {
  const dialect_event& content = *reading.content;
  if (reading.dialect_is_new) stages_.adopt_dialect();
  const dialect& spec = *stages_.reader.dialect_of().current();
  stages_.adder.note_received(reading);
  stages_.open(content);
  if (spec.stream.joins_answers && !stages_.reader.done()) stages_.choices.reopen();
  stages_.reader.read_repeats_as_texts([this](std::uint32_t number) {
    const choice_state* const choice = stages_.choices.find(number);
    return choice != nullptr && !choice->answer.texts().begun();
  });
  if (!content.natives.empty()) stages_.choices.keep_natives(content);
  if (!content.repeats.empty()) take_first_repeats(reading, out);
  if (spec.stream.quotes_sent_words) stages_.closer.release_quoted(content, out);
  if (content.signals.breaks_text) stages_.closer.end_consecutive(out);
  if (content.signals.end) stages_.closer.end_texts(out);
  if (spec.stream.ends_with_event && content.choices.empty()) stages_.closer.release_repeated(content, out);
  if (!content.other_texts.empty()) stages_.take_other_texts(content, reading.item, out);
}

/// Takes texts that no event has sent before this one repeats them: some servers send an answer in one piece.
void event_rewriter::take_first_repeats(const event_reading& reading, event_output& out) {
  const std::vector<text_repeat>& all = reading.content->repeats;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool continues = i > 0 && all[i - 1].unit == all[i].unit && !all[i - 1].token && all[i].token;
    if (!continues && !unit_rewriter::is_first(all[i], stages_.choices.find(all[i].choice))) continue;
    choice_state* const choice =
        stages_.choices.open(all[i].choice, *stages_.reader.dialect_of().text_dialect());
    if (choice == nullptr) return;
    choice_event text = stages_.reader.take_repeat(i);
    text.unit.ends = i + 1 == all.size() || all[i + 1].unit != all[i].unit;
    choice->name_unit(text.unit);
    if (begin_text(text, *choice, out) == text_step::ignored) continue;
    stages_.texts.take_whole(text, *reading.content, *choice, stages_.edits());
    // Our annotations count positions in the whole text, so they cannot be added to the list of one of
    // several parts.
    if (!continues && text.unit.ends) stages_.units.note_whole(*reading.content, all[i], *choice);
  }
}

/// Adds records and annotations, sends the event, and stores it as a template.
void event_rewriter::complete(const event_reading& reading, choice_result all, event_output& out) {
  splicer& edits = stages_.edits();
  const dialect_event& content = *reading.content;
  const auto finished = [](const choice_event& found) { return found.end.here; };
  const bool may_settle =
      content.signals.end || !content.references.empty() || std::ranges::any_of(content.choices, finished);
  // Its references may also complete choices that are not in it.
  const bool settled = (may_settle && stages_.closer.settle(out)) || all.settles;
  const bool annotated = reading.shape == nullptr && addition_writer::annotated(content);
  stages_.units.rewrite_event(content, stages_.choices, edits, out);
  stages_.adder.write_number(reading, edits);
  // Two events may end an answer. The last one has what the other has not sent.
  const bool due = content.signals.end && (!content.signals.last || stages_.choices.any_unsent_record());
  const bool records = settled || due;
  if (records || annotated) stages_.additions.add_to(content, stages_.choices, records, edits);
  if (content.signals.end) stages_.closer.send_record(*stages_.reader.dialect_of().current(), out);
  if (!all.dropped) edits.apply(*reading.item, out);
  if (reading.shape != nullptr) return;
  stages_.templates.note_parsed(reading, !settled && !annotated && content.other_texts.empty(),
                                stages_.choices);
  stages_.adder.numbers().note_sent(reading.root);  // after learning, which takes the number as unread
}

}  // namespace citestream

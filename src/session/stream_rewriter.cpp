// How a stream is rewritten.
//
// write() feeds the reader and handles each reading as it comes. An event of the answer goes through
// take_answer():
// 1. begin() adds new choices and references.
// 2. take_choice() rewrites each text. A choice whose end and references have both come is settled: its
//    citations are resolved.
// 3. complete() adds records of choices that have settled, and annotations. All edits are applied in one
//    pass. The event is given to the cache. If it is not learned, it is stored as the template of its
//    choices.
// Most events are known to the cache. They contain nothing but texts of open choices, so they need only
// step 2.
//
// Errors and events that cannot be read pass through unchanged, after all held text. Comments and events
// without a choice pass through at once. No event is ever delayed or reordered.
#include "stream_rewriter.hpp"

#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>
#include <utility>

#include "body_rewriter.hpp"

namespace citestream {

stream_rewriter::stream_rewriter(session_options given, session_memory* shared)
    : options_(std::move(given)),
      own_(shared == nullptr ? std::make_unique<session_memory>() : nullptr),
      parts_(options_, shared == nullptr ? *own_ : *shared, shared != nullptr) {}

void stream_rewriter::reset() noexcept {
  parts_.reset();
  usual_ = nullptr;
  errored_ = finished_ = false;
}

/// Sends an event like the one before, if its text needs no change either. Most events end here:
/// take_answer() would decide the same, but takes three times as long.
[[gnu::always_inline]] inline bool stream_rewriter::take_alike(const event_reading& reading,
                                                               event_output& out) {
  if (usual_ == nullptr || reading.known != usual_) return false;
  const choice_event& found = reading.content->choices.front();
  choice_state& choice = *parts_.choices.find(found.choice);
  if (!parts_.texts.take_alike(found, choice)) return false;
  choice.own_event.follow(*usual_, 0, reading.item->raw);
  out.pass(reading.item->raw);
  return true;
}

inline status stream_rewriter::take(const event_reading& reading, event_output& out) {
  if (take_alike(reading, out)) return {};
  usual_ = nullptr;
  if (reading.kind != reading_kind::answer) return pass(reading, out);
  take_answer(reading, out);
  return {};
}

[[gnu::hot]] status stream_rewriter::write(std::string_view bytes, std::string& sent) {
  if (finished_) return {errc::finished, parts_.counts.bytes_in};
  parts_.counts.bytes_in += bytes.size();
  parts_.adder.begin();
  event_output out(sent);
  status error;
  parts_.reader.feed(bytes);
  for (event_reading reading; parts_.reader.next(reading);) {
    if (const status why = take(reading, out)) error = why;
    if (reading.lasting) continue;
    out.flush();  // the bytes of this event become invalid with the next reading
    if (reading.known == nullptr) continue;
    for (const choice_event& found : reading.content->choices)
      parts_.choices.find(found.choice)->own_event.hold();
  }
  for (const auto& choice : parts_.choices.all()) choice->own_event.hold();
  return error;
}

/// Takes what the reader returns only when the stream has ended.
stream_rewriter::stream_rest stream_rewriter::take_rest(std::string& sent, event_output& out) {
  stream_rest rest{.unfinished = parts_.reader.finish()};
  for (event_reading reading; parts_.reader.next(reading);) {
    rest.unfinished |= reading.kind == reading_kind::unfinished;
    if (reading.kind == reading_kind::unfinished) continue;
    const std::size_t before = sent.size();
    if (const status why = take(reading, out)) rest.error = why;
    out.flush();
    // At the end of the stream an item lacks its blank line. Clients ignore such an event.
    const std::string_view written = std::string_view(sent).substr(before);
    parts_.adder.note_open(written);
    const std::string_view raw = reading.item->raw;
    const std::string_view line_end = line_end_of(raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw);
    if (!written.ends_with(raw)) parts_.adder.end_block(sent, line_end);
  }
  return rest;
}

/// Returns true if the answer may lack its end. \p unfinished: the last event does.
bool stream_rewriter::is_broken(stream_end how, bool unfinished) const noexcept {
  const bool lacks_end = parts_.closer.lacks_finish() || (ends_with_event() && !parts_.reader.done());
  return how == stream_end::aborted || unfinished || (!errored_ && lacks_end);
}

status stream_rewriter::finish(std::string& sent, stream_end how, std::string_view message,
                               std::string_view code) {
  if (finished_) return {errc::finished, parts_.counts.bytes_in};
  finished_ = true;
  parts_.adder.begin();
  event_output out(sent);
  const stream_rest rest = take_rest(sent, out);
  const bool is_complete = parts_.reader.done() || !is_broken(how, rest.unfinished);
  if (is_complete) {
    // The event that ends the answer has completed it, or an error has broken it off.
    if (!ends_with_event() && !errored_) close(out);
    return rest.error;
  }
  const status incomplete{errc::upstream_incomplete, parts_.counts.bytes_in};
  if (errored_) return incomplete;  // a failure is reported once
  parts_.closer.break_off(out);
  // Not in a stream of an unknown format, unless it is empty.
  if (recognised() != nullptr || parts_.counts.events == 0) {
    parts_.adder.note_numbers(parts_.choices);
    parts_.adder.add_error(message, code, out);
  }
  return incomplete;
}

/// The end of the stream completes the answer. Texts that no event has ended end here.
void stream_rewriter::close(event_output& out) {
  std::vector<choice_state*> open;
  for (const auto& choice : parts_.choices.all()) {
    if (choice->phase == choice_phase::open) open.push_back(choice.get());
  }
  parts_.closer.close(out);
  for (choice_state* const choice : open) parts_.units.annotate({}, *choice, parts_.adder, out);
}

/// Passes on what is not part of the answer.
status stream_rewriter::pass(const event_reading& reading, event_output& out) {
  if (reading.dialect_is_new) adopt_dialect();
  switch (reading.kind) {
    case reading_kind::done:
      if (!errored_) parts_.closer.close(out);
      break;
    case reading_kind::error:
      parts_.closer.break_off(out);
      errored_ = true;
      parts_.adder.pass(*reading.item, parts_.space.edits, out);
      return reading.why;
    case reading_kind::unread:
      parts_.closer.release(out);
      parts_.adder.pass(*reading.item, parts_.space.edits, out);
      return reading.why;
    case reading_kind::oversize:
      if (reading.why) parts_.closer.release(out);
      out.pass(reading.item->raw);
      parts_.adder.note_open(reading.item->raw);
      return reading.why;
    case reading_kind::answer:
    case reading_kind::other:
    case reading_kind::unfinished:
      break;
  }
  out.pass(reading.item->raw);
  parts_.adder.note_whole();
  return reading.why;
}

/// Writes the text of a choice to its event, or to an added event if it has no place there.
void stream_rewriter::write_text(const event_reading& reading, const choice_event& found, std::size_t place,
                                 choice_state& choice, std::string_view released, event_output& out) {
  splicer& edits = parts_.space.edits;
  const bool placed = parts_.texts.place_text(reading.item->data, found, released, edits);
  if (!placed && choice.own_event.usable()) parts_.adder.add(choice, {released, {}, {}, {}}, out);
  if (found.mirror.accumulates) parts_.texts.place_mirror(found, reading.mirror_is_all(place), choice, edits);
}

/// Inlined into take_answer(): as a call for each event, both would take a tenth more.
[[gnu::always_inline]] inline stream_rewriter::choice_result stream_rewriter::take_choice(
    const event_reading& reading, const choice_event& found, std::size_t place, event_output& out) {
  errored_ = false;  // the answer continues
  choice_state* const choice = parts_.choices.find(found.choice);
  if (choice == nullptr) return {};
  const bool over = !found.text.empty() && choice->units.is_over(found.unit.id);
  const bool begins = !choice->units.is_current(found.unit.id) || found.unit.begins || over;
  if (begins) {
    // Another text has come after this one. Without text of its own, the event does not interrupt that.
    if (found.slot == text_slot::none && choice->units.note_earlier(found.unit)) return {};
    parts_.closer.begin_unit(found.unit, *choice, out);
  }
  if (found.end.here) parts_.closer.end_interrupted(*choice, out);
  if (choice->units.current.foreign) {
    choice->end_expected = found.end.expected;
    return {};
  }
  appended_.clear();
  std::string_view released = parts_.texts.take(found, *reading.content, *choice, appended_);
  const bool may_be_template =
      found.slot == text_slot::string &&
      (!found.text.empty() || !choice->own_event.usable() || parts_.adder.numbers().on());
  // Without a template, no text may be held, because no event could send it later.
  const bool flushes = may_be_template && !parts_.adder.expect(reading, found, place, *choice);
  const bool settles = parts_.texts.can_settle(*choice);
  if (flushes || settles) {
    if (released.data() != appended_.data()) appended_.assign(released);
    if (flushes) parts_.texts.finish_text(*choice, appended_);
    if (settles) parts_.texts.settle(*choice, appended_);
    released = appended_;
  }
  const bool left_out = released.empty() && !found.text.empty() &&
                        (found.needs_text || parts_.units.replace_text(reading, *choice, parts_.adder, out));
  choice_rewriter::note_sent(found, *choice, released);
  if (choice_rewriter::changes(found, released)) write_text(reading, found, place, *choice, released, out);
  return {settles, left_out, !begins && !repeats_all(found)};
}

/// Rewrites the repeats of whole texts in an event, and the annotations of them.
void stream_rewriter::take_units(const dialect_event& content, std::string_view payload, event_output& out) {
  parts_.units.note_signals(content);
  choice_state* const first = parts_.choices.find(0);
  parts_.units.renumber(payload, content, first, parts_.space.edits);
  for (const choice_event& found : content.choices) {
    if (!found.unit.ends || first == nullptr || !first->units.is_current(found.unit.id)) continue;
    const auto repeat = std::ranges::find(content.repeats, found.unit.id, &text_repeat::unit);
    const std::string_view item = repeat == content.repeats.end() ? "" : repeat->output_item;
    parts_.units.annotate(item, *first, parts_.adder, out);
  }
  new_lists lists;
  for (const auto& choice : parts_.choices.all())
    parts_.units.rewrite(payload, content, *choice, lists, parts_.space.edits);
  lists.write(payload, parts_.space.edits);
}

inline void stream_rewriter::take_answer(const event_reading& reading, event_output& out) {
  splicer& edits = parts_.space.edits;
  edits.clear();
  parts_.adder.note_whole();
  // An event that was learned contains nothing but texts of choices that are open.
  const bool only_texts = reading.known != nullptr;
  if (!only_texts) begin(reading, out);
  choice_result all;
  std::size_t place = 0;
  for (const choice_event& found : reading.content->choices) {
    const choice_result result = take_choice(reading, found, place, out);
    all.settles |= result.settles;
    all.usual = result.usual;
    all.left_out = result.left_out && (place == 0 || all.left_out);  // only if every choice is
    ++place;
  }
  if (!only_texts || all.settles) return complete(reading, all, out);
  if (all.left_out) return;
  const bool numbered = parts_.adder.numbers().shifted();
  if (numbered) parts_.adder.write_number(reading, edits);
  if (reading.content->choices.size() == 1 && all.usual && !numbered) usual_ = reading.known;
  if (edits.empty()) return out.pass(reading.item->raw);
  edits.apply(*reading.item, out);
}

/// Takes what precedes the texts of an event that was parsed.
void stream_rewriter::begin(const event_reading& reading, event_output& out) {
  const dialect_event& content = *reading.content;
  if (reading.dialect_is_new) adopt_dialect();
  parts_.adder.note_received(reading);
  parts_.open(content);
  parts_.take_whole_texts();
  if (!content.natives.empty()) parts_.choices.keep_natives(content);
  if (parts_.reader.dialect_of().current()->quotes_sent_words) parts_.closer.release_quoted(content, out);
  if (content.signals.end) parts_.closer.end_texts(out);
  const bool announced = parts_.reader.dialect_of().current()->ends_with_event;
  if (announced && content.choices.empty()) parts_.closer.release_repeated(content, out);
  if (!content.other_texts.empty()) parts_.take_other_texts(content, reading.item->data, reading.item, out);
}

/// Adds what follows from the texts, sends the event, and keeps what later events need of it.
void stream_rewriter::complete(const event_reading& reading, choice_result all, event_output& out) {
  const dialect_event& content = *reading.content;
  const auto finished = [](const choice_event& found) { return found.end.here; };
  const bool may_settle =
      content.signals.end || !content.references.empty() || std::ranges::any_of(content.choices, finished);
  // Its references may also complete choices that are not in it.
  const bool settled = (may_settle && parts_.closer.settle(out)) || all.settles;
  const bool annotated = reading.known == nullptr && addition_writer::annotated(content);
  splicer& edits = parts_.space.edits;
  take_units(content, reading.item->data, out);
  parts_.adder.write_number(reading, edits);
  const bool records = settled || content.signals.end;
  if (records || annotated)
    parts_.additions.add_to(reading.item->data, content, parts_.choices, records, edits);
  if (content.signals.end) parts_.closer.send_record(*parts_.reader.dialect_of().current(), out);
  if (!all.left_out) edits.apply(*reading.item, out);
  if (reading.known != nullptr) return;
  parts_.adder.note_parsed(reading, !settled && !annotated && content.other_texts.empty(), parts_.choices);
  parts_.adder.numbers().note_sent(parts_.reader.root());  // after learning, which takes the number as unread
}

/// Switches the open choices to the dialect that an event has shown.
void stream_rewriter::adopt_dialect() {
  for (const auto& choice : parts_.choices.all()) parts_.adder.settle(*choice);
  parts_.choices.read_as(*parts_.reader.dialect_of().read_as());
}

status stream_rewriter::rewrite_body(std::string_view body, std::string& sent) {
  if (!finished_ && begins_array(body)) return rewrite_array(body, sent);
  parts_.counts.bytes_in += body.size();
  if (!std::exchange(finished_, true)) return citestream::rewrite_body(parts_, body, sent);
  ++parts_.counts.passed_through;
  sent.append(body);
  return {errc::finished, parts_.counts.bytes_in};
}

/// A body that is an array is a stream in one piece. It is sent unchanged if it is incomplete.
status stream_rewriter::rewrite_array(std::string_view body, std::string& sent) {
  const std::size_t before = sent.size();
  const status error = write(body, sent);
  const status end = finish(sent, stream_end::complete, {}, {});
  if (!end) return error;
  sent.resize(before);
  sent.append(body);
  return end;
}

}  // namespace citestream

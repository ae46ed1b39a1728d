// How a stream or a body is rewritten.
//
// write() feeds the reader and handles each reading. An event of the answer is rewritten by
// event_rewriter.hpp. Errors and events that cannot be read pass through unchanged, after all held text.
// Comments, heartbeats and events of other formats pass through at once. No event is ever delayed or
// reordered.
//
// finish() takes what the reader returns only when the stream has ended. Then it completes the answer, or
// reports that the answer is incomplete. If the last event could not be read, it counts as the end of the
// answer.
//
// A body is read like one event with all references and every text with its end. Each text is therefore
// settled as soon as it has been taken, and nothing is held back. Texts with several parts have one
// choice_event for each part; the last one ends the text.
#include "stream_rewriter.hpp"

#include <citestream/session/rewrite_mode.hpp>

#include <utility>
#include <vector>

#include "chunk/json_scan.hpp"
#include "framing/frame.hpp"

namespace citestream {

namespace {

/// Returns true if an event that could not be read may have been the end of the answer. Clients may be able
/// to read it: it is too large here, or has half a surrogate pair. They cannot if it is not a JSON object.
bool may_end_answer(const event_reading& reading) noexcept {
  if (reading.kind == reading_kind::oversize) return reading.why.code == errc::event_too_large;
  if (reading.kind != reading_kind::unread) return false;
  const std::string_view payload = reading.item->data;
  return json_opening(payload) == '{' && !json_scan::is_unfinished(payload);
}

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
  for (const auto& choice : stages.choices.all()) {
    stages.units.rewrite_joined(*choice, edit);
    if (content.repeats.empty()) stages.units.rewrite(*choice, edit);
  }
  edit.lists.write(edit.edits);
}

/// Appends the rewritten body to `sent`, or `body` itself if it cannot be read or is not an answer.
status rewrite(rewrite_stages& stages, std::string_view body, std::string& sent) {
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

}  // namespace

stream_rewriter::stream_rewriter(session_options given, session_memory* shared)
    : options_(std::move(given)),
      own_memory_(shared == nullptr ? std::make_unique<session_memory>() : nullptr),
      stages_(options_, shared == nullptr ? *own_memory_ : *shared, shared != nullptr),
      answer_events_(stages_) {}

void stream_rewriter::reset() noexcept {
  stages_.reset();
  answer_events_.reset();
  last_ = {};
  finished_ = false;
}

inline status stream_rewriter::take(const event_reading& reading, event_output& out) {
  if (!answer_events_.take(reading, out)) return pass(reading, out);
  // An event that could not be read may have ended the answer. In a protocol with an end event, any other
  // event after it shows that it did not.
  const bool goes_on = last_ == last_event::unread && ends_with_event() && !stages_.reader.done();
  if (goes_on || !reading.content->choices.empty()) last_ = last_event::read;
  return {};
}

/// The bytes of the last events become invalid: copies those that templates of added events refer to.
inline void stream_rewriter::hold_templates() {
  for (const auto& choice : stages_.choices.all()) choice->last_event.hold();
}

[[gnu::hot]] status stream_rewriter::write(std::string_view bytes, std::string& sent) {
  if (finished_) return {errc::finished, stages_.counts.bytes_in};
  stages_.counts.bytes_in += bytes.size();
  event_output out(sent);
  status error;
  stages_.reader.feed(bytes);
  for (event_reading reading; stages_.reader.next(reading);) {
    if (const status why = take(reading, out)) error = why;
    if (reading.lasting) continue;
    out.flush();  // the bytes of this event become invalid with the next reading
    if (reading.shape != nullptr) hold_templates();  // other events have been copied
  }
  out.flush();
  hold_templates();
  return error;
}

/// Takes what the reader returns only when the stream has ended.
stream_rewriter::stream_rest stream_rewriter::take_rest(std::string& sent, event_output& out) {
  stream_rest rest{.unfinished = stages_.reader.finish()};
  for (event_reading reading; stages_.reader.next(reading);) {
    rest.unfinished |= reading.kind == reading_kind::unfinished;
    if (reading.kind == reading_kind::unfinished) continue;
    const std::size_t before = sent.size();
    if (const status why = take(reading, out)) rest.error = why;
    out.flush();
    // At the end of the stream an item lacks its blank line. Clients ignore such an event.
    const std::string_view written = std::string_view(sent).substr(before);
    stages_.adder.note_open(written);
    if (!written.ends_with(reading.item->raw)) stages_.adder.end_block(sent);
  }
  return rest;
}

/// Returns true if nothing can be missing at the end of the answer. \p unfinished: the last event lacks its
/// end.
bool stream_rewriter::is_complete(stream_end how, bool unfinished) const noexcept {
  if (stages_.reader.done()) return true;
  if (how == stream_end::aborted || unfinished) return false;
  return last_ != last_event::read || !(ends_with_event() || stages_.closer.lacks_finish());
}

status stream_rewriter::finish(std::string& sent, stream_end how, std::string_view message,
                               std::string_view code) {
  if (finished_) return {errc::finished, stages_.counts.bytes_in};
  finished_ = true;
  event_output out(sent);
  const stream_rest rest = take_rest(sent, out);
  if (is_complete(how, rest.unfinished)) {
    // Nothing is left to send if an end event completed the answer or an error broke it off.
    if (upstream_error() || (ends_with_event() && last_ == last_event::read)) return rest.error;
    const std::size_t size = out.text().size();
    close(out);
    out.flush();
    if (ends_with_event()) sent.resize(size);  // its end event, which could not be read, must be the last one
    return rest.error;
  }
  const status incomplete{errc::upstream_incomplete, stages_.counts.bytes_in};
  if (upstream_error()) return incomplete;  // a failure is reported once
  stages_.closer.break_off(out);
  // A stream of an unknown format gets no error event, unless it had no events.
  if (recognised() != nullptr || stages_.counts.events == 0) {
    stages_.adder.add_error(message, code, stages_.choices, out);
  }
  out.flush();
  return incomplete;
}

/// The end of the stream completes the answer. Texts that no event has ended end here.
void stream_rewriter::close(event_output& out) {
  std::vector<choice_state*> open;
  for (const auto& choice : stages_.choices.all()) {
    if (choice->phase == choice_phase::open) open.push_back(choice.get());
  }
  stages_.closer.close(out);
  for (choice_state* const choice : open) stages_.units.annotate({}, *choice, out);
}

/// Passes on what is not part of the answer.
status stream_rewriter::pass(const event_reading& reading, event_output& out) {
  if (reading.dialect_is_new) stages_.adopt_dialect();
  if (last_ == last_event::read && may_end_answer(reading)) last_ = last_event::unread;
  switch (reading.kind) {
    case reading_kind::done:
      if (!upstream_error()) stages_.closer.close(out);
      break;
    case reading_kind::error:
      stages_.closer.break_off(out);
      last_ = last_event::error;
      stages_.adder.pass(*reading.item, out);
      return reading.why;
    case reading_kind::unread:
      stages_.closer.release(out);
      [[fallthrough]];
    case reading_kind::unknown:
      stages_.adder.pass(*reading.item, out);
      return reading.why;
    case reading_kind::oversize:
      if (reading.why) stages_.closer.release(out);
      out.pass(reading.item->raw);
      stages_.adder.note_open(reading.item->raw);
      return reading.why;
    case reading_kind::answer:
    case reading_kind::other:
    case reading_kind::unfinished:
      break;
  }
  out.pass(reading.item->raw);
  stages_.adder.note_whole();
  return reading.why;
}

status stream_rewriter::rewrite_body(std::string_view body, std::string& sent) {
  if (!finished_ && json_opening(body) == '[') return rewrite_array(body, sent);
  stages_.counts.bytes_in += body.size();
  if (!std::exchange(finished_, true)) {
    const std::string_view json = without_byte_order_mark(body);
    sent.append(body.substr(0, body.size() - json.size()));
    return rewrite(stages_, json, sent);
  }
  ++stages_.counts.passed_through;
  sent.append(body);
  return {errc::finished, stages_.counts.bytes_in};
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

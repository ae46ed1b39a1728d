// How a stream is rewritten.
//
// write() feeds the reader and handles each reading as it comes. An event of the answer is rewritten by
// event_rewriter.hpp. Errors and events that cannot be read pass through unchanged, after all held text.
// Comments and heartbeats pass through at once. No event is ever delayed or reordered.
//
// finish() takes what the reader returns only when the stream has ended. Then it completes the answer, or
// reports that the answer is incomplete.
#include "stream_rewriter.hpp"

#include <citestream/session/rewrite_mode.hpp>

#include <utility>
#include <vector>

#include "body_rewriter.hpp"

namespace citestream {

stream_rewriter::stream_rewriter(session_options given, session_memory* shared)
    : options_(std::move(given)),
      own_memory_(shared == nullptr ? std::make_unique<session_memory>() : nullptr),
      parts_(options_, shared == nullptr ? *own_memory_ : *shared, shared != nullptr),
      answer_events_(parts_) {}

void stream_rewriter::reset() noexcept {
  parts_.reset();
  answer_events_.reset();
  errored_ = finished_ = false;
}

inline status stream_rewriter::take(const event_reading& reading, event_output& out) {
  if (!answer_events_.take(reading, out)) return pass(reading, out);
  if (errored_ && !reading.content->choices.empty()) errored_ = false;  // the answer continues
  return {};
}

/// The bytes of the last events become invalid: copies those that templates of added events refer to.
inline void stream_rewriter::hold_templates() {
  for (const auto& choice : parts_.choices.all()) choice->own_event.hold();
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
    if (reading.has_known_shape()) hold_templates();  // other events have been copied
  }
  hold_templates();
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

/// Returns true if the answer may lack its end. \p unfinished: the last event lacks its own.
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
    // Otherwise the event that ended the answer has completed it, or an error has broken it off.
    if (!ends_with_event() && !errored_) close(out);
    return rest.error;
  }
  const status incomplete{errc::upstream_incomplete, parts_.counts.bytes_in};
  if (errored_) return incomplete;  // a failure is reported once
  parts_.closer.break_off(out);
  // A stream of an unknown format gets no error event, unless it had no events.
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
  if (reading.dialect_is_new) parts_.adopt_dialect();
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

status stream_rewriter::rewrite_body(std::string_view body, std::string& sent) {
  if (!finished_ && json_opening(body) == '[') return rewrite_array(body, sent);
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

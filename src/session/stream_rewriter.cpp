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
// Errors and events that cannot be read pass through unchanged, after all held text. Comments and heartbeats
// pass through at once. No event is ever delayed or reordered.
#include "stream_rewriter.hpp"

#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace citestream {

namespace {

/// Returns true if an event contains text. Such events may be learned, so their numbers are not read.
bool has_text(const dialect_event& content) noexcept {
  return std::any_of(content.choices.begin(), content.choices.end(),
                     [](const choice_event& found) { return found.slot == text_slot::string; });
}

/// The index of what a citation of the provider cites, among the references of the choice.
std::optional<std::uint32_t> cited_reference(const native_citation& found, const dialect_event& content,
                                             const choice_state& one) {
  if (!found.listed) return one.text.cites().index_of(content.references[found.reference].ref);
  const std::vector<listed_source>& listed = one.units.current.annotations.listed;
  return *found.listed < listed.size() ? listed[*found.listed].reference : std::nullopt;
}

}  // namespace

stream_rewriter::stages::stages(session_options& options, session_memory& space, session_statistics& counts,
                                bool small)
    : events(options.typed_events),
      reader(options, space.payload, space.read, counts, small),
      adder(options, space.shape, reader),
      choices(options),
      others(options),
      additions(options, others, space.annotations),
      texts(options, additions, others, events, counts),
      units(options, additions, others),
      closer(choices, texts, others, additions, adder) {}

stream_rewriter::stream_rewriter(session_options given, session_memory* shared)
    : options_(std::move(given)),
      own_(shared == nullptr ? std::make_unique<session_memory>() : nullptr),
      space_(shared == nullptr ? *own_ : *shared),
      parts_(options_, space_, counts_, shared != nullptr) {}

void stream_rewriter::reset() noexcept {
  counts_ = {};
  parts_.events.clear();
  parts_.reader.reset();
  parts_.adder.reset();
  parts_.choices.reset();
  parts_.others.reset();
  parts_.units.reset();
  errored_ = finished_ = false;
}

inline status stream_rewriter::take(const event_reading& one, event_output& out) {
  if (one.kind != reading_kind::answer) return pass(one, out);
  take_answer(one, out);
  return {};
}

[[gnu::hot]] status stream_rewriter::write(std::string_view bytes, std::string& sent) {
  if (finished_) return {errc::finished, counts_.bytes_in};
  counts_.bytes_in += bytes.size();
  parts_.adder.begin();
  event_output out(sent);
  status error;
  parts_.reader.feed(bytes);
  for (event_reading one; parts_.reader.next(one);) {
    if (const status why = take(one, out)) error = why;
    if (one.lasting) continue;
    out.flush();  // the bytes of this event become invalid with the next reading
    if (one.known == nullptr) continue;
    for (const choice_event& found : one.content->choices)
      parts_.choices.find(found.choice)->own_event.hold();
  }
  for (const auto& one : parts_.choices.all()) one->own_event.hold();
  return error;
}

status stream_rewriter::finish(std::string& sent, stream_end how, std::string_view message,
                               std::string_view code) {
  if (finished_) return {errc::finished, counts_.bytes_in};
  finished_ = true;
  parts_.adder.begin();
  event_output out(sent);
  status error;
  bool unfinished = parts_.reader.finish();
  for (event_reading one; parts_.reader.next(one);) {
    unfinished = unfinished || one.kind == reading_kind::unfinished;
    if (one.kind == reading_kind::unfinished) continue;
    if (const status why = take(one, out)) error = why;
    out.flush();
    parts_.adder.note_open(one.item->raw);  // at the end of the stream an item lacks its blank line
  }
  const bool by_event = recognised() != nullptr && recognised()->ends_with_event;
  const bool lacks_end = parts_.closer.lacks_finish() || (by_event && !parts_.reader.done());
  const bool broken = how == stream_end::aborted || unfinished || (!errored_ && lacks_end);
  if (parts_.reader.done() || !broken) {
    if (!by_event) close(out);
    return error;
  }
  parts_.closer.break_off(out);
  // A failure is reported once. A stream of an unknown format gets no events of ours.
  if (!errored_ && (recognised() != nullptr || counts_.events == 0)) {
    parts_.adder.note_numbers(parts_.choices);
    parts_.adder.add_error(message, code, out);
  }
  return {errc::upstream_incomplete, counts_.bytes_in};
}

/// The end of the stream completes the answer. Texts that no event has ended end here.
void stream_rewriter::close(event_output& out) {
  std::vector<choice_state*> open;
  for (const auto& one : parts_.choices.all()) {
    if (one->phase == choice_phase::open) open.push_back(one.get());
  }
  parts_.closer.close(out);
  for (choice_state* const one : open) parts_.units.annotate({}, *one, parts_.adder, out);
}

/// Passes on what is not part of the answer.
status stream_rewriter::pass(const event_reading& one, event_output& out) {
  if (one.dialect_is_new) adopt_dialect();
  switch (one.kind) {
    case reading_kind::done:
      parts_.closer.close(out);
      break;
    case reading_kind::error:
      parts_.closer.release(out);
      errored_ = true;
      pass_numbered(one, out);
      return one.why;
    case reading_kind::unread:
      parts_.closer.release(out);
      pass_numbered(one, out);
      return one.why;
    case reading_kind::oversize:
      if (one.why) parts_.closer.release(out);
      out.pass(one.item->raw);
      parts_.adder.note_open(one.item->raw);
      return one.why;
    case reading_kind::answer:
    case reading_kind::other:
    case reading_kind::unfinished:
      break;
  }
  out.pass(one.item->raw);
  parts_.adder.note_whole();
  return one.why;
}

/// Passes on an event that is not part of the answer but may have a number.
void stream_rewriter::pass_numbered(const event_reading& one, event_output& out) {
  splicer& edits = space_.edits;
  edits.clear();
  event_numbers& numbers = parts_.adder.numbers();
  const json_value root = numbers.on() ? parts_.adder.read(*one.item) : json_value();
  if (root) numbers.leave(root, edits);
  if (edits.empty() || root.ambiguous()) {
    out.pass(one.item->raw);
  } else {
    edits.apply(*one.item, out);
  }
  parts_.adder.note_whole();
}

[[gnu::hot]] inline void stream_rewriter::open(const dialect_event& content) {
  const bool room = parts_.choices.open(content, *parts_.reader.dialect_of().read_as());
  if (!room) ++counts_.passed_through;
  for (const found_reference& found : content.references) {
    parts_.others.know(found.ref, found.choice);
    parts_.choices.know(found);
  }
}

/// If a choice ends without a text and the repeat of its text has some, this is the text. It stays its own
/// repeat, so that added events have all of the text, too.
void stream_rewriter::take_whole_texts() noexcept {
  for (choice_event& found : space_.read.choices) {
    const bool whole = found.mirror.accumulates && found.mirror.token && found.end.here;
    if (!whole || !found.text.empty() || found.mirror.text.empty()) continue;
    const choice_state* const one = parts_.choices.find(found.choice);
    if (one == nullptr || one->text.received().utf8 > 0) continue;
    found.slot = text_slot::string;
    found.token = *found.mirror.token;
    found.text = found.mirror.text;
  }
}

/// Keeps the citations of the provider until the text has ended.
void stream_rewriter::take_natives(const dialect_event& content) {
  const bool wanted = options_.typed_events || options_.add != additions::never;
  for (const native_citation& found : content.natives) {
    choice_state* const one = wanted ? parts_.choices.find(found.choice) : nullptr;
    if (one == nullptr) continue;
    one->text.keep_places();
    const auto reference = cited_reference(found, content, *one);
    // Its quotes have not passed egress.
    const bool with_json = options_.egress != egress_mode::enforce;
    if (reference)
      one->natives.add(found, *reference, one->units.current.id, options_.bounds.max_addition_bytes,
                       with_json);
  }
}

/// Adds the citations of the provider that came after their choice was settled. The record with them is sent
/// once, at the end of the stream: a record after each of many such events would be quadratic output.
void stream_rewriter::add_late_natives() {
  for (const auto& one : parts_.choices.all()) {
    if (one->phase != choice_phase::settled || !one->natives.waiting()) continue;
    place_natives(*one);
    one->count_resolved();
    parts_.events.added_natives(*one);
    one->unsent.record = parts_.additions.due(*one);
  }
}

/// \param item  null for a body
void stream_rewriter::take_other_texts(const dialect_event& content, std::string_view payload,
                                       const frame* item, event_output& out) {
  for (const other_text_event& found : content.other_texts) {
    choice_state* const main = parts_.choices.find(found.at.choice);
    if (main == nullptr) continue;
    const std::uint64_t before = parts_.others.found(found.at.choice);
    parts_.others.take(found, main->text.cites(), payload, item, space_.edits, parts_.adder, out);
    const bool settled = main->phase == choice_phase::settled;
    if (settled && before == 0 && parts_.additions.due(*main)) main->unsent.record = true;
  }
}

/// Writes the text of a choice to its event, or to an added event if it has no place there.
void stream_rewriter::write_text(const event_reading& one, const choice_event& found, std::size_t place,
                                 choice_state& choice, std::string_view released, event_output& out) {
  splicer& edits = space_.edits;
  const bool placed = parts_.texts.place_text(one.item->data, found, choice, released, edits);
  if (!placed && choice.own_event.usable()) parts_.adder.add(choice, {released, {}, {}, {}}, out);
  if (found.mirror.accumulates) parts_.texts.place_mirror(found, one.mirror_is_all(place), choice, edits);
}

/// Returns true if this event settles the choice.
inline bool stream_rewriter::take_choice(const event_reading& one, const choice_event& found,
                                         std::size_t place, event_output& out) {
  errored_ = false;  // the answer continues
  choice_state* const choice = parts_.choices.find(found.choice);
  if (choice == nullptr) return false;
  const bool another = found.unit.id != choice->units.current.id && found.unit.id != last_text;
  if (another || found.unit.begins) begin_unit(found, *choice, out);
  released_.clear();
  std::string_view released = parts_.texts.take(found, *one.content, *choice, released_);
  const bool shows = found.slot == text_slot::string &&
                     (!found.text.empty() || !choice->own_event.usable() || parts_.adder.numbers().on());
  const bool flushes = shows && !parts_.adder.expect(one, found, place, *choice);
  const bool settles = parts_.texts.can_settle(*choice);
  if (flushes || settles) {
    if (released.data() != released_.data()) released_.assign(released);
    if (flushes) parts_.texts.finish_text(*choice, released_);
    if (settles) parts_.texts.settle(*choice, released_);
    released = released_;
  }
  left_out_ = released.empty() && !found.text.empty() &&
              (found.needs_text || parts_.units.replace_text(one, *choice, parts_.adder, out));
  if (choice_rewriter::changes(found, *choice, released))
    write_text(one, found, place, *choice, released, out);
  return settles;
}

/// Another text of the choice begins. Sends what is held of the one before.
void stream_rewriter::begin_unit(const choice_event& found, choice_state& choice, event_output& out) {
  released_.clear();
  parts_.texts.finish_text(choice, released_);
  if (!released_.empty() && choice.own_event.usable()) parts_.adder.add(choice, {released_, {}, {}, {}}, out);
  choice.begin_unit(found);
}

/// The last event ends every text that has not ended. No references follow it.
void stream_rewriter::end_texts(event_output& out) {
  parts_.closer.release(out);
  for (const auto& one : parts_.choices.all()) {
    if (one->phase == choice_phase::open) one->phase = choice_phase::finished;
    one->references = reference_state::known;
  }
}

/// Ends the texts that annotations show to be complete: dialect::annotations_end_text.
void stream_rewriter::end_annotated(const dialect_event& content, event_output& out) {
  for (const native_annotation& found : content.annotations) {
    choice_state* const one = parts_.choices.find(found.choice);
    if (one == nullptr || !found.end_token) continue;
    const unit_text& unit = one->units.current;
    const bool here = found.unit == unit.id || found.unit == last_text;
    const bool later = unit.repeats.on() && found.end <= unit.repeats.newest().in(found.counted_in);
    if (!here || !later || unit.ended) continue;
    released_.clear();
    parts_.texts.end_unit(*one, released_);
    if (!released_.empty() && one->own_event.usable()) parts_.adder.add(*one, {released_, {}, {}, {}}, out);
  }
}

/// Writes the number of an event, if events have been added before it.
void stream_rewriter::number(const event_reading& one) {
  event_numbers& numbers = parts_.adder.numbers();
  const bool shifted = numbers.shifted();
  if (one.known != nullptr) {
    if (shifted) numbers.leave(parts_.adder.replaced(one).root, space_.edits);
  } else if (shifted || !has_text(*one.content)) {
    numbers.leave(parts_.reader.root(), space_.edits);
  }
  if (shifted) parts_.reader.cache().turn_off();  // each event has to be parsed
}

/// Rewrites what an event says about whole texts.
void stream_rewriter::take_units(const dialect_event& content, std::string_view payload, event_output& out) {
  parts_.units.note(content);
  choice_state* const first = parts_.choices.find(0);
  if (first != nullptr) parts_.units.renumber(payload, content, *first, space_.edits);
  for (const choice_event& found : content.choices) {
    if (found.unit.ends && first != nullptr)
      parts_.units.annotate(found.unit.item_id, *first, parts_.adder, out);
  }
  new_lists lists;
  for (const auto& one : parts_.choices.all())
    parts_.units.rewrite(payload, content, *one, lists, space_.edits);
  lists.write(payload, space_.edits);
}

inline void stream_rewriter::take_answer(const event_reading& one, event_output& out) {
  splicer& edits = space_.edits;
  edits.clear();
  parts_.adder.note_whole();
  // An event that was learned contains nothing but texts of choices that are open.
  const bool only_texts = one.known != nullptr;
  if (!only_texts) begin(one, out);
  bool settled = false;
  left_out_ = false;
  std::size_t place = 0;
  for (const choice_event& found : one.content->choices) settled |= take_choice(one, found, place++, out);
  if (!only_texts || settled) return complete(one, settled, out);
  if (left_out_) return;
  if (parts_.adder.numbers().shifted()) number(one);
  if (edits.empty()) return out.pass(one.item->raw);
  edits.apply(*one.item, out);
}

/// Takes what precedes the texts of an event that was parsed.
void stream_rewriter::begin(const event_reading& one, event_output& out) {
  const dialect_event& content = *one.content;
  if (one.dialect_is_new) adopt_dialect();
  event_numbers& numbers = parts_.adder.numbers();
  numbers.start(parts_.reader.dialect_of().current()->event_number);
  if (content.signals.resumable) numbers.fix();
  if (numbers.shifted() || !has_text(content)) numbers.arrive(parts_.reader.root());
  open(content);
  take_whole_texts();
  if (!content.natives.empty()) take_natives(content);
  if (parts_.reader.dialect_of().current()->annotations_end_text) end_annotated(content, out);
  if (content.signals.end) end_texts(out);
  if (content.choices.empty() && content.references.empty() && content.annotations.empty() &&
      !content.signals.heartbeat)
    parts_.closer.release(out);  // usage only, or a notice
  if (!content.other_texts.empty()) take_other_texts(content, one.item->data, one.item, out);
}

/// Adds what follows from the texts, sends the event, and keeps what later events need of it.
void stream_rewriter::complete(const event_reading& one, bool settled, event_output& out) {
  const dialect_event& content = *one.content;
  const auto finished = [](const choice_event& found) { return found.end.here; };
  const bool may_settle = content.signals.end || !content.references.empty() ||
                          std::any_of(content.choices.begin(), content.choices.end(), finished);
  if (may_settle && settle_others(out)) settled = true;
  if (!content.natives.empty()) add_late_natives();
  const bool annotated = one.known == nullptr && addition_writer::annotated(content);
  splicer& edits = space_.edits;
  take_units(content, one.item->data, out);
  number(one);
  if (settled || annotated || content.signals.end)
    parts_.additions.add_to(one.item->data, content, parts_.choices, settled || content.signals.end, edits);
  if (content.signals.end) send_record(out);
  if (!left_out_) edits.apply(*one.item, out);
  if (one.known != nullptr) return;
  parts_.adder.note_parsed(one, !settled && !annotated && content.other_texts.empty(), parts_.choices);
  parts_.adder.numbers().note_sent(parts_.reader.root());  // after learning, which takes the number as unread
}

/// Sends the records in events of their own, if the dialect has such events.
void stream_rewriter::send_record(event_output& out) {
  const auto append = parts_.reader.dialect_of().current()->append_record;
  if (append == nullptr || !parts_.additions.any()) return;
  const auto all = parts_.choices.all();
  const bool due = std::any_of(all.begin(), all.end(), [](const auto& one) { return one->unsent.record; });
  const std::string_view record = due ? parts_.additions.object(all) : std::string_view{};
  if (record.empty()) return;
  std::vector<own_event> events;
  append(record, events);
  for (const own_event& event : events) parts_.adder.add(event, out);
  for (const auto& one : all) one->unsent.record = false;
}

/// Settles choices that are not in this event but whose references it completes. Returns true if there are
/// any.
bool stream_rewriter::settle_others(event_output& out) {
  bool any = false;
  for (const auto& one : parts_.choices.all()) {
    if (!parts_.texts.can_settle(*one)) continue;
    any = true;
    released_.clear();
    parts_.texts.settle(*one, released_);
    if (!released_.empty() && one->own_event.usable()) parts_.adder.add(*one, {released_, {}, {}, {}}, out);
  }
  return any;
}

/// An event has shown that the stream is of another dialect.
void stream_rewriter::adopt_dialect() {
  for (const auto& one : parts_.choices.all()) parts_.adder.settle(*one);
  parts_.choices.read_as(*parts_.reader.dialect_of().read_as());
}

status stream_rewriter::rewrite_body(std::string_view body, std::string& sent) {
  if (!finished_ && begins_array(body)) {
    const std::size_t before = sent.size();
    const status error = write(body, sent);
    const status end = finish(sent, stream_end::complete, {}, {});
    if (!end) return error;
    sent.resize(before);
    sent.append(body);
    return end;
  }
  const bool late = std::exchange(finished_, true);
  counts_.bytes_in += body.size();
  status why;
  if (late) why = {errc::finished, counts_.bytes_in};
  if (late) ++counts_.passed_through;
  if (late || !parts_.reader.read_body(body, why)) {
    sent.append(body);
    return why;
  }
  const dialect_event& content = space_.read;
  splicer& edits = space_.edits;
  event_output out(sent);
  open(content);
  take_natives(content);
  edits.clear();
  take_other_texts(content, body, nullptr, out);
  new_lists lists;
  for (const choice_event& found : content.choices) {
    choice_state* const one = parts_.choices.find(found.choice);
    if (one == nullptr) continue;
    if (found.unit.id != one->units.current.id) begin_unit(found, *one, out);
    released_.clear();
    std::string_view released = parts_.texts.take(found, content, *one, released_);
    // The text may have several parts; only the last one has `finished` set.
    if (found.end.here) {
      parts_.texts.settle(*one, released_);
      released = released_;
    }
    static_cast<void>(parts_.texts.place_text(body, found, *one, released, edits));
    if (found.unit.ends) parts_.units.rewrite_whole(body, content, found.unit.id, *one, lists, edits);
  }
  for (const auto& one : parts_.choices.all()) {
    if (content.repeats.empty()) parts_.units.rewrite(body, content, *one, lists, edits);
  }
  lists.write(body, edits);
  if (content.signals.end) end_texts(out);
  settle_others(out);
  parts_.additions.add_to(body, content, parts_.choices, true, edits);
  edits.apply(body, out.text());
  return {};
}

session_statistics stream_rewriter::statistics() const noexcept {
  session_statistics counts = counts_;
  parts_.choices.add_to(counts);
  parts_.others.add_to(counts);
  counts.unconverted = parts_.units.unconverted();
  return counts;
}

}  // namespace citestream

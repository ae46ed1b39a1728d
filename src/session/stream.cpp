#include "stream.hpp"

#include <algorithm>
#include <utility>

#include "chunk/json_scan.hpp"
#include "grammars.hpp"
#include "rewrite/json.hpp"

namespace citestream {

namespace {

// The one form of failure that every client of this API raises.
void append_error_event(std::string_view message, std::string_view code, std::string& out) {
  out.append("event: error\ndata: {\"error\":{\"message\":");
  append_json_string(message.empty() ? "the upstream ended inside the answer" : message, out);
  out.append(",\"type\":\"upstream_error\",\"code\":");
  append_json_string(code.empty() ? "upstream_incomplete" : code, out);
  out.append("}}\n\n");
}

bool is_done(std::string_view data) noexcept {
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = data.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return false;
  return data.substr(begin, data.find_last_not_of(blanks) + 1 - begin) == "[DONE]";
}

bool has_text(const dialect_event& event) noexcept {
  const auto any = [](const choice_event& found) { return !found.text.empty(); };
  return !event.cited.empty() || std::any_of(event.choices.begin(), event.choices.end(), any);
}

// How many lines end at the end of `bytes`, up to two.
std::size_t line_ends(std::string_view bytes) noexcept {
  std::size_t count = 0;
  while (count < 2 && !bytes.empty() && (bytes.back() == '\n' || bytes.back() == '\r')) {
    bytes.remove_suffix(bytes.ends_with("\r\n") ? 2 : 1);
    ++count;
  }
  return count;
}

// How many bytes behind the first `given` of an event make one that is about as long as `expected`, or
// longer.
std::size_t wanted(std::size_t expected, std::size_t given) noexcept {
  constexpr std::size_t slack = 64;
  return expected >= given ? expected - given + slack : given / 2;
}

}  // namespace

stream::stream(session_options given, session_memory* shared)
    : options(std::move(given)),
      events(options.typed_events),
      kept(options.bounds.max_event_bytes),
      spoken(options.dialect),
      memory_(options.bounds, shared != nullptr),
      grammars_by_dialect_(options.grammars.empty()),
      given_(cites_given(options)),
      decoder_(options.bounds.max_event_bytes),
      own_(shared == nullptr ? std::make_unique<session_memory>() : nullptr),
      space_(shared == nullptr ? *own_ : *shared),
      payload_(space_.payload),
      shape_(space_.shape),
      read_(space_.read),
      edits_(space_.edits),
      beside_(options),
      additions_(options, beside_, space_.annotations),
      shared_(options.bounds) {
  speak(options.dialect);
}

void stream::reset() noexcept {
  events.clear();
  counts = {};
  spoken = options.dialect;
  choice_count = 0;
  by_number_.clear();
  decoder_.reset();
  carried_.clear();
  memory_.forget();
  beside_.reset();
  shared_.reset();
  error_ = oversize_ = {};
  done_ = errored_ = finished_ = texts_begun_ = false;
  open_.clear();
}

[[gnu::hot]] status stream::write(std::string_view bytes, std::string& out) {
  if (finished_) return {errc::finished, counts.bytes_in};
  error_ = {};
  kept.forget_reading();
  counts.bytes_in += bytes.size();
  if (carried_.empty()) {
    decoder_.feed(bytes);
  } else if (!take_carried(bytes, out)) {
    return error_;
  }
  if (take_enveloped(out)) {
    for (sse_item item; decoder_.next(item) && (take(item, out), take_enveloped(out));) {
    }
  }
  for (std::size_t i = 0; i < choice_count; ++i) hold_shape(*choices[i]);
  return error_;
}

inline void stream::push_text(std::string_view text, choice_state& one) {
  one.text.push(text, released_);
  events.text(one, counts.deltas, released_);
  events.placed(one, counts.deltas);
  ++counts.deltas;
}

// Notes that the event is the last that held text of its choice. Where events of its form differ in their
// text alone, one is as good a template as another.
inline void stream::keep_shape(const learned_event& known, std::size_t text, std::string_view raw) {
  shape_note& due = known.texts[text].one->shape_due;
  if (due.number != known.number || !known.shape.uniform())
    due = {&known, raw, text, known.number, nullptr, nullptr};
}

[[gnu::hot]] inline void stream::take_known_text(learned_event& known, std::size_t text,
                                                 std::string_view raw) {
  const envelope_text& found = known.shape.texts()[text];
  learned_text& as = known.texts[text];
  choice_state& one = *as.one;
  const std::string_view came = take_text(found, as);
  one.finish_expected = as.learned.finish_expected;
  one.accumulates = as.learned.mirror_accumulates;
  if (one.accumulates) one.arrive(came);
  texts_begun_ = texts_begun_ || !came.empty();
  released_.clear();
  push_text(came, one);
  if (!came.empty()) keep_shape(known, text, raw);
  if (one.accumulates) one.leave(released_);
  const bool mirrored = as.learned.mirror.has_value();
  if (released_ != came) {
    as.json.clear();
    append_json_string(released_, as.json);
    changes_.push_back({found.token, as.json});
    if (mirrored && !one.accumulates) changes_.push_back({found.other, as.json});
  }
  if (!mirrored || !one.accumulates) return;
  // As place_mirror() has it: what has grown with the text is still all of it.
  one.repeats_other = one.repeated.size() != one.arrived || (one.repeated_other && !one.is_all(one.repeated));
  if (!one.repeats_other) {
    if (one.repeated != one.left) changes_.push_back({found.other, one.left_json});
  } else if (guards() && guarded_mirror(one, one.repeated) != one.repeated) {
    as.mirror_json = json_;
    changes_.push_back({found.other, as.mirror_json});
  }
}

// What the reading of the event says is done as take_payload() does it. No choice is new and nothing ends:
// all that can leave beside the text leaves at other events. References were taken when the event was
// learned, none was dropped by then, and a choice that came later took them in the same order: each is known,
// and stays so.
// `passing`: what leaves as it came and has not left, if anything directly before `raw`; then so with it.
[[gnu::hot]] void stream::take_known(learned_event& known, std::string_view raw, std::string_view& passing,
                                     std::string& out) {
  ++counts.events;
  ++counts.enveloped;
  errored_ = false;
  open_.clear();
  changes_.clear();
  for (std::size_t i = 0; i < known.texts.size(); ++i) take_known_text(known, i, raw);
  const char* from = passing.empty() ? raw.data() : passing.data();
  if (changes_.size() > 1) {
    std::sort(changes_.begin(), changes_.end(),
              [](const auto& a, const auto& b) { return a.where.begin < b.where.begin; });
  }
  for (const text_change& change : changes_) {
    out.append(from, static_cast<std::size_t>(raw.data() + change.where.begin - from)).append(change.json);
    from = raw.data() + change.where.end;
  }
  passing = {from, static_cast<std::size_t>(raw.data() + raw.size() - from)};
}

// Takes an event of which earlier reads brought the start, without the decoder: what the envelope has read of
// it is not read again. Else the decoder is given what it has not seen. \return whether it was fed `bytes`:
// not where they are only more of the event.
bool stream::take_carried(std::string_view bytes, std::string& out) {
  const std::size_t before = carried_.size();
  learned_event* known = nullptr;
  std::size_t size = 0;
  for (std::string_view rest = bytes; memory_.cut();) {
    if (rest.empty()) return false;
    const std::size_t more = std::min(rest.size(), wanted(memory_.expected(), carried_.size()));
    carried_.append(rest, 0, more);
    rest.remove_prefix(more);
    known = memory_.resume(carried_, size);
    if (known != nullptr) break;
  }
  if (known == nullptr) {
    replay_carried(before, out);
    decoder_.feed(bytes);
    return true;
  }
  carried_.resize(size);
  std::string_view passing;
  take_known(*known, carried_, passing, out);
  out.append(passing);
  for (const learned_text& text : known->texts) hold_shape(*text.one);
  decoder_.feed(bytes);
  decoder_.skip(size - before, before);
  carried_.clear();
  return true;
}

// Gives the decoder the first `count` bytes of an event that is none of those known.
void stream::replay_carried(std::size_t count, std::string& out) {
  decoder_.feed(std::string_view(carried_).substr(0, count));
  for (sse_item item; decoder_.next(item);) take(item, out);  // there is none
  carried_.clear();
}

// Takes the events at the front of the input that envelopes match, without the decoder. What leaves as it
// came is appended in one go. What may be the start of another is kept for the next read.
// \return whether the decoder may have something to give.
[[gnu::hot]] bool stream::take_enveloped(std::string& out) {
  if (done_ || !memory_.knows_any()) return true;
  std::string_view in = decoder_.unread();
  const std::size_t given = in.size();
  std::string_view passing;
  while (!in.empty()) {
    tried_ = in.data();
    std::size_t size = 0;
    learned_event* const known = memory_.match(in, size);
    if (known == nullptr) break;
    take_known(*known, in.substr(0, size), passing, out);
    const bool cr = in[size - 1] == '\r';
    in.remove_prefix(size);
    if (!cr || !in.starts_with('\n')) continue;
    passing = {passing.data(), passing.size() + 1};  // passes, as it always does
    in.remove_prefix(1);
  }
  out.append(passing);
  if (in.size() < given) decoder_.skip(given - in.size());
  if (in.empty() || !memory_.cut()) return true;
  carried_.reserve(in.size() + wanted(memory_.expected(), in.size()));
  carried_.assign(in);
  decoder_.put_off();
  return false;
}

// The same for an event that the decoder put together from several reads.
bool stream::take_as_known(const sse_item& item, std::string& out) {
  if (item.kind != sse_kind::event || item.raw.data() == tried_) return false;
  std::size_t size = 0;
  learned_event* const known = memory_.match(item.raw, size);
  if (known == nullptr) return false;
  std::string_view passing;
  take_known(*known, item.raw, passing, out);
  out.append(passing);
  // Its bytes die with the next item.
  for (const learned_text& text : known->texts) hold_shape(*text.one);
  return true;
}

// The bytes of the event that the template is to be made of are about to die: they are kept.
[[gnu::hot]] void stream::hold_shape(choice_state& one) {
  shape_note& due = one.shape_due;
  if (due.like == nullptr || due.raw.data() == one.shape_bytes.data()) return;
  if (due.raw.data() == due.like->shape.event().data()) return;  // is kept there
  one.shape_bytes.assign(due.raw);
  due.raw = one.shape_bytes;
}

// Makes the template that is due.
void stream::settle_shape(choice_state& one) {
  const shape_note due = one.shape_due;
  one.shape_due.like = nullptr;
  one.shape_due.item = nullptr;
  if (due.item != nullptr) return one.shape.remember(kept.keep_current(*due.item), *due.own);
  if (due.like == nullptr) return;
  sse_item item;
  choice_event own;
  memory_.restore(*due.like, due.raw, due.text, item, own);
  one.shape.remember(kept.keep(item), own);
}

bool stream::dropped_references() const noexcept {
  bool any = shared_.dropped_references() > 0;
  for (std::size_t i = 0; i < choice_count; ++i) {
    any = any || choices[i]->text.cites().dropped_references() > 0;
  }
  return any;
}

// Remembers an event whose reading changed nothing but texts.
void stream::learn(const sse_item& item) {
  // A reference that was dropped is counted each time that it comes.
  if (!read_.references.empty() && dropped_references()) return;
  learners_.clear();
  for (const choice_event& found : read_.choices) {
    choice_state* const one = find(found.choice);
    if (one == nullptr) return;
    learners_.push_back(one);
  }
  for (std::size_t i = 0; i < choice_count; ++i) {  // what they are like may be forgotten now
    if (choices[i]->shape_due.item == nullptr) settle_shape(*choices[i]);
  }
  const learned_event* const known = memory_.learn(item, read_, payload_, learners_, choice_count);
  if (known == nullptr) return;
  for (std::size_t i = 0; i < learners_.size(); ++i) {
    shape_note& due = learners_[i]->shape_due;
    const std::uint64_t number = read_.choices[i].text.empty() ? 0 : known->number;
    if (due.item != nullptr && due.own == &read_.choices[i]) {
      due = {known, known->shape.event(), i, number, nullptr, nullptr};
    } else if (number != 0) {
      due.number = number;
    }
  }
}

void stream::take(const sse_item& item, std::string& out) {
  switch (item.kind) {
    case sse_kind::event:
    case sse_kind::unterminated:
      take_event(item, out);
      open_.clear();
      break;
    case sse_kind::oversize:
      take_oversize(item, out);
      break;
    case sse_kind::other:
      out.append(item.raw);
      open_.clear();
      break;
  }
}

void stream::take_oversize(const sse_item& item, std::string& out) {
  const status seen = decoder_.error();
  if (!oversize_ || seen.offset != oversize_.offset) {  // the first piece
    oversize_ = error_ = seen;
    release_all(out);
    ++counts.events;
    ++counts.passed_through;
  }
  out.append(item.raw);
  note_open(item.raw);
}

// Whether the stream ended inside this event, so that it is not sent. The standard has clients ignore such an
// event; those that read line by line would fail at it and miss the error that follows. An event that lacks
// only its blank line is one: its data is a whole JSON text, or `[DONE]`.
bool stream::is_fragment(const sse_item& item) {
  if (!decoder_.cut_off() || is_done(item.data)) return false;
  payload_.limit(options.bounds.max_json_depth);
  return item.data.empty() || payload_.parse(item.data);
}

void stream::take_event(const sse_item& item, std::string& out) {
  if (!done_ && take_as_known(item, out)) return;
  ++counts.events;
  status why;
  if (done_ || item.data.empty()) {  // after the end, or a heartbeat
    out.append(item.raw);
  } else if (is_done(item.data)) {
    close_all(out);
    done_ = true;
    out.append(item.raw);
  } else if (item.event == "error") {
    pass_error(item, out);
  } else if (!read(item.data, payload_kind::event, why)) {
    pass_unread(item, why, out);
  } else if (read_.error) {
    pass_error(item, out);
  } else if (too_many_choices()) {
    pass_unread(item, {}, out);
  } else {
    take_payload(item, out);
  }
}

void stream::pass_error(const sse_item& item, std::string& out) {
  release_all(out);
  errored_ = true;
  out.append(item.raw);
}

void stream::pass_unread(const sse_item& item, status why, std::string& out) {
  ++counts.passed_through;
  if (why) error_ = {why.code, item.offset + item.raw_offset(why.offset)};
  release_all(out);
  out.append(item.raw);
}

// Reads a payload into `read_`. \return false: it is not JSON, or no dialect knows it.
bool stream::read(std::string_view payload, payload_kind kind, status& why) {
  payload_.limit(options.bounds.max_json_depth);
  why = payload_.parse(payload);
  if (why) return false;
  const bool known = spoken != nullptr && reads_as(*spoken, kind, why);
  if (spoken != nullptr && !may_turn_out(known)) return known;
  bool tried = false;
  for (const dialect* candidate : dialects()) {
    if (candidate == spoken) break;  // what follows it is more general
    if (!may_become(*candidate) || !candidate->recognise(payload_.root(), kind)) continue;
    tried = true;
    if (!reads_as(*candidate, kind, why)) continue;
    speak(candidate);
    memory_.forget();  // what it knows was read otherwise
    reopen_choices();
    return true;
  }
  if (spoken == nullptr) return reads_anyhow(kind, why);
  if (!tried) return known;
  why = {};
  return reads_as(*spoken, kind, why);
}

// The choices so far, which have no text yet, are read with the grammars of the dialect that is known by now.
void stream::reopen_choices() {
  if (!grammars_by_dialect_) return;
  for (std::size_t i = 0; i < choice_count; ++i) {
    choice_state& old = *choices[i];
    if (old.finished || same_grammars(*old.spoken, *grammars_of_, given_)) continue;
    auto one = std::make_unique<choice_state>(old.choice, options, grammars_of_);
    for (const reference& ref : old.text.cites().references()) one->text.add_reference(ref);
    settle_shape(old);
    one->shape = std::move(old.shape);
    one->referenced = old.referenced;
    choices[i] = std::move(one);
  }
}

// Whether a stream taken for one of a general form may turn out to be of another by this payload, read or
// not: one before the first text, or one with more than text. What the text is does not matter, so that
// events that are alike but for it need not be asked.
bool stream::may_turn_out(bool read) const noexcept {
  if (options.dialect != nullptr || !spoken->general) return false;
  const auto goes_on = [](const choice_event& found) {
    return found.slot == text_slot::string && !found.finished;
  };
  return !read || !texts_begun_ || std::none_of(read_.choices.begin(), read_.choices.end(), goes_on);
}

// What was read with some grammars is not read again with others.
bool stream::may_become(const dialect& other) const noexcept {
  return !texts_begun_ || !grammars_by_dialect_ || std::ranges::equal(other.grammars, spoken->grammars);
}

bool stream::reads_as(const dialect& candidate, payload_kind kind, status& why) {
  read_.clear();
  read_.every_text = guards();
  const bool known = candidate.read(payload_.root(), kind, read_);
  if (!payload_.duplicate()) return known;
  why = {errc::duplicate_key, 0};
  return false;
}

void stream::speak(const dialect* recognised) {
  spoken = recognised;
  if (recognised == nullptr) return;
  // Texts under way go on as they were begun, and others like them.
  if (texts_begun_ && grammars_of_ != nullptr) return;
  grammars_of_ = recognised;
  if (!grammars_by_dialect_) return;
  options.grammars.clear();
  append_grammars(*recognised, given_, options.grammars);
}

choice_state* stream::find(std::uint32_t choice) noexcept {
  if (choice < choice_count && choices[choice]->choice == choice) return choices[choice].get();  // mostly
  const auto at = std::ranges::lower_bound(by_number_, choice, {},
                                           [&](std::uint32_t place) { return choices[place]->choice; });
  const bool found = at != by_number_.end() && choices[*at]->choice == choice;
  return found ? choices[*at].get() : nullptr;
}

// Whether the payload has more choices than are followed. Parts of one choice's text follow each other.
bool stream::too_many_choices() const noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < read_.choices.size(); ++i) {
    if (i == 0 || read_.choices[i].choice != read_.choices[i - 1].choice) ++count;
  }
  return count > options.bounds.max_choices;
}

choice_state& stream::next_choice(std::uint32_t number) {
  const std::size_t place = choice_count++;
  if (place == choices.size()) choices.emplace_back();
  std::unique_ptr<choice_state>& one = choices[place];
  if (one != nullptr && (one->spoken == grammars_of_ || !grammars_by_dialect_)) {
    one->restart(number);
  } else {  // new, or from a stream whose citations look different
    one = std::make_unique<choice_state>(number, options, grammars_of_);
  }
  const auto at = std::ranges::lower_bound(by_number_, number, {},
                                           [&](std::uint32_t other) { return choices[other]->choice; });
  by_number_.insert(at, static_cast<std::uint32_t>(place));
  return *one;
}

// Makes a state for every choice in the payload, as far as choices are followed: others pass as they are.
void stream::open_choices() {
  bool passed = false;
  for (const choice_event& found : read_.choices) {
    if (find(found.choice) != nullptr) continue;
    if (choice_count >= options.bounds.max_choices) {
      passed = true;
      continue;
    }
    choice_state& one = next_choice(found.choice);
    for (const reference& ref : options.references) one.text.add_reference(ref);
    for (const reference& ref : shared_.references()) one.text.add_reference(ref);
    // The registry says nothing about what the provider may still send.
    one.referenced = (!options.references.empty() && !options.provenance) || !shared_.references().empty();
  }
  if (passed) ++counts.passed_through;
}

void stream::take_references() {
  for (const found_reference& found : read_.references) {
    beside_.know(found.ref, found.choice);
    if (found.choice) {
      choice_state* one = find(*found.choice);
      if (one == nullptr) continue;
      one->text.add_reference(found.ref);
      one->referenced = true;
      continue;
    }
    shared_.add_reference(found.ref);
    for (std::size_t i = 0; i < choice_count; ++i) {
      choices[i]->text.add_reference(found.ref);
      choices[i]->referenced = true;
    }
  }
}

void stream::take_payload(const sse_item& item, std::string& out) {
  open_choices();
  if (read_.choices.empty() && read_.references.empty()) release_all(out);  // usage only, or a notice
  if (!read_.choices.empty()) errored_ = false;                             // the answer goes on
  edits_.clear();
  take_references();
  take_beside(item.data, &item, out);
  bool settled = false;
  for (const choice_event& found : read_.choices) {
    choice_state* one = find(found.choice);
    if (one != nullptr && take_choice(item, found, *one, out)) settled = true;
  }
  if (settle_choices(out)) settled = true;
  texts_begun_ = texts_begun_ || has_text(read_);
  if (settled) add_citations(item.data);
  if (edits_.empty()) {
    out.append(item.raw);
  } else {
    edits_.apply(item, out);
  }
  if (!settled && read_.beside.empty()) learn(item);
  for (std::size_t i = 0; i < choice_count; ++i) {
    if (choices[i]->shape_due.item != nullptr) settle_shape(*choices[i]);
  }
  kept.release_current();
}

// What is cited without a marker, [begin, end) of the payload's list, stands where the text is now.
void stream::cite(choice_state& one, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) one.text.cite(read_.cited[i]);
}

void stream::push_text(const choice_event& found, choice_state& one) {
  if (found.cited.text == found.cited.end) return push_text(found.text, one);
  one.text.push(found.text, released_);
  cite(one, found.cited.text, found.cited.end);
  push_text(std::string_view(), one);  // it is placed at once
}

void stream::finish_choice(const choice_event& found, choice_state& one) {
  finish_text(one);
  one.finished = true;
  one.finish_reason.assign(found.finish_reason);
}

// The event under way is to be the choice's template, if there is room for it.
void stream::keep_like(const sse_item& item, const choice_event& found, choice_state& one) {
  if (!kept.has_room(item.data.size())) {
    if (!one.shape.usable()) finish_text(one);  // nothing could be sent later
    return;
  }
  one.shape.expect();
  one.shape_due = {};
  one.shape_due.item = &item;
  one.shape_due.own = &found;
}

// \return whether the choice is settled by this event.
bool stream::take_choice(const sse_item& item, const choice_event& found, choice_state& one,
                         std::string& out) {
  one.finish_expected = found.finish_expected;
  one.accumulates = found.mirror_accumulates;
  if (one.accumulates) one.arrive(found.text);
  released_.clear();
  cite(one, found.cited.begin, found.cited.text);
  if (found.slot == text_slot::string) {
    push_text(found, one);
    if (!found.text.empty() || !one.shape.usable()) keep_like(item, found, one);
  }
  if (found.finished) finish_choice(found, one);
  const bool settles = can_settle(one);
  if (settles) settle(one);
  place_text(item.data, found, one, out);
  place_mirror(found, one);
  return settles;
}

// Puts what was released where the text of this choice belongs in this event.
void stream::place_text(std::string_view payload, const choice_event& found, choice_state& one,
                        std::string& out) {
  const bool carries = found.slot != text_slot::none && (found.slot != text_slot::absent || found.holder);
  if (one.accumulates && carries) one.leave(released_);
  if (found.slot == text_slot::string && released_ == found.text) return;
  if (found.slot != text_slot::string && released_.empty()) return;
  if (!carries) {
    if (one.shape.usable()) add_event(one, {released_, {}, {}, {}}, out);  // in one before it
    return;
  }
  json_.clear();
  append_json_string(released_, json_);
  if (found.slot == text_slot::absent) {
    edits_.insert_member(payload, *found.holder, found.content_key, json_);
  } else {
    edits_.replace(found.token, json_);
  }
  if (found.mirror && !found.mirror_accumulates) edits_.replace(*found.mirror, json_);
}

// Keeps all of the text so far, where an event repeats it, what has left so far.
void stream::place_mirror(const choice_event& found, choice_state& one) {
  if (!found.mirror || !found.mirror_accumulates) return;
  // Text that came otherwise, in an event that could not be read, is nowhere else.
  one.repeats_other = !one.is_all(found.mirror_text);
  if (one.repeats_other) {
    if (guards() && guarded_mirror(one, found.mirror_text) != found.mirror_text) {
      edits_.replace(*found.mirror, json_);
    }
    return;
  }
  if (found.mirror_text == one.left) return;
  edits_.replace(*found.mirror, one.left_json);
}

// The text of a choice has ended: what was withheld is appended to `released_`.
void stream::finish_text(choice_state& one) {
  const std::size_t start = released_.size();
  one.text.finish(released_);
  events.text(one, {}, std::string_view(released_).substr(start));
  events.placed(one, {});
}

// Its end and references have both come, or it cites nothing that references still to come could mean.
bool stream::can_settle(choice_state& one) const noexcept {
  if (one.settled || !one.finished) return false;
  if (one.referenced) return true;
  one.waits = one.waits || !options.provenance || !one.text.keyed_by_request();
  return !one.waits;
}

// What is cited by now is all: the list that the style prints behind the text, if any, is appended to
// `released_`.
void stream::list_sources(choice_state& one) {
  const std::size_t start = released_.size();
  one.text.append_list(released_);
  events.text(one, {}, std::string_view(released_).substr(start));
}

void stream::settle(choice_state& one) {
  const std::size_t before = one.counted;
  one.text.resolve();
  one.count_resolved();
  list_sources(one);
  events.settled(one, before);
  one.settled = true;
  one.record_due = additions_.due(one);
  one.annotations_due = one.record_due && additions_.enabled() && !one.annotated;
}

// Resolves the choices that an event without them settles by its references. \return whether there were any.
bool stream::settle_choices(std::string& out) {
  bool any = false;
  for (std::size_t i = 0; i < choice_count; ++i) {
    choice_state& one = *choices[i];
    if (!can_settle(one)) continue;
    any = true;
    released_.clear();
    settle(one);
    if (!released_.empty() && one.shape.usable()) add_event(one, {released_, {}, {}, {}}, out);  // before it
  }
  return any;
}

// Adds the citations of the choices settled so far to the payload in `read_`.
void stream::add_citations(std::string_view payload) {
  if (!additions_.any() || read_.root.size() == 0) return;
  // Where such an object is there already, somebody before us has done this; ours would say less.
  const bool given = static_cast<bool>(payload_.root()["citestream"]);
  const std::string_view object = given ? std::string_view() : additions_.object(choices, choice_count);
  for (std::size_t i = 0; i < choice_count; ++i) {
    choices[i]->record_due = false;
    if (given) choices[i]->annotations_due = false;
  }
  if (object.empty()) return;
  for (const choice_event& found : read_.choices) {
    choice_state* one = find(found.choice);
    if (one != nullptr && one->annotations_due) add_annotations(payload, found, *one);
  }
  edits_.insert_member(payload, read_.root, "citestream", object);
}

void stream::add_annotations(std::string_view payload, const choice_event& found, choice_state& one) {
  if (!found.can_annotate || !found.holder) return;  // the next event that can takes them
  const byte_range list = found.annotations.value_or(byte_range{});
  const std::string_view ours = additions_.annotations(one, payload.substr(list.begin, list.size()));
  one.annotations_due = false;
  if (ours.empty()) return;
  one.annotated = true;
  json_.assign("[").append(ours).append("]");
  if (found.annotations) {
    edits_.replace(*found.annotations, json_);
  } else {
    edits_.insert_member(payload, *found.holder, "annotations", json_);
  }
}

void stream::note_open(std::string_view raw) {
  constexpr std::size_t enough = 4;  // CR LF CR LF
  open_.append(raw.substr(raw.size() - std::min(raw.size(), enough)));
  if (open_.size() > enough) open_.erase(0, open_.size() - enough);
}

// What is added after a block that lacks its blank line must not become part of it.
void stream::end_block(std::string& out) {
  if (open_.empty()) return;
  const std::size_t ends = line_ends(open_);
  // A LF behind a CR would only be the rest of the same line end.
  if (ends == 0 || (ends == 1 && open_.back() == '\r')) out += '\n';
  if (ends < 2) out += '\n';
  open_.clear();
}

void stream::add_event(choice_state& one, event_content content, std::string& out) {
  if (one.accumulates) one.leave(content.text);
  if (one.accumulates && (guards() || !one.repeats_other)) content.all_text = one.left;
  settle_shape(one);
  add_event(one.shape, content, out);
}

void stream::add_event(event_template& shape, const event_content& content, std::string& out) {
  end_block(out);
  shape_.limit(options.bounds.max_json_depth);
  shape.append(kept, shape_, content, out);
}

// Sends what is withheld of one choice in an event of its own: what follows must not overtake it.
void stream::release(choice_state& one, std::string& out) {
  if (!one.text.waiting()) return;
  released_.clear();
  finish_text(one);
  if (!released_.empty()) add_event(one, {released_, {}, {}, {}}, out);
}

void stream::release_all(std::string& out) {
  for (std::size_t i = 0; i < choice_count; ++i) release(*choices[i], out);
  release_beside(out);
}

// The stream has broken off: what is withheld leaves, and what is known of the sources.
void stream::break_off(std::string& out) {
  release_beside(out);
  for (std::size_t i = 0; i < choice_count; ++i) {
    choice_state& one = *choices[i];
    released_.clear();
    if (one.text.waiting()) finish_text(one);
    if (one.shape.usable()) list_sources(one);
    if (!released_.empty()) add_event(one, {released_, {}, {}, {}}, out);
  }
}

// The choice is complete: what is left of its text is its `rest`, its citations are resolved.
void stream::close(choice_state& one) {
  if (one.settled && !one.text.waiting() && !one.text.cites().pending()) return;
  released_.clear();
  finish_text(one);
  settle(one);
  one.rest.assign(released_);
}

// Whether there is something to say for a choice that no event has carried.
bool stream::has_rest(const choice_state& one) {
  if (!one.shape.usable()) return false;
  if (!one.rest.empty() || one.record_due) return true;
  return one.annotations_due && !additions_.annotations(one, {}).empty();
}

// The answer is complete and no further event will carry anything: what is left leaves in events of its own.
void stream::close_all(std::string& out) {
  release_beside(out);
  const choice_state* last = nullptr;
  bool record_due = false;
  for (std::size_t i = 0; i < choice_count; ++i) {
    close(*choices[i]);
    record_due = record_due || choices[i]->record_due;
    if (has_rest(*choices[i])) last = choices[i].get();
  }
  for (std::size_t i = 0; i < choice_count; ++i) {
    choice_state& one = *choices[i];
    if (!has_rest(one)) continue;
    event_content content{one.rest, {}, {}, {}};
    if (one.annotations_due) content.annotations = additions_.annotations(one, {});
    // The object is of all choices: the last event has it.
    if (&one == last && record_due) content.addition = additions_.object(choices, choice_count);
    add_event(one, content, out);
    one.annotated = one.annotated || !content.annotations.empty();
    one.annotations_due = one.record_due = false;
    one.rest.clear();
  }
  if (last == nullptr && record_due) record_beside(out);
}

// `cut_off`: inside an event.
bool stream::incomplete(stream_end how, bool cut_off) const noexcept {
  if (done_) return false;
  if (how == stream_end::aborted || cut_off) return true;
  if (errored_) return false;
  for (std::size_t i = 0; i < choice_count; ++i) {
    if (!choices[i]->finished && choices[i]->finish_expected) return true;
  }
  return false;
}

status stream::finish(std::string& out, stream_end how, std::string_view message, std::string_view code) {
  if (finished_) return {errc::finished, counts.bytes_in};
  error_ = {};
  kept.forget_reading();
  if (!carried_.empty()) decoder_.feed(carried_);
  decoder_.finish();
  bool cut_off = decoder_.cut_off();  // inside an event over the bound, which has been sent so far
  for (sse_item item; decoder_.next(item);) {
    if (!done_ && is_fragment(item)) {
      cut_off = true;
      continue;
    }
    take(item, out);
    note_open(item.raw);  // whatever it is, it lacks its end
  }
  finished_ = true;
  status result = error_;
  if (incomplete(how, cut_off)) {
    result = {errc::upstream_incomplete, counts.bytes_in};
    break_off(out);
    // A failure is said once, and a stream of an unknown form is given no events of ours.
    if (!errored_ && (spoken != nullptr || counts.events == 0)) {
      end_block(out);
      append_error_event(message, code, out);
    }
  } else {
    close_all(out);
  }
  return result;
}

status stream::rewrite_body(std::string_view body, std::string& out) {
  const bool late = std::exchange(finished_, true);
  counts.bytes_in += body.size();
  status why;
  if (late) {
    why = {errc::finished, counts.bytes_in};
  } else if (body.size() > options.bounds.max_body_bytes) {
    why = {errc::body_too_large, options.bounds.max_body_bytes};
  }
  if (why || !read(body, payload_kind::body, why) || read_.error || too_many_choices()) {
    const bool unread = why.code == errc::invalid_json || why.code == errc::json_too_deep;
    if (unread && json_scan::is_unfinished(body)) why = {errc::upstream_incomplete, counts.bytes_in};
    ++counts.passed_through;
    out.append(body);
    return why;
  }
  open_choices();
  edits_.clear();
  take_references();
  take_beside(body, nullptr, out);
  for (const choice_event& found : read_.choices) {
    choice_state* one = find(found.choice);
    if (one == nullptr) continue;
    released_.clear();
    cite(*one, found.cited.begin, found.cited.text);
    if (found.slot == text_slot::string) push_text(found, *one);
    if (found.finished) {  // not with a part of its text that others follow
      finish_choice(found, *one);
      settle(*one);
    }
    place_text(body, found, *one, out);
  }
  add_citations(body);
  edits_.apply(body, out);
  return {};
}

}  // namespace citestream

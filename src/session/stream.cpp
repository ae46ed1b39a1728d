#include "stream.hpp"

#include <citestream/rewrite/json.hpp>

#include <algorithm>
#include <utility>

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

}  // namespace

stream::stream(session_options given)
    : options(std::move(given)),
      events(options.typed_events),
      spoken(options.dialect),
      decoder_(options.bounds.max_event_bytes),
      payload_(options.bounds.max_json_depth),
      additions_(options) {
  shared_ = options.references;
}

void stream::reset() noexcept {
  events.clear();
  counts = {};
  spoken = options.dialect;
  choice_count = 0;
  decoder_.reset();
  shared_.resize(options.references.size());
  error_ = {};
  stream_references_ = passing_oversize_ = done_ = errored_ = unended_ = finished_ = false;
  tail_.clear();
}

status stream::write(std::string_view bytes, std::string& out) {
  if (finished_) return {errc::finished, counts.bytes_in};
  error_ = {};
  decoder_.feed(bytes);
  counts.bytes_in += bytes.size();
  for (sse_item item; decoder_.next(item);) take(item, out);
  return error_;
}

void stream::take(const sse_item& item, std::string& out) {
  switch (item.kind) {
    case sse_kind::event:
    case sse_kind::unterminated:
      take_event(item, out);
      break;
    case sse_kind::oversize:
      if (!passing_oversize_) {
        release_all(out);
        ++counts.events;
        ++counts.passed_through;
        error_ = {errc::event_too_large, item.offset};
      }
      out.append(item.raw);
      break;
    case sse_kind::other:
      out.append(item.raw);
      break;
  }
  passing_oversize_ = item.kind == sse_kind::oversize;
  unended_ = passing_oversize_;
}

void stream::take_event(const sse_item& item, std::string& out) {
  ++counts.events;
  if (done_ || item.data.empty()) {  // after the end, or a heartbeat
    out.append(item.raw);
  } else if (item.data == "[DONE]") {
    close_all(out);
    done_ = true;
    out.append(item.raw);
  } else if (item.event == "error") {
    release_all(out);
    errored_ = true;
    out.append(item.raw);
  } else if (!read(item.data, payload_kind::event)) {
    if (item.kind == sse_kind::unterminated && error_ && choice_count > 0) {
      tail_.assign(item.raw);  // cut off inside: nothing may follow it, so it leaves last
      return;
    }
    pass_unread(item, out);
  } else if (read_.error) {
    release_all(out);
    errored_ = true;
    out.append(item.raw);
  } else {
    take_payload(item, out);
  }
}

void stream::pass_unread(const sse_item& item, std::string& out) {
  release_all(out);
  ++counts.passed_through;
  if (error_) error_.offset += item.offset;
  out.append(item.raw);
}

// Reads a payload into `read_`. \return false: it is not JSON, or no dialect knows it.
bool stream::read(std::string_view payload, payload_kind kind) {
  error_ = payload_.parse(payload);
  if (error_) return false;
  if (spoken != nullptr) return reads_as(*spoken, kind);
  for (const dialect* candidate : dialects()) {
    if (candidate->recognise(payload_.root(), kind) && reads_as(*candidate, kind)) {
      spoken = candidate;
      return true;
    }
  }
  return false;
}

bool stream::reads_as(const dialect& candidate, payload_kind kind) {
  read_.clear();
  const bool known = candidate.read(payload_.root(), kind, read_);
  if (!payload_.duplicate()) return known;
  error_ = {errc::duplicate_key, 0};
  return false;
}

choice_state* stream::find(std::uint32_t choice) noexcept {
  for (std::size_t i = 0; i < choice_count; ++i) {
    if (choices[i]->choice == choice) return choices[i].get();
  }
  return nullptr;
}

// Makes a state for every choice in the payload. \return false where there are more than are followed.
bool stream::open_choices() {
  for (const choice_event& found : read_.choices) {
    if (find(found.choice) != nullptr) continue;
    if (choice_count >= options.bounds.max_choices) return false;
    if (choice_count == choices.size()) {
      choices.push_back(std::make_unique<choice_state>(found.choice, options));
    } else {
      choices[choice_count]->restart(found.choice);
    }
    choice_state& one = *choices[choice_count++];
    for (const reference& ref : shared_) one.text.add_reference(ref);
    one.referenced = !options.references.empty() || stream_references_;
  }
  return true;
}

void stream::take_references() {
  for (const found_reference& found : read_.references) {
    if (found.choice) {
      choice_state* one = find(*found.choice);
      if (one == nullptr) continue;
      one->text.add_reference(found.ref);
      one->referenced = true;
      continue;
    }
    stream_references_ = true;
    if (shared_.size() < options.bounds.max_references) shared_.push_back(found.ref);
    for (std::size_t i = 0; i < choice_count; ++i) {
      choices[i]->text.add_reference(found.ref);
      choices[i]->referenced = true;
    }
  }
}

void stream::take_payload(const sse_item& item, std::string& out) {
  if (!open_choices()) return pass_unread(item, out);
  if (read_.choices.empty() && read_.references.empty()) release_all(out);  // usage only, or a notice
  edits_.clear();
  take_references();
  for (const choice_event& found : read_.choices) take_choice(item, found, out);
  if (settle_choices() && additions_.enabled()) add_citations(item.data);
  if (edits_.empty()) {
    out.append(item.raw);
  } else {
    edits_.apply(item, out);
  }
}

void stream::take_choice(const sse_item& item, const choice_event& found, std::string& out) {
  choice_state& one = *find(found.choice);
  one.finish_expected = found.finish_expected;
  released_.clear();
  if (found.slot == text_slot::string) {
    one.text.push(found.text, released_);
    events.text(one, counts.deltas, released_);
    events.placed(one, counts.deltas);
    ++counts.deltas;
    if (!found.text.empty() || !one.shape.usable()) one.shape.remember(item, read_, found);
  }
  if (found.finished) {
    finish_text(one);
    one.finished = true;
    one.finish_reason.assign(found.finish_reason);
  }
  place_text(item.data, found, one, out);
}

// Puts what was released where the text of this choice belongs in this event.
void stream::place_text(std::string_view payload, const choice_event& found, choice_state& one,
                        std::string& out) {
  if (found.slot == text_slot::string && released_ == found.text) return;
  if (found.slot != text_slot::string && released_.empty()) return;
  json_.clear();
  append_json_string(released_, json_);
  switch (found.slot) {
    case text_slot::string:
    case text_slot::null:
      edits_.replace(found.token, json_);
      if (found.mirror) edits_.replace(*found.mirror, json_);
      break;
    case text_slot::absent:
      if (found.holder) {
        edits_.insert_member(payload, *found.holder, found.content_key, json_);
        break;
      }
      [[fallthrough]];
    case text_slot::none:
      one.shape.append(released_, {}, {}, out);  // the event cannot carry it: one before it
  }
}

// The text of a choice has ended: what was withheld is appended to `released_`.
void stream::finish_text(choice_state& one) {
  const std::size_t start = released_.size();
  one.text.finish(released_);
  events.text(one, {}, std::string_view(released_).substr(start));
  events.placed(one, {});
}

void stream::settle(choice_state& one) {
  one.text.resolve();
  one.settled = true;
  events.settled(one);
}

// Resolves the choices whose end and references have both come. \return whether there were any.
bool stream::settle_choices() {
  bool any = false;
  for (std::size_t i = 0; i < choice_count; ++i) {
    choice_state& one = *choices[i];
    if (one.settled || !one.finished || !one.referenced) continue;
    settle(one);
    one.fresh = true;
    any = true;
  }
  return any;
}

// Adds the citations of the choices settled so far to the event in `read_`.
void stream::add_citations(std::string_view payload) {
  const std::string_view object = additions_.object(choices, choice_count);
  if (object.empty()) return;
  for (const choice_event& found : read_.choices) {
    choice_state& one = *find(found.choice);
    if (!std::exchange(one.fresh, false) || !found.can_annotate || !found.holder) continue;
    const byte_range list = found.annotations.value_or(byte_range{});
    const std::string_view ours = additions_.annotations(one, payload.substr(list.begin, list.size()));
    if (ours.empty()) continue;
    json_.assign("[").append(ours).append("]");
    if (found.annotations) {
      edits_.replace(*found.annotations, json_);
    } else {
      edits_.insert_member(payload, *found.holder, "annotations", json_);
    }
  }
  edits_.insert_member(payload, read_.root, "citestream", object);
}

// What is added after an event that lacks its blank line must not become part of it.
void stream::end_line(std::string& out) const {
  if (!unended_) return;
  if (out.empty() || (out.back() != '\n' && out.back() != '\r')) out += '\n';
  out += '\n';
}

// Sends what is withheld of one choice in an event of its own: what follows must not overtake it.
void stream::release(choice_state& one, std::string& out) {
  if (one.text.held() == 0) return;
  released_.clear();
  finish_text(one);
  if (released_.empty()) return;
  end_line(out);
  one.shape.append(released_, {}, {}, out);
}

void stream::release_all(std::string& out) {
  for (std::size_t i = 0; i < choice_count; ++i) release(*choices[i], out);
}

bool stream::wants_addition(const choice_state& one) const noexcept {
  const citations& cites = one.text.cites();
  return additions_.enabled() && (!cites.all().empty() || !cites.references().empty());
}

// The answer is complete and no further event will carry anything: what is left leaves in events of its own.
void stream::close_all(std::string& out) {
  choice_state* last = nullptr;
  for (std::size_t i = 0; i < choice_count; ++i) {
    choice_state& one = *choices[i];
    if (one.settled && one.text.held() == 0 && !one.text.cites().pending()) continue;
    released_.clear();
    finish_text(one);
    settle(one);
    if (released_.empty() && !wants_addition(one)) continue;
    if (!one.shape.usable()) continue;
    if (last != nullptr) {  // the object goes into the last one, cumulative
      end_line(out);
      last->shape.append(json_, additions_.enabled() ? additions_.annotations(*last, {}) : "", {}, out);
    }
    last = &one;
    json_.assign(released_);
  }
  if (last == nullptr) return;
  end_line(out);
  const bool add = additions_.enabled();
  const std::string_view object = add ? additions_.object(choices, choice_count) : std::string_view();
  last->shape.append(json_, add ? additions_.annotations(*last, {}) : std::string_view(), object, out);
}

bool stream::incomplete(stream_end how) const noexcept {
  if (done_ || errored_) return false;
  if (how == stream_end::aborted) return true;
  for (std::size_t i = 0; i < choice_count; ++i) {
    if (!choices[i]->finished && choices[i]->finish_expected) return true;
  }
  return false;
}

status stream::finish(std::string& out, stream_end how, std::string_view message, std::string_view code) {
  if (finished_) return {errc::finished, counts.bytes_in};
  error_ = {};
  decoder_.finish();
  for (sse_item item; decoder_.next(item);) {
    take(item, out);
    unended_ = true;  // whatever it is, it lacks its end
  }
  finished_ = true;
  status result = error_;
  if (incomplete(how)) {
    result = {errc::upstream_incomplete, counts.bytes_in};
    release_all(out);
    if (spoken != nullptr || counts.events == 0) {  // a stream of an unknown form is given no events of ours
      end_line(out);
      append_error_event(message, code, out);
    }
  } else {
    close_all(out);
  }
  out.append(tail_);
  return result;
}

status stream::rewrite_body(std::string_view body, std::string& out) {
  counts.bytes_in += body.size();
  if (body.size() > options.bounds.max_body_bytes) {
    out.append(body);
    return {errc::body_too_large, options.bounds.max_body_bytes};
  }
  error_ = {};
  if (!read(body, payload_kind::body) || read_.error || !open_choices()) {
    ++counts.passed_through;
    out.append(body);
    return error_;
  }
  edits_.clear();
  take_references();
  for (const choice_event& found : read_.choices) {
    choice_state& one = *find(found.choice);
    released_.clear();
    if (found.slot == text_slot::string) {
      one.text.push(found.text, released_);
      events.text(one, counts.deltas, released_);
      events.placed(one, counts.deltas);
      ++counts.deltas;
    }
    finish_text(one);
    one.finished = true;
    one.finish_reason.assign(found.finish_reason);
    place_text(body, found, one, out);
    settle(one);
    one.fresh = true;
  }
  if (additions_.enabled()) add_citations(body);
  edits_.apply(body, out);
  return {};
}

}  // namespace citestream

// How the reader works.
//
// Events that are not known come from the decoder. interpret() decides what each of them is, and
// read_payload() parses it and has the dialect read it.
#include "event_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/field_text.hpp"
#include "chunk/json_scan.hpp"

namespace citestream {

namespace {

bool is_done(std::string_view data) noexcept {
  return http::trim(data) == "[DONE]";
}

/// Returns true if a text begins or continues.
bool brings_text(const dialect_event& content) noexcept {
  return std::ranges::any_of(content.choices, [](const choice_event& found) {
    return found.unit.begins || found.slot == text_slot::string;
  });
}

}  // namespace

event_reader::event_reader(const session_options& options, document& parsed, dialect_event& content,
                           session_statistics& counts, bool small)
    : bounds_(&options.bounds),
      parsed_(&parsed),
      content_(&content),
      counts_(&counts),
      recognition_(options),
      decoder_(options.bounds.max_event_bytes),
      known_(options.bounds, small, decoder_) {}

void event_reader::reset() noexcept {
  recognition_.reset();
  decoder_.reset();
  known_.reset();
  oversize_ = {};
  done_ = false;
}

bool event_reader::finish() {
  known_.finish();
  decoder_.finish();
  return decoder_.cut_off();
}

/// Tells the recognition if this is the first text.
void event_reader::note_text(const dialect_event& content) noexcept {
  const auto any = [](const choice_event& found) { return !found.text.empty(); };
  if (!content.cited.empty() || std::any_of(content.choices.begin(), content.choices.end(), any))
    recognition_.note_text();
}

/// Returns the next reading if it is not known.
bool event_reader::decode_next(event_reading& out) {
  if (known_.keeps_all()) return false;
  if (!decoder_.next(item_)) return known_.feed_rest() && next(out);
  interpret(out);
  return true;
}

void event_reader::interpret(event_reading& out) {
  out = {};
  out.item = &item_;
  switch (item_.kind) {
    case frame_kind::event:
    case frame_kind::unterminated:
      return interpret_event(out);
    case frame_kind::oversize:
      return read_oversize(out);
    case frame_kind::foreign:
      out.kind = reading_kind::oversize;
      return;
    case frame_kind::end:
      out.kind = done_ ? reading_kind::other : reading_kind::done;
      done_ = true;
      return;
    case frame_kind::cut:
      out.kind = done_ ? reading_kind::other : reading_kind::unfinished;
      return;
    case frame_kind::other:
      out.kind = reading_kind::other;
  }
}

void event_reader::read_oversize(event_reading& out) {
  out.kind = reading_kind::oversize;
  const status seen = decoder_.error();
  if (oversize_ && seen.offset == oversize_.offset) return;
  out.why = oversize_ = seen;
  ++counts_->events;
  ++counts_->passed_through;
}

void event_reader::interpret_event(event_reading& out) {
  if (item_.kind == frame_kind::unterminated && !done_ && is_cut(item_)) {
    out.kind = reading_kind::unfinished;
    return;
  }
  ++counts_->events;
  const bool heartbeat = item_.data.empty() || item_.data == "{}";
  const dialect* const spec = recognition_.current();
  const bool over = done_ && (spec == nullptr || !spec->stream.joins_answers || is_done(item_.data));
  if (over || (heartbeat && !item_.failure)) {
    out.kind = reading_kind::other;
  } else if (is_done(item_.data)) {
    done_ = true;
    out.kind = reading_kind::done;
  } else if (item_.failure || item_.event == "error") {
    out.kind = reading_kind::error;
  } else {
    read_payload(out);
  }
}

/// Returns true if the end of the stream cut off the data of an event without its blank line, or a line
/// without its line end. A whole JSON text and `[DONE]` are complete. Data that is the start of neither is
/// malformed.
bool event_reader::is_cut(const frame& item) {
  if (is_done(item.data)) return false;
  parsed_->limit(bounds_->max_json_depth);
  return item.data.empty() || (parsed_->parse(item.data) && json_scan::is_unfinished(item.data));
}

void event_reader::read_payload(event_reading& out) {
  const auto message = item_.message != nullptr ? std::optional(item_.event) : std::nullopt;
  const auto [read, changed, why] =
      recognition_.read(item_.data, payload_kind::event, message, *parsed_, *content_);
  out.why = why;
  if (changed) {
    known_.cache().forget();  // its events were read with another dialect
    out.dialect_is_new = true;
  }
  if (!read || (!content_->signals.error && too_many_choices())) {
    out.kind = read || out.why ? reading_kind::unread : reading_kind::unknown;
    if (out.why) out.why.offset = item_.offset + item_.raw_offset(out.why.offset);
    ++counts_->passed_through;
    return;
  }
  out.kind = content_->signals.error ? reading_kind::error : reading_kind::answer;
  done_ = content_->signals.last || (done_ && !brings_text(*content_));
  out.content = content_;
  if (out.kind != reading_kind::answer) return;
  out.root = parsed_->root();
  note_text(*content_);
}

/// Returns true if the payload has more choices than the limit. Consecutive parts of one choice count once.
bool event_reader::too_many_choices() const noexcept {
  std::size_t count = 0;
  const std::vector<choice_event>& all = content_->choices;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i].choice != all[i - 1].choice) ++count;
  }
  return count > bounds_->max_choices;
}

void event_reader::read_repeat_as_text(choice_event& found) noexcept {
  if (!found.mirror.token || found.mirror.text.empty()) return;
  found.slot = text_slot::string;
  found.token = *found.mirror.token;
  found.text = found.mirror.text;
  found.unit.ends = !found.end.here;  // clients treat it as the whole answer: nothing is held back
}

choice_event event_reader::take_repeat(std::size_t index) {
  text_repeat& found = content_->repeats[index];
  choice_event text;
  text.choice = found.choice;
  text.unit.id = found.unit;
  text.unit.name = found.output_item;
  text.slot = text_slot::string;
  text.text = found.text;
  text.token = std::exchange(found.token, std::nullopt).value_or(byte_range{});
  text.keeps_text = true;
  text.end.expected = false;
  return text;
}

body_reading event_reader::read_body(std::string_view body) {
  recognised_payload found;
  if (body.size() > bounds_->max_body_bytes) {
    found.why = {errc::body_too_large, bounds_->max_body_bytes};
  } else {
    found = recognition_.read(body, payload_kind::body, std::nullopt, *parsed_, *content_);
  }
  if (found.read && !content_->signals.error && !too_many_choices()) return {content_, {}};
  if ((found.why.code == errc::invalid_json || found.why.code == errc::json_too_deep) &&
      json_scan::is_unfinished(body))
    found.why = {errc::upstream_incomplete, body.size()};
  ++counts_->passed_through;
  return {nullptr, found.why};
}

const learned_event* event_reader::learn(const event_reading& last, event_cache::text_bits all,
                                         std::size_t open) {
  return known_.cache().learn(*last.item, *last.content, *parsed_, all, open);
}

}  // namespace citestream

// How the reader works.
//
// Between two events, next() looks in the cache first (find_next()). If the cache knows the event, the
// decoder skips its bytes. Otherwise the decoder returns the next item, and interpret() parses it and reads
// it with the dialect.
//
// If a read ends inside an event that may be known, its bytes are kept in `cut_`, outside the decoder. The
// next read continues the comparison where it stopped (continue_cut()), so a known event costs no parse and
// no second comparison, however it is divided. If it turns out to be unknown, the decoder gets the kept
// bytes.
//
// Invariant: with the cache off, the readings have the same content and the same bytes.
#include "event_reader.hpp"

#include <algorithm>
#include <optional>

#include "chunk/json_scan.hpp"

namespace citestream {

namespace {

bool is_done(std::string_view data) noexcept {
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = data.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return false;
  return data.substr(begin, data.find_last_not_of(blanks) + 1 - begin) == "[DONE]";
}

/// How many bytes to append to the first `given` bytes of an event that is probably like `known`.
std::size_t wanted(const learned_event& known, std::size_t given) noexcept {
  constexpr std::size_t slack = 64;
  const std::size_t expected = known.shape.event().size();
  return expected >= given ? expected - given + slack : given / 2;
}

}  // namespace

event_reader::event_reader(const session_options& options, document& parsed, dialect_event& content,
                           session_statistics& counts, bool small)
    : bounds_(&options.bounds),
      parsed_(&parsed),
      content_(&content),
      counts_(&counts),
      recognition_(options),
      cache_(options.bounds, small),
      decoder_(options.bounds.max_event_bytes) {}

void event_reader::reset() noexcept {
  recognition_.reset();
  cache_.forget();
  decoder_.reset();
  cut_.now = cut_event::state::none;
  cut_.bytes.clear();
  rest_ = {};
  oversize_ = {};
  done_ = ended_ = false;
}

[[gnu::hot]] void event_reader::feed(std::string_view bytes) {
  if (cut_.now != cut_event::state::waiting) return decoder_.feed(bytes);
  cut_.rest = bytes;
  cut_.now = cut_event::state::fed;
}

bool event_reader::finish() {
  if (!cut_.bytes.empty()) decoder_.feed(cut_.bytes);
  decoder_.finish();
  cut_.now = cut_event::state::none;
  ended_ = true;
  return decoder_.cut_off();
}

/// Tells the recognition if this is the first text.
void event_reader::note_text(const dialect_event& content) noexcept {
  const auto any = [](const choice_event& found) { return !found.text.empty(); };
  if (!content.cited.empty() || std::any_of(content.choices.begin(), content.choices.end(), any))
    recognition_.note_text();
}

/// Continues with the event that a read cut off. Returns true if it is known and complete. If it is not
/// known, the bytes kept of it are fed to the decoder.
bool event_reader::continue_cut(event_reading& out) {
  const std::size_t before = cut_.bytes.size();
  cache_result found{nullptr, cut_.known};
  for (std::string_view rest = cut_.rest; found.cut != nullptr;) {
    if (rest.empty()) {
      cut_.now = cut_event::state::waiting;
      cut_.known = found.cut;
      return false;
    }
    const std::size_t more = std::min(rest.size(), wanted(*found.cut, cut_.bytes.size()));
    cut_.bytes.append(rest, 0, more);
    rest.remove_prefix(more);
    found = cache_.find_more(cut_.bytes, *found.cut);
  }
  if (found.known != nullptr) {
    decoder_.feed(cut_.rest);
    decoder_.skip(found.known->item.raw.size() - before, before);
    cut_.now = cut_event::state::given;
    take_known(*found.known, false, out);
    return true;
  }
  decoder_.feed(std::string_view(cut_.bytes).substr(0, before));
  cut_.now = cut_event::state::refused;
  return false;
}

/// Keeps bytes that may be the start of a known event for the next read.
void event_reader::keep_cut(std::string_view in, learned_event& known) {
  cut_.known = &known;
  cut_.bytes.reserve(in.size() + wanted(known, in.size()));
  cut_.bytes.assign(in);
  cut_.now = cut_event::state::waiting;
  decoder_.put_off();
}

/// Returns the next reading if the cache has not found it.
bool event_reader::decode_next(event_reading& out) {
  if (cut_.now != cut_event::state::none) {
    if (cut_.now == cut_event::state::fed && continue_cut(out)) return true;
    if (cut_.now == cut_event::state::waiting) return false;
    if (cut_.now == cut_event::state::refused) {
      if (decoder_.next(item_)) {  // an element that only seemed to go on: its text is not UTF-8
        interpret(out);
        return true;
      }
      decoder_.feed(cut_.rest);
    }
    cut_.bytes.clear();
    cut_.now = cut_event::state::none;
    if (find_next(out)) return true;
    if (cut_.now == cut_event::state::waiting) return false;
  }
  if (!decoder_.next(item_)) return false;
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
    case frame_kind::end:
      out.kind = done_ ? reading_kind::other : reading_kind::done;
      done_ = true;
      return;
    case frame_kind::other:
      out.kind = ends_inside_block() ? reading_kind::unfinished : reading_kind::other;
  }
}

/// Returns true if the end of the stream cut off the item: a block without data, or a message. Bytes between
/// the elements of an array are complete.
bool event_reader::ends_inside_block() const noexcept {
  return ended_ && !done_ && framing() != stream_framing::array && decoder_.cut_off();
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
  if (item_.kind == frame_kind::event && !done_ && item_.raw.data() != rest_.data()) {
    learned_event* const known = cache_.find(item_.raw).known;  // the decoder joined it from several reads
    if (known != nullptr) return take_known(*known, false, out);
  }
  if (item_.kind == frame_kind::unterminated && !done_ && is_cut(item_)) {
    out.kind = reading_kind::unfinished;
    return;
  }
  ++counts_->events;
  const bool heartbeat = item_.data.empty() || item_.data == "{}";
  if (done_ || (heartbeat && !item_.failure)) {
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
/// without its line end. A whole JSON text and `[DONE]` are complete, and a line that is not the start of a
/// JSON text is malformed.
bool event_reader::is_cut(const frame& item) {
  if (is_done(item.data)) return false;
  parsed_->limit(bounds_->max_json_depth);
  if (!item.data.empty() && !parsed_->parse(item.data)) return false;
  return framing() != stream_framing::ndjson || json_scan::is_unfinished(item.data);
}

void event_reader::read_payload(event_reading& out) {
  const dialect* const before = recognition_.current();
  const auto message = item_.message != nullptr ? std::optional(item_.event) : std::nullopt;
  const bool read = recognition_.read(item_.data, payload_kind::event, message, *parsed_, *content_, out.why);
  if (recognition_.current() != before) {
    cache_.forget();  // its events were read with another dialect
    out.dialect_is_new = true;
  }
  if (!read || (!content_->signals.error && too_many_choices())) {
    out.kind = reading_kind::unread;
    if (out.why) out.why.offset = item_.offset + item_.raw_offset(out.why.offset);
    ++counts_->passed_through;
    return;
  }
  out.kind = content_->signals.error ? reading_kind::error : reading_kind::answer;
  done_ = content_->signals.last;
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
  found.unit.ends = !found.end.here;  // clients take it for all of the answer: nothing is held back
}

body_reading event_reader::read_body(std::string_view body) {
  status why;
  if (body.size() > bounds_->max_body_bytes) {
    why = {errc::body_too_large, bounds_->max_body_bytes};
  } else if (recognition_.read(body, payload_kind::body, std::nullopt, *parsed_, *content_, why)) {
    if (!content_->signals.error && !too_many_choices()) return {content_, {}};
  } else if ((why.code == errc::invalid_json || why.code == errc::json_too_deep) &&
             json_scan::is_unfinished(body)) {
    why = {errc::upstream_incomplete, body.size()};
  }
  ++counts_->passed_through;
  return {nullptr, why};
}

const learned_event* event_reader::learn(const event_reading& last, const std::vector<bool>& all,
                                         std::size_t open) {
  return cache_.learn(*last.item, *last.content, *parsed_, all, open);
}

}  // namespace citestream

// How events are added between those of the upstream.
//
// An added event must start a block or line of its own. At the end of a stream, or after a piece of an
// oversized event, the bytes sent last may lack their line ends. Their last four bytes are kept in `open_`,
// and end_block() writes the line ends that are missing. A binary message and an element of an array cannot
// be ended: after a part of one, nothing is added.
#include "event_adder.hpp"

#include <algorithm>
#include <functional>

#include "chunk/json_scan.hpp"
#include "dialect/payload_parts.hpp"
#include "rewrite/json.hpp"

namespace citestream {

namespace {

/// Appends the payload of an error event if the dialect has no form of its own. Clients of NDJSON raise on
/// `{"error":"…"}`, clients of chat completions on `{"error":{"message":…}}`.
void append_error(const failure_event& one, stream_framing how, std::string& out) {
  if (how == stream_framing::ndjson) return append_all(out, "{\"error\":", one.message, "}");
  append_all(out, "{\"error\":{\"message\":", one.message, ",\"type\":\"upstream_error\",\"code\":", one.code,
             "}}");
}

/// Returns true if an event contains text. Such events may be learned, so their numbers are not read.
bool has_text(const dialect_event& content) noexcept {
  return std::ranges::any_of(
      content.choices, [](text_slot slot) { return slot == text_slot::string; }, &choice_event::slot);
}

/// Returns \p text as JSON. Texts of an upstream may not be UTF-8: all of their bytes that are not ASCII are
/// then replaced.
std::string quoted(std::string_view text, std::string_view otherwise) {
  std::string out = json_string(text.empty() ? otherwise : text);
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!json_scan::is_utf8(out)) std::ranges::replace_if(out, std::not_fn(ascii), '?');
  return out;
}

}  // namespace

void event_adder::add(choice_state& choice, event_content content, event_output& out) {
  repeated_text& repeats = choice.units.current.repeats;
  if (repeats.on()) {
    repeats.send(content.text);
    const bool guarded = options_->egress != egress_mode::off;
    if (guarded || !repeats.differs()) content.all_text = repeats.sent().text();
  }
  add(templates_->make(choice), content, out);
}

void event_adder::add(event_template& shape, const event_content& content, event_output& out) {
  std::string* const text = begin(out);
  if (text == nullptr) return;
  copies_->reader.limit(options_->bounds.max_json_depth);
  shape.append(*copies_, content, place(), numbers_, *text);
}

void event_adder::add(const own_event& event, event_output& out) {
  if (std::string* const text = begin(out))
    append_frame(place(), reader_->sent_type(event.type), event.payload, *text);
}

std::string* event_adder::begin(event_output& out) {
  const bool closable = reader_->framing() != stream_framing::eventstream && !reader_->inside_element();
  if (!open_.empty() && !closable) return nullptr;
  std::string& text = out.text();
  end_block(text);
  return &text;
}

json_value event_adder::read(std::string_view payload) {
  copies_->reader.limit(options_->bounds.max_json_depth);
  return copies_->reader.parse(payload) ? json_value() : copies_->reader.root();
}

replaced_event event_adder::replaced(const event_reading& one) {
  if (one.root) return {*one.item, one.root};
  replaced_event out;
  choice_event own;
  reader_->cache().restore(*one.shape, one.item->raw, 0, out.item, own);
  out.root = read(out.item.data);
  return out;
}

void event_adder::replace(const frame& item, const own_event& event, event_output& out) {
  frame_place at = place();
  at.line_end = line_end_of(item.raw);
  const std::string_view type = reader_->sent_type(event.type);
  append_frame(at, item.event.empty() ? item.event : type, event.payload, out.text());
}

void event_adder::note_received(const event_reading& one) noexcept {
  if (line_end_.empty()) line_end_ = line_end_of(one.item->raw);
  numbers_.start(reader_->dialect_of().current()->stream.event_number);
  if (one.content->signals.resumable) numbers_.freeze();
  if (numbers_.shifted() || !has_text(*one.content)) numbers_.note_received(one.root);
}

void event_adder::write_number(const event_reading& one, splicer& edits) {
  const bool shifted = numbers_.shifted();
  if (shifted || !has_text(*one.content)) numbers_.write_number(replaced(one).root, edits);
  if (shifted) reader_->cache().turn_off();  // each event has to be parsed
}

void event_adder::pass(const frame& item, event_output& out) {
  splicer& edits = copies_->edits;
  edits.begin(item.data);
  const json_value root = numbers_.on() ? read(item.data) : json_value();
  if (root) numbers_.write_number(root, edits);
  if (edits.empty() || root.ambiguous()) {
    out.pass(item.raw);
  } else {
    edits.apply(item, out);
  }
  note_whole();
}

void event_adder::note_number(choice_state& choice) {
  const event_template& last = templates_->make(choice);
  if (numbers_.on()) numbers_.note_sent(read(last.payload()));
}

void event_adder::add_error(std::string_view message, std::string_view code, const choice_list& choices,
                            event_output& out) {
  for (const auto& choice : choices.all()) note_number(*choice);
  const std::string why = quoted(message, "the upstream ended inside the answer");
  const std::string name = quoted(code, "upstream_incomplete");
  const dialect* const spec = reader_->dialect_of().current();
  const failure_form form = spec == nullptr ? failure_form{} : spec->failures;
  std::string* const text = begin(out);
  if (text == nullptr) return;
  frame_place at = place();
  at.last = true;
  std::string payload;
  const failure_event failure{why, name, numbers_.take()};
  if (at.how == stream_framing::eventstream) {
    append_message_body(failure, payload);
    return append_exception_message(form.exception, payload, *text);
  }
  if (form.append_event != nullptr) {
    form.append_event(failure, payload);
  } else {
    append_error(failure, at.how, payload);
  }
  append_frame(at, form.event_type, payload, *text);
}

void event_adder::note_open(std::string_view raw) {
  constexpr std::size_t enough = 4;  // CR LF CR LF
  open_.append(raw.substr(raw.size() - std::min(raw.size(), enough)));
  if (open_.size() > enough) open_.erase(0, open_.size() - enough);
}

void event_adder::end_block(std::string& out) {
  const frame_place at = place();
  close_frame(at.how, open_, at.line_end, out);
  open_.clear();
}

}  // namespace citestream

// How an added event is built.
//
// A template is a complete event of the provider. append() parses it again and walks from the root to the
// text (leads_to_text()). On the way it drops list elements of other choices, replaces the text, and sets to
// null every other member that a client would count or append a second time (must_not_repeat()). If the text
// is at the top level, it leaves these members out (edit_plain()). Identifiers, model names and other short
// strings are kept, so that the added event looks like its neighbours. Then annotations and records are
// inserted.
//
// The cost is one parse per added event. Within one call, consecutive events from one template share it.
#include "event_template.hpp"

#include <algorithm>

#include "base/decimal.hpp"
#include "event_cache.hpp"
#include "rewrite/json.hpp"

namespace citestream {

namespace {

/// Events up to this size are always kept.
constexpr std::size_t small_event = 64 * 1024;

/// Longer strings next to the text are not repeated. Identifiers, model names and padding are shorter.
constexpr std::size_t longest_repeated = 1024;

bool within(byte_range inner, byte_range outer) noexcept {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

}  // namespace

std::optional<std::int64_t> event_numbers::number_of(json_value event) const noexcept {
  if (member_.empty()) return std::nullopt;
  const auto number = event[member_].integer();
  return number && *number >= 0 && *number <= max_exact_integer ? number : std::nullopt;
}

void event_numbers::note_received(json_value event) noexcept {
  if (const auto number = number_of(event)) last_ = *number - 1;
}

void event_numbers::write_number(json_value event, splicer& edits) {
  const auto number = number_of(event);
  if (!number) return;
  last_ = number;
  if (shift_ > 0) edits.replace(event[member_].range(), std::to_string(*number + shift_));
}

std::optional<std::int64_t> event_numbers::reuse_number(json_value event) noexcept {
  const auto number = number_of(event);
  if (!number) return number;
  last_ = number;
  return *number + shift_;
}

std::optional<std::int64_t> event_numbers::take(std::optional<std::int64_t> before) noexcept {
  if (!before) return std::nullopt;
  const std::int64_t number = *before + shift_;
  if (frozen_) return number;
  ++shift_;
  return number + 1;
}

void event_numbers::copy(json_value event, splicer& edits) {
  const auto number = number_of(event);
  if (!number) return;
  if (const auto now = take(std::max(number, last_)))
    edits.replace(event[member_].range(), std::to_string(*now));
}

bool kept_events::has_room(std::size_t size) const noexcept {
  if (size <= small_event || current_ != nullptr) return true;
  for (const auto& one : events_) {
    if (one.use_count() > 1 && one->payload.size() > small_event) size += one->payload.size();
  }
  return size <= most_;
}

/// Returns an entry that is not in use. Memory of a large earlier event is freed.
std::shared_ptr<kept_event> kept_events::free_event() {
  for (const auto& one : events_) {
    if (one.use_count() > 1) continue;
    if (one->payload.capacity() > small_event) std::string().swap(one->payload);
    if (read_ == one.get()) read_ = nullptr;
    return one;
  }
  return events_.emplace_back(std::make_shared<kept_event>());
}

kept_share kept_events::keep(const frame& item) {
  std::shared_ptr<kept_event> event = free_event();
  event->line_end = line_end_of(item.raw);
  event->payload.assign(item.data);
  // Line breaks of the payload are between tokens only, so they can be replaced.
  if (item.lines != nullptr) std::ranges::replace(event->payload, '\n', ' ');
  event->type.assign(item.event);
  return event;
}

kept_share kept_events::keep_current(const frame& item) {
  if (current_ == nullptr) current_ = keep(item);
  return current_;
}

json_value kept_events::read(const kept_event& event, document& reader) {
  if (read_ != &event) {
    read_ = nullptr;
    if (reader.parse(event.payload)) return {};
    read_ = &event;
  }
  return reader.root();
}

void event_template::remember(kept_share event, const choice_event& own) {
  usable_ = true;
  event_ = std::move(event);
  token_ = own.token;
  mirror_ = own.mirror;
  mirror_.text = {};  // a view of the payload, which becomes invalid
  holder_ = own.holder;
  unit_ = own.unit.id;
  more_text_ = own.more_text;
}

bool event_template::leads_to_text(byte_range place) const noexcept {
  return within(token_, place) || (mirror_.token && within(*mirror_.token, place));
}

/// The changes that make a copy of the stored event.
struct event_template::copy_edits {
  const event_content& content;
  std::string_view text;  ///< that of the content, as a JSON string
  splicer& edits;
};

/// Removes all elements except the one that contains the text: the others belong to other choices.
void event_template::drop_siblings(json_value array, json_value kept, copy_edits& out) {
  const byte_range all = array.range();
  const byte_range place = kept.range();
  if (all.begin + 1 < place.begin) out.edits.replace({all.begin + 1, place.begin}, {});
  if (place.end < all.end - 1) out.edits.replace({place.end, all.end - 1}, {});
}

/// Returns true if a client would count or append this member a second time: usage, tool calls, references,
/// the finish reason, the signature of a part, or, in chat completions, another text such as a refusal or
/// reasoning.
bool event_template::must_not_repeat(json_value object, json_value member) const noexcept {
  if (member.is_object() || member.is_array()) return !member.empty();
  if (!member.is_string() || member.string().empty()) return false;
  if (member.range().size() > longest_repeated) return true;
  for (const std::string_view key :
       {"finish_reason", "finishReason", "done_reason", "refusal", "thinking", "thoughtSignature"}) {
    if (member.key() == key) return true;
  }
  return holder_.can_annotate && leads_to_text(object.range()) && member.key() != "role" &&
         (object[holder_.content_key].range() == token_ ||
          object[holder_.content_key].range() == mirror_.token);
}

void event_template::edit_mirror(copy_edits& out) const {
  if (!mirror_.token) return;
  if (!mirror_.accumulates) return out.edits.replace(*mirror_.token, out.text);
  const std::optional<std::string_view>& all_text = out.content.all_text;
  if (!all_text && token_ == mirror_.token) out.edits.replace(token_, out.text);
  if (!all_text) return;
  std::string all;
  append_json_string(*all_text, all);
  out.edits.replace(*mirror_.token, all);
}

void event_template::edit_member(json_value object, json_value member, copy_edits& out) const {
  const byte_range place = member.range();
  if (place == mirror_.token) {
    edit_mirror(out);
  } else if (place == token_) {
    out.edits.replace(place, out.text);
  } else if (token_ == mirror_.token && out.content.text.empty() &&
             member[holder_.content_key].range() == token_) {
    out.edits.replace(place, "null");  // a message that is itself the text, which would come a second time
  } else if (leads_to_text(place)) {
    edit(member, out);
  } else if (holder_.annotations == place && !out.content.annotations.empty()) {
    out.edits.replace(place, std::string("[").append(out.content.annotations).append("]"));
  } else if (must_not_repeat(object, member)) {
    out.edits.replace(place, holder_.object == place ? "{}" : "null");  // clients read members of the holder
  }
}

void event_template::edit(json_value container, copy_edits& out) const {
  for (const json_value& member : container) {
    if (container.is_object()) {
      edit_member(container, member, out);
    } else if (leads_to_text(member.range())) {
      drop_siblings(container, member, out);
      edit_member(container, member, out);
      return;
    }
  }
}

/// Edits an event with its text at the top level. Members that must not be repeated are left out, because
/// clients take the last list that they find, and so is `true` (`"done":true`).
void event_template::edit_plain(json_value root, std::string_view payload, copy_edits& out) const {
  const std::size_t start = root.range().begin + 1;
  std::size_t end = start;  // of the member before
  bool first = true;
  for (const json_value& member : root) {
    const std::size_t before = std::exchange(end, member.range().end);
    const bool kept = !must_not_repeat(root, member) && !member.boolean().value_or(false);
    if (!kept && !leads_to_text(member.range())) {
      out.edits.replace({before, end}, {});
      continue;
    }
    if (first && before != start) out.edits.replace({before, payload.find(',', before) + 1}, {});
    first = false;
    edit_member(root, member, out);
  }
}

/// Returns the payload of a copy of the stored event, with the text of `memory.json`.
std::string_view event_template::copy(kept_events& kept, copy_memory& memory, const event_content& content,
                                      event_numbers& numbers) const {
  const kept_event* const event = event_.get();
  const json_value root = kept.read(*event, memory.reader);
  if (!root) return {};  // cannot happen: the same bytes were parsed before
  splicer& edits = memory.edits;
  std::string& json = memory.json;
  edits.clear();
  copy_edits out{content, json, edits};
  holder_.object == root.range() ? edit_plain(root, event->payload, out) : edit(root, out);
  numbers.copy(root, edits);
  if (!content.annotations.empty() && holder_.object && holder_.can_annotate && !holder_.annotations) {
    const std::string list = std::string("[").append(content.annotations).append("]");
    edits.insert_member(event->payload, *holder_.object, "annotations", list);
  }
  if (!content.addition.empty()) {
    edits.insert_member(event->payload, root.range(), "citestream", content.addition);
  }
  json.clear();  // the edits have copies
  edits.apply(event->payload, json);
  return json;
}

void event_template::append(kept_events& kept, copy_memory& memory, const event_content& content,
                            frame_place at, event_numbers& numbers, std::string& out) const {
  const kept_event* const event = event_.get();
  if (event == nullptr) return;
  std::string& text = memory.json;
  text.clear();
  append_json_string(content.text, text);
  at.line_end = event->line_end;
  if (more_text_ == nullptr) return append_frame(at, event->type, copy(kept, memory, content, numbers), out);
  const own_event more = more_text_(unit_, text);
  const bool typed = !event->type.empty() && at.how != stream_framing::eventstream;
  append_frame(at, typed ? more.type : std::string_view(event->type), more.payload, out);
}

void choice_template::expect(const frame& item, const choice_event& own) noexcept {
  shape_.expect();
  known_ = nullptr;
  number_ = 0;
  item_ = &item;
  content_ = &own;
  takes_annotations_ = own.holder.can_annotate;
}

void choice_template::learned(const learned_event& known, std::size_t text,
                              const choice_event& own) noexcept {
  const std::uint64_t number = own.text.empty() ? 0 : known.number;
  if (item_ != nullptr && content_ == &own) {
    known_ = &known;
    raw_ = known.shape.event();
    text_ = text;
    number_ = number;
    item_ = nullptr;
  } else if (number != 0) {
    number_ = number;
  }
}

[[gnu::hot]] void choice_template::copy() {
  if (raw_.data() == known_->shape.event().data()) return;  // already a copy
  bytes_.assign(raw_);
  raw_ = bytes_;
}

void choice_template::make(event_cache& cache, kept_events& kept) {
  const learned_event* const known = std::exchange(known_, nullptr);
  const frame* const item = std::exchange(item_, nullptr);
  if (item != nullptr) return shape_.remember(kept.keep_current(*item), *content_);
  if (known == nullptr) return;
  frame restored;
  choice_event own;
  cache.restore(*known, raw_, text_, restored, own);
  shape_.remember(kept.keep(restored), own);
}

void choice_template::reset() noexcept {
  shape_.reset();
  known_ = nullptr;
  item_ = nullptr;
  number_ = 0;
}

}  // namespace citestream

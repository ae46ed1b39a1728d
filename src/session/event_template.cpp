// How an added event is built.
//
// A template is a complete event of the provider. append() parses it again and walks from the root to the
// text (leads_to_text()). On the way it drops list elements of other choices, replaces the text, and sets to
// null every other member that a client would count or append a second time (must_not_repeat()). If the text
// is at the top level, it leaves these members out (edit_plain()). Identifiers, model names and other short
// strings are kept, so that the added event looks like its neighbours. Then annotations and records are
// inserted.
//
// The cost is one parse per added event.
#include "event_template.hpp"

#include <utility>

#include "rewrite/json.hpp"

namespace citestream {

namespace {

/// Longer strings next to the text are not repeated. Identifiers, model names and padding are shorter.
constexpr std::size_t longest_repeated = 1024;

bool within(byte_range inner, byte_range outer) noexcept {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

}  // namespace

void event_template::remember(kept_share event, const choice_event& own) {
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
    out.edits.replace(place, "null");  // `content` of a message is the text itself, which would be sent twice
  } else if (leads_to_text(place)) {
    edit(member, out);
  } else if (holder_.annotations == place && !out.content.annotations.empty()) {
    out.edits.replace(place, std::string("[").append(out.content.annotations).append("]"));
  } else if (must_not_repeat(object, member)) {
    out.edits.replace(place,
                      holder_.object == place ? "{}" : "null");  // clients read members of the holder
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
std::string_view event_template::copy(copy_memory& memory, const event_content& content,
                                      event_numbers& numbers) const {
  if (memory.reader.parse(event_->payload)) return {};  // cannot happen: the same bytes were parsed before
  const json_value root = memory.reader.root();
  splicer& edits = memory.edits;
  std::string& json = memory.json;
  edits.begin(event_->payload);
  copy_edits out{content, json, edits};
  holder_.object == root.range() ? edit_plain(root, event_->payload, out) : edit(root, out);
  numbers.copy(root, edits);
  if (!content.annotations.empty() && holder_.object && holder_.can_annotate && !holder_.annotations) {
    const std::string list = std::string("[").append(content.annotations).append("]");
    edits.insert_member(*holder_.object, "annotations", list);
  }
  if (!content.addition.empty()) {
    edits.insert_member(root.range(), "citestream", content.addition);
  }
  json.clear();  // the edits have copies
  edits.apply(json);
  return json;
}

void event_template::append(copy_memory& memory, const event_content& content, frame_place at,
                            event_numbers& numbers, std::string& out) const {
  if (event_ == nullptr) return;
  std::string& text = memory.json;
  text.clear();
  append_json_string(content.text, text);
  at.line_end = event_->line_end;
  if (more_text_ == nullptr) return append_frame(at, event_->type, copy(memory, content, numbers), out);
  const own_event more = more_text_(unit_, text);
  const bool typed = !event_->type.empty() && at.how != stream_framing::eventstream;
  append_frame(at, typed ? more.type : std::string_view(event_->type), more.payload, out);
}

}  // namespace citestream

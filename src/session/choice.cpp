#include "choice.hpp"

#include <algorithm>

#include "rewrite/json.hpp"

namespace citestream {

namespace {

bool within(byte_range inner, byte_range outer) noexcept {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

// How the lines of a block end.
std::string_view line_end_of(std::string_view raw) noexcept {
  const std::size_t cr = raw.find('\r');
  if (cr == std::string_view::npos) return "\n";
  return raw.substr(cr + 1).starts_with('\n') ? "\r\n" : "\r";
}

// FNV-1a, 64 bits, of `text` behind what `before` is of. A text is compared with what nobody keeps: who wants
// two that are taken for one writes both.
std::uint64_t hashed(std::string_view text, std::uint64_t before) noexcept {
  for (const char byte : text) before = (before ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return before;
}

}  // namespace

void event_template::remember(const sse_item& item, const choice_event& own) {
  usable_ = true;
  line_end_ = line_end_of(item.raw);
  payload_.assign(item.data);
  // Line breaks of the payload stand between tokens.
  if (item.lines != nullptr) std::replace(payload_.begin(), payload_.end(), '\n', ' ');
  type_.assign(item.event);
  own_ = own;
  own_.text = own_.mirror_text = own_.finish_reason = {};  // views of the payload, which dies
}

bool event_template::leads_to_text(byte_range place) const noexcept {
  return within(own_.token, place) || (own_.mirror && within(*own_.mirror, place));
}

// Only what leads to the text stays in a list: other choices have texts and ends of their own.
void event_template::drop_siblings(json_value array, json_value kept) {
  const byte_range all = array.range();
  const byte_range place = kept.range();
  if (all.begin + 1 < place.begin) edits_.replace({all.begin + 1, place.begin}, {});
  if (place.end < all.end - 1) edits_.replace({place.end, all.end - 1}, {});
}

// Whether a member beside the text would add to what clients put together: usage, tool calls, references,
// the end of the choice, or, in chat, another text (a refusal, reasoning).
bool event_template::said_once(json_value object, json_value member) const noexcept {
  if (member.is_object() || member.is_array()) return !member.empty();
  if (!member.is_string() || member.string().empty()) return false;
  if (member.key() == "finish_reason" || member.key() == "refusal") return true;
  return own_.can_annotate && leads_to_text(object.range()) && member.key() != "role" &&
         (object[own_.content_key].range() == own_.token || object[own_.content_key].range() == own_.mirror);
}

void event_template::edit_mirror(const event_content& content) {
  if (!own_.mirror) return;
  if (!own_.mirror_accumulates) return edits_.replace(*own_.mirror, json_);
  if (!content.all_text) return;
  std::string all;
  append_json_string(*content.all_text, all);
  edits_.replace(*own_.mirror, all);
}

void event_template::edit_member(json_value object, json_value member, const event_content& content) {
  const byte_range place = member.range();
  if (place == own_.token) {
    edits_.replace(place, json_);
  } else if (place == own_.mirror) {
    edit_mirror(content);
  } else if (leads_to_text(place)) {
    edit(member, content);
  } else if (own_.annotations == place && !content.annotations.empty()) {
    edits_.replace(place, std::string("[").append(content.annotations).append("]"));
  } else if (said_once(object, member)) {
    edits_.replace(place, "null");
  }
}

void event_template::edit(json_value container, const event_content& content) {
  for (json_value member = container.first(); member; member = member.next()) {
    if (container.is_object()) {
      edit_member(container, member, content);
    } else if (leads_to_text(member.range())) {
      drop_siblings(container, member);
      edit_member(container, member, content);
      return;
    }
  }
}

void event_template::append(document& reader, const event_content& content, std::string& out) {
  edits_.clear();
  json_.clear();
  append_json_string(content.text, json_);
  if (reader.parse(payload_)) return;  // it was read before: it can be read again
  edit(reader.root(), content);
  if (!content.annotations.empty() && own_.holder && own_.can_annotate && !own_.annotations) {
    json_.assign("[").append(content.annotations).append("]");
    edits_.insert_member(payload_, *own_.holder, "annotations", json_);
  }
  if (!content.addition.empty()) {
    edits_.insert_member(payload_, reader.root().range(), "citestream", content.addition);
  }
  if (!type_.empty()) out.append("event: ").append(type_).append(line_end_);
  out.append("data: ");
  edits_.apply(payload_, out);
  out.append(line_end_).append(line_end_);
}

void choice_state::restart(std::uint32_t number) noexcept {
  choice = number;
  text.reset();
  shape.reset();
  shape_due = {};
  finished = referenced = waits = settled = record_due = annotations_due = annotated = accumulates =
      repeats_other = false;
  finish_expected = true;
  arrived = arrived_hash = 0;
  left.clear();
  left_json.assign("\"\"");
  rest.clear();
  announced = counted = 0;
  resolved = unresolved = 0;
  finish_reason.clear();
}

void choice_state::arrive(std::string_view more) noexcept {
  arrived += more.size();
  arrived_hash = hashed(more, arrived_hash);
}

bool choice_state::is_all(std::string_view all) const noexcept {
  return all.size() == arrived && hashed(all, 0) == arrived_hash;
}

void choice_state::leave(std::string_view released) {
  left.append(released);
  left_json.pop_back();
  append_json_body(released, left_json);
  left_json.push_back('"');
}

void choice_state::count_resolved() noexcept {
  const std::span<const citation> all = text.cites().all();
  for (; counted < all.size(); ++counted) {
    ++(all[counted].status == citation_status::resolved ? resolved : unresolved);
  }
}

}  // namespace citestream

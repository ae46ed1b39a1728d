// What a stream does with texts beside the answer's, where the egress guard is on.
#include "rewrite/json.hpp"
#include "stream.hpp"

namespace citestream {

// A payload that no dialect recognises must not pass the egress guard unread.
bool stream::reads_anyhow(payload_kind kind, status& why) {
  if (!guards()) return false;
  for (const dialect* candidate : dialects()) {
    if (candidate->may_hold_message == nullptr || !candidate->may_hold_message(payload_.root())) continue;
    if (!reads_as(*candidate, kind, why)) continue;
    speak(candidate);
    return true;
  }
  return false;
}

// `item`: null for a body.
void stream::take_beside(std::string_view payload, const sse_item* item, std::string& out) {
  for (const text_beside& found : read_.beside) {
    choice_state* const main = find(found.at.choice);
    if (main == nullptr) continue;
    beside_text* const one = beside_.find(found, main->text.cites());
    if (one == nullptr) continue;
    const std::uint64_t before = beside_.found(found.at.choice);
    pass_beside(found, *one, main->text.cites());
    const bool holds = item != nullptr && !found.whole && !found.at.text.empty();
    const bool kept_now = holds && kept.has_room(payload.size());
    if (holds && !kept_now && !one->shape.usable()) one->guard.finish(one->released);
    place_beside(payload, found, *one, out);
    if (kept_now) one->shape.remember(kept.keep_current(*item), found.at);
    if (main->settled && before == 0 && additions_.due(*main)) main->record_due = true;
  }
}

// Puts into `one.released` what leaves of the text now.
void stream::pass_beside(const text_beside& found, beside_text& one, const citations& known) {
  if (found.whole && !one.begun && !found.at.text.empty()) one.begin(known);
  one.released.clear();
  if (found.at.slot == text_slot::string) one.guard.feed(found.at.text, one.released);
  if (!found.at.finished) return;
  one.guard.finish(one.released);
  one.begun = false;
}

void stream::place_beside(std::string_view payload, const text_beside& found, beside_text& one,
                          std::string& out) {
  const choice_event& at = found.at;
  if (one.released == at.text) return;
  one.json.clear();
  append_json_string(one.released, one.json);
  if (at.slot == text_slot::absent && at.holder) {
    edits_.insert_member(payload, *at.holder, at.content_key, one.json);
  } else if (at.slot == text_slot::string || at.slot == text_slot::null) {
    edits_.replace(at.token, one.json);
    if (at.mirror) edits_.replace(*at.mirror, one.json);
  } else if (one.shape.usable()) {
    add_event(one.shape, {one.released, {}, {}, {}}, out);
  }
}

// Sends what is withheld in events of their own.
void stream::release_beside(std::string& out) {
  for (const auto& one : beside_.all()) {
    if (one->guard.held() == 0 || !one->shape.usable()) continue;
    one->released.clear();
    one->guard.finish(one->released);
    if (!one->released.empty()) add_event(one->shape, {one->released, {}, {}, {}}, out);
  }
}

// The records, where no choice has an event with text that could carry them.
void stream::record_beside(std::string& out) {
  for (const auto& one : beside_.all()) {
    if (!one->shape.usable()) continue;
    add_event(one->shape, {{}, {}, {}, additions_.object(choices, choice_count)}, out);
    for (std::size_t i = 0; i < choice_count; ++i) choices[i]->record_due = false;
    return;
  }
}

// What a text that repeats all of the answer's, but is not it, leaves as.
std::string_view stream::guarded_mirror(const choice_state& one, std::string_view text) {
  const std::string_view left = beside_.guarded(one.choice, text, one.text.cites());
  json_.clear();
  append_json_string(left, json_);
  return left;
}

}  // namespace citestream

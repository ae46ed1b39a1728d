// How text next to the answer is rewritten.
//
// Each pair of choice and place has an egress stage of its own. If payloads contain the whole text, every
// payload starts another text. Otherwise each contains a delta. The stage then holds text back only if there
// is a template, either this event or an earlier one, to send the text with later. release() sends what is
// held.
#include "other_text.hpp"

#include <algorithm>

#include "choice_rewriter.hpp"

namespace citestream {

namespace {

/// Passes the text through the egress stage. Returns what can be sent now.
std::string pass(const other_text_event& found, other_text& one, const citations& known) {
  if (found.whole && !one.begun && !found.at.text.empty()) one.begin(known);
  std::string released;
  if (found.at.slot == text_slot::string) one.guard.feed(found.at.text, released);
  if (!found.at.end.here) return released;
  one.guard.finish(released);
  one.begun = false;
  return released;
}

}  // namespace

void other_text::begin(const citations& known) {
  guard.reset();
  for (const reference& ref : known.references()) guard.allow(ref);
  begun = true;
}

void other_texts::take(const other_text_event& found, const citations& known, const frame* item,
                       splicer& edits, event_output& out) {
  other_text* one = find(found.at.choice, found.place);
  if (one == nullptr && found.at.text.empty()) return;
  if (one == nullptr) one = &add(found.at.choice, found.place, known);
  std::string released = pass(found, *one, known);
  const bool may_hold = item != nullptr && !found.whole && !found.at.text.empty();
  const bool kept = may_hold && kept_->has_room(item->data.size());
  if (may_hold && !kept && !one->shape.usable()) one->guard.finish(released);  // see event_template.hpp
  const bool placed = place_text(found.at, {released, false}, edits);
  if (!placed && one->shape.usable()) adder_->add(one->shape, {.text = released}, out);
  if (kept) one->shape.remember(kept_->keep_current(*item), found.at);
}

void other_texts::release(event_output& out) {
  for (const auto& one : all_) {
    if (one->guard.held() == 0 || !one->shape.usable()) continue;
    std::string released;
    one->guard.finish(released);
    if (!released.empty()) adder_->add(one->shape, {.text = released}, out);
  }
}

event_template* other_texts::any_template() noexcept {
  for (const auto& one : all_) {
    if (one->shape.usable()) return &one->shape;
  }
  return nullptr;
}

other_text* other_texts::find(std::uint32_t choice, other_text_place place) const noexcept {
  const auto is_at = [&](const auto& one) { return one->choice == choice && one->place == place; };
  const auto found = std::ranges::find_if(all_, is_at);
  return found == all_.end() ? nullptr : found->get();
}

other_text& other_texts::add(std::uint32_t choice, other_text_place place, const citations& known) {
  all_.push_back(std::make_unique<other_text>(*options_, choice, place));
  all_.back()->begin(known);
  return *all_.back();
}

void other_texts::add_reference(const reference& ref, std::optional<std::uint32_t> choice) {
  for (const auto& one : all_) {
    if (!choice || one->choice == *choice) one->guard.allow(ref);
  }
}

void other_texts::guard(const std::optional<byte_range>& token, std::string_view text, std::uint32_t choice,
                        const citations& known, splicer& edits) {
  if (options_->egress == egress_mode::off || !token) return;
  other_text* one = find(choice, other_text_place::message);
  if (one == nullptr && all_.size() < options_->bounds.max_choices)
    one = &add(choice, other_text_place::message, known);
  // Each choice that never begins would add another.
  std::optional<other_text> unrecorded;
  if (one == nullptr) one = &unrecorded.emplace(*options_, choice, other_text_place::message);
  one->begin(known);
  std::string released;
  one->guard.feed(text, released);
  one->guard.finish(released);
  if (released != text) edits.replace_string(*token, released);
}

void other_texts::add_to(session_statistics& counts) const noexcept {
  for (const auto& one : all_) {
    counts.held += one->guard.held();
    counts.egress += one->guard.recorded();
  }
}

std::uint64_t other_texts::found(std::uint32_t choice) const noexcept {
  std::uint64_t count = 0;
  for (const auto& one : all_) count += one->choice == choice ? one->guard.recorded() : 0;
  return count;
}

}  // namespace citestream

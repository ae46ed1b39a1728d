// How the text of a choice is rewritten.
//
// take() passes the text of an event through the answer, which returns the text that can be sent; the rest is
// held. place_text() writes that text over the received one, or inserts the member if the event has none.
// Some providers repeat the text: a second copy of the delta gets the same text, and a repeat of all text so
// far gets all text sent so far (repeated_text keeps it).
//
// A choice is open, then finished (its finish event was received, held text is released), then settled (its
// citations are resolved). It is settled when no reference is missing, at the latest at the end of the
// stream.
#include "choice_rewriter.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "rewrite/json.hpp"

namespace citestream {

namespace {

bool same_numbers(std::span<const citation> a, std::span<const citation> b) {
  return std::ranges::equal(a, b, {}, &citation::number, &citation::number);
}

/// Passes \p all, which may be the text received, through the stages again, with \p early references known
/// before it. Returns the result if it has the same size and as many citations as the text sent.
std::optional<std::string> rewrite_again(const session_options& options, std::string_view all,
                                         std::size_t early, const choice_state& choice) {
  const auto known = choice.answer.cites().references();
  answer_stages again(options, choice.read_as, check_mode::off);
  std::string sent;
  for (const reference& ref : known.first(early)) again.add_reference(ref);
  again.push(all, sent);
  for (const reference& ref : known.subspan(early)) again.add_reference(ref);
  again.finish(sent);
  const std::uint64_t size =
      choice.answer.texts().sent_position(all.size(), offset_unit::utf8, edit_side::after);
  if (sent.size() != size || !same_numbers(again.cites().all(), choice.answer.cites().all()))
    return std::nullopt;
  again.resolve();
  if (choice.phase == choice_phase::settled) again.append_list(sent);
  return sent;
}

}  // namespace

void choice_rewriter::take_whole(const choice_event& found, const dialect_event& content,
                                 choice_state& choice, splicer& edits) {
  std::string buffer;
  released_text released = take(found, content, choice, buffer);
  if (found.end.here) {
    settle(choice, buffer);
    released = {buffer, false};
  }
  note_sent(found, choice, released.text);
  static_cast<void>(place_text(found, released, edits));
}

/// Handles an event that also has citations or ends a unit or choice.
void choice_rewriter::take_rest(const choice_event& found, const dialect_event& content, choice_state& choice,
                                std::string& released) {
  take_cited(found, content, choice, released);
  if (found.unit.pauses) finish_text(choice, released);
  if (found.unit.ends) end_unit(choice, released);
  // A text that was taken from a repeat stays open: a later delta with its id continues it.
  if (found.unit.ends && !found.mirror.token) choice.units.current.phase = unit_phase::over;
  if (found.end.here) finish(found, choice, released);
}

/// Takes text with citations that have no marker but are part of the payload. They are cited before or after
/// the text.
void choice_rewriter::take_cited(const choice_event& found, const dialect_event& content,
                                 choice_state& choice, std::string& released) {
  const auto cite = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) choice.answer.cite(content.cited[i]);
  };
  cite(found.cited.begin, found.cited.text);
  if (found.slot != text_slot::string) return;
  choice.answer.push(found.text, released);
  cite(found.cited.text, found.cited.end);
  if (found.cited.text != found.cited.end)
    choice.answer.push({}, released);  // places these citations at once
  count_delta(choice, released);
}

void choice_rewriter::end_unit(choice_state& choice, std::string& released) {
  finish_text(choice, released);
  const std::size_t count = choice.answer.cites().all().size();
  std::size_t first = choice.units.current.first_citation;
  while (first < count && !choice.units.is_here(first)) ++first;
  const bool cited = first < count;
  if (cited && !choice.units.current.ended()) {
    if (choice.natives.waiting() && choice.phase != choice_phase::settled) expect_natives(choice);
    list_references(choice, released);
  }
  if (!choice.units.current.ended()) choice.units.current.phase = unit_phase::ended;
}

void choice_rewriter::finish(const choice_event& found, choice_state& choice, std::string& released) {
  // Some servers send a finish reason in every event. From the second on it is ignored, and text is held
  // until the stream ends.
  if (choice.phase == choice_phase::open || !choice.last_event.usable()) finish_text(choice, released);
  if (choice.phase == choice_phase::open) choice.phase = choice_phase::finished;
  choice.reported.finish_reason.assign(found.end.reason);
}

void choice_rewriter::finish_text(choice_state& choice, std::string& released) {
  const std::size_t start = released.size();
  choice.answer.finish(released);
  events_->released(choice, {}, std::string_view(released).substr(start));
}

std::optional<std::size_t> choice_rewriter::interrupt(choice_state& choice, std::string& released) {
  const std::size_t start = released.size();
  const std::optional<std::size_t> number = choice.answer.interrupt(released);
  if (number) events_->released(choice, {}, std::string_view(released).substr(start));
  return number;
}

void choice_rewriter::list_references(choice_state& choice, std::string& released) {
  const std::size_t start = released.size();
  choice.answer.append_list(released);
  events_->listed(choice, std::string_view(released).substr(start));
}

void choice_rewriter::settle(choice_state& choice, std::string& released) {
  const std::size_t before = choice.tally.counted;
  choice.answer.resolve();
  if (choice.natives.waiting()) static_cast<void>(place_natives(choice));
  choice.count_resolved();
  if (choice.accepts_text()) list_references(choice, released);
  events_->settled(choice, before);
  choice.phase = choice_phase::settled;
  choice.tally.uncited = choice.answer.cites().uncited().size();
  choice.unsent.record = additions_->due(choice);
  choice_annotations& list = choice.annotations;
  if (list.state == annotation_state::sent) return;
  const bool due = (choice.unsent.record && additions_->enabled(*choice.read_as)) || !list.held.empty();
  list.state = due ? annotation_state::due : annotation_state::none;
}

void choice_rewriter::add_late(choice_state& choice) {
  if (choice.phase != choice_phase::settled) return;
  std::vector<std::uint32_t> late = choice.answer.resolve_late();
  const bool more = choice.natives.waiting();
  if (more) {
    const std::vector<std::uint32_t> named = place_natives(choice);
    late.insert(late.end(), named.begin(), named.end());
  }
  const std::size_t uncited = choice.answer.cites().uncited().size();
  if (late.empty() && !more && uncited == choice.tally.uncited) return;
  choice.tally.uncited = uncited;
  choice.count_resolved();
  choice.count_late(late);
  events_->resolved_late(choice, late);
  events_->added_natives(choice);
  choice.unsent.record = additions_->due(choice);
}

[[gnu::hot]] bool place_text(const choice_event& found, const released_text& released, splicer& edits) {
  const std::string_view text = released.text;
  if (released.unchanged || (found.slot == text_slot::string ? text == found.text : text.empty()))
    return true;
  if (!has_place(found)) return false;
  if (is_own_repeat(found)) return true;  // place_mirror() writes it
  if (found.slot != text_slot::absent) {
    edits.replace_string(found.token, text);
  } else if (found.holder.object) {
    edits.insert_member(*found.holder.object, found.holder.content_key, json_string(text));
  }
  if (found.mirror.token && !found.mirror.accumulates) edits.replace_string(*found.mirror.token, text);
  return true;
}

/// Starts following repeats at the event that ends the choice. Most streams do not repeat the text, so it
/// was not kept. If the last event repeats it after all, the repeat passes through the stages again, first
/// with all references known before the text, then with only those of the request.
void choice_rewriter::start_repeats(std::string_view all, choice_state& choice) const {
  if (all.size() != choice.answer.texts().received_end().utf8) return;
  const std::size_t known = choice.answer.cites().references().size();
  for (const std::size_t early : {known, std::min(options_->references.size(), known)}) {
    if (const auto sent = rewrite_again(*options_, all, early, choice))
      return choice.units.current.repeats.start(all, *sent);
  }
  choice.units.current.repeats.start();  // it differs
}

void choice_rewriter::place_mirror(const choice_event& found, bool same_if_same_size, choice_state& choice,
                                   splicer& edits) {
  if (!found.mirror.accumulates || !found.mirror.token) return;
  if (!choice.units.current.repeats.on()) start_repeats(found.mirror.text, choice);
  // A repeat may differ from the text received, for example after an event that could not be read. It then
  // contains text that has not passed the egress stage.
  repeated_text& repeats = choice.units.current.repeats;
  repeats.note_repeat(repeats.is_all(found.mirror.text, same_if_same_size));
  if (!repeats.differs()) {
    if (found.mirror.text != repeats.sent().text()) edits.replace(*found.mirror.token, repeats.sent_json());
    return;
  }
  if (!found.mirror.text.empty()) ++counts_->unconverted;
  others_->guard(found.mirror.token, found.mirror.text, choice.number, choice.answer.cites(), edits);
}

}  // namespace citestream

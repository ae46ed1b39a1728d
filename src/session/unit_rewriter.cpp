// A provider that divides an answer into texts repeats each text when it has ended, up to four times, and
// annotates it with positions in what it sent.
//
// Texts normally follow each other. If an earlier one continues after another has begun, it has several parts
// in the text of the choice. Its repeats and positions are rewritten in the same way.
//
// A repeat that is equal to the text received is replaced by the text sent. A repeat that differs passes
// through unchanged, except that egress, if it is on, checks it as a text of its own.
//
// Positions are converted when they are first sent. The end of a span in text that is still held back becomes
// the end of the text sent so far. Repeats of an annotation get the same positions. An annotation that
// precedes its text keeps the provider's positions, because they cannot be converted yet.
//
// When a text has ended, our annotations follow those of the provider: one for each resolved citation of a
// page that the provider has not annotated. While the provider has not annotated anything, and no tool of its
// own has run, an event whose text is held or removed becomes the annotation of a citation before it.
#include "unit_rewriter.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/decimal.hpp"

namespace citestream {

namespace {

/// Converts a span of the text received, with positions in the unit \p in, to the text sent. A position past
/// the text received keeps its distance from the end.
unit_annotations::span convert(unit_annotations::span at, offset_unit in, const answer_stages& answer,
                               const choice_text& text) {
  if (!answer.may_differ()) return at;
  // A span covers a marker. Blanks that are held before it may still be removed, so the span ends at most
  // where the sent text ends. At a point there is no marker, and in a body nothing is held.
  const bool sent_only = at.second > at.first && text.repeats.on();
  const std::uint64_t size = text.repeats.on()
                                 ? text.repeats.received().size().in(in)
                                 : answer.texts().received_end().in(in)-text.start.received.in(in);
  const auto place = [&](std::uint64_t position, edit_side side) {
    const std::uint64_t within = std::min(position, size);
    const std::uint64_t in_answer = text.part_at(within, in, side).in_answer(within, in);
    const std::uint64_t sent = answer.texts().sent_position(in_answer, in, side);
    const std::uint64_t from_start = text.own_place(sent, in, side) + (position - within);
    return sent_only && position == within ? std::min(from_start, text.repeats.sent().size().in(in))
                                           : from_start;
  };
  const std::uint64_t start = place(at.first, edit_side::before);
  const std::uint64_t end = std::max(start, place(at.second, end_side(at.first, at.second)));
  // A space that replaces a removed marker is not part of its span.
  const bool spaced = end > start && at.second <= size && place(at.second - 1, edit_side::before) < end &&
                      text.repeats.sent().part(end - 1, end, in) == " " &&
                      text.repeats.received().part(at.second - 1, at.second, in) != " ";
  return {start, spaced ? end - 1 : end};
}

/// \param from  native_annotation::origin in the sent text
void write(const native_annotation& found, unit_annotations::span place, std::uint64_t from, splicer& edits) {
  place = {place.first - std::min(place.first, from), place.second - std::min(place.second, from)};
  if (found.start_token && place.first != found.start - found.origin)
    edits.replace(*found.start_token, std::to_string(place.first));
  if (!found.end_token || place.second == found.end - found.origin) return;
  const std::uint64_t before = found.end_inclusive && place.second > 0 ? 1 : 0;
  edits.replace(*found.end_token, std::to_string(place.second - before));
}

}  // namespace

void unit_rewriter::annotate(std::string_view item_id, choice_state& choice, event_output& out) {
  own_annotations* const ours = ours_.collect_new_citations(choice, true);
  const auto append = choice.read_as->own.append_events;
  if (ours == nullptr || append == nullptr || adder_->numbers().frozen()) return;
  std::vector<own_event> events;
  for (; ours->sent < ours->all.size(); ++ours->sent)
    append({choice.units.current.id, item_id, choice.units.current.annotations.count + ours->sent,
            next_number_ + sent_++, adder_->numbers().take(), ours->all[ours->sent]},
           events);
  for (const own_event& event : events) adder_->add(event, out);
}

bool unit_rewriter::replace_text(const event_reading& one, choice_state& choice, event_output& out) {
  const dialect& spec = *choice.read_as;
  const bool alone = one.content->choices.size() == 1 && one.item->kind == frame_kind::event;
  if (!spec.own.replaces_text || annotated_ || !alone) return false;
  own_annotations* const ours = ours_.collect_new_citations(choice, false);
  if (ours == nullptr || ours->sent == ours->all.size()) return false;
  const replaced_event event = adder_->replaced(one);
  if (!event.root) return false;
  const std::string_view item =
      spec.names.item_id.empty() ? std::string_view() : event.root[spec.names.item_id].raw();
  std::vector<own_event> made;
  spec.own.append_events({choice.units.current.id, item, ours->sent, next_number_ + sent_++,
                          adder_->numbers().reuse_number(event.root), ours->all[ours->sent]},
                         made);
  ours->early = ++ours->sent;
  adder_->replace(event.item, made.front(), out);
  return true;
}

/// The number of our annotations that were sent before those of the provider in this text, or in all.
std::uint64_t unit_rewriter::sent_before(const dialect_event& content, choice_list& choices) const {
  if (!content.numbering.by_text || content.annotations.empty()) return sent_;
  const native_annotation& found = content.annotations.front();
  choice_state* const choice = choices.find(found.choice);
  if (choice == nullptr) return sent_;
  const choice_text* const text = choice->units.meant(found.unit);
  return text == nullptr || text->annotations.ours == nullptr ? 0 : text->annotations.ours->early;
}

void unit_rewriter::renumber(choice_list& choices, event_edit& edit) {
  const std::optional<byte_range>& place = edit.content.numbering.token;
  if (!place) return;
  const std::string_view token = edit.edits.payload().substr(place->begin, place->size());
  const auto number = whole_number<std::uint64_t>(token);
  if (!number || *number > static_cast<std::uint64_t>(max_exact_integer)) return;
  next_number_ = std::max(next_number_, *number + 1);
  const std::uint64_t before = sent_before(edit.content, choices);
  if (before > 0) edit.edits.replace(*place, std::to_string(*number + before));
}

/// A repeat that differs from the text received has not passed the stages.
void unit_rewriter::guard(const std::optional<byte_range>& token, std::string_view text,
                          const choice_state& choice, splicer& edits) {
  others_->guard(token, text, choice.number, choice.answer.cites(), edits);
}

void unit_rewriter::note_unconverted(const std::optional<byte_range>& token, std::string_view text,
                                     const choice_state& choice, splicer& edits) {
  ++counts_->unconverted;
  guard(token, text, choice, edits);
}

void unit_rewriter::guard_first(choice_list& choices, event_edit& edit) {
  const dialect_event& content = edit.content;
  const auto is_new = [&](std::uint32_t choice) { return choices.find(choice) == nullptr; };
  if (options_->egress == egress_mode::off ||
      (std::ranges::none_of(content.repeats, is_new, &text_repeat::choice) &&
       std::ranges::none_of(content.annotations, is_new, &native_annotation::choice)))
    return;
  const citations known = choices.initial_references();
  for (const text_repeat& found : content.repeats) {
    if (is_new(found.choice)) others_->guard(found.token, found.text, found.choice, known, edit.edits);
  }
  for (const native_annotation& found : content.annotations) {
    if (is_new(found.choice)) others_->guard(found.quote_token, found.quote, found.choice, known, edit.edits);
  }
}

/// Converts the positions of an annotation and the words that it quotes. A quote that is not equal to the
/// words received passes through unchanged.
void unit_rewriter::convert_in_place(const native_annotation& found, const choice_state& choice,
                                     choice_text& text, splicer& edits) {
  if (!found.start_token && !found.end_token) return guard(found.quote_token, found.quote, choice, edits);
  if (!text.has_places()) return note_unconverted(found.quote_token, found.quote, choice, edits);
  unit_annotations::span at{found.start, found.end};
  if (found.quote_token) {
    const auto quoted =
        find_quote(found.start, found.end, found.quote, found.counted_in, text.repeats.received());
    const bool writable = quoted && (*quoted == found.start || found.start_token);
    if (writable) at = {*quoted, found.end + (*quoted - found.start)};
    if (!writable || found.quote != text.repeats.received().part(at.first, at.second, found.counted_in))
      return note_unconverted(found.quote_token, found.quote, choice, edits);
    if (at.first != found.start && choice.answer.unedited()) return;  // leave unedited text as received
  }
  convert_span(found, at, choice, text, edits);
}

/// Converts the positions. Positions that were sent before become what they became then, unless they are in
/// text that was held: where that is sent is known later. \p received: the span in the text received, which
/// differs from that of the annotation if its words are elsewhere.
void unit_rewriter::convert_span(const native_annotation& found, unit_annotations::span received,
                                 const choice_state& choice, choice_text& text, splicer& edits) {
  const repeated_text& both = text.repeats;
  const offset_unit in = found.counted_in;
  const auto known = text.annotations.converted.find(received);
  const bool again = known != text.annotations.converted.end();
  const auto place = again ? known->second : convert(received, in, choice.answer, text);
  const auto [first, last] = place;
  const bool current = &text == &choice.units.current;
  const text_offset end = current ? choice.decided_end() : both.received().size();
  const bool decided = !both.on() || received.second <= end.in(in);
  if (!again && decided) text.annotations.converted.emplace(received, place);
  const auto from =
      found.origin == 0 ? place : convert({found.origin, found.origin}, in, choice.answer, text);
  write(found, place, found.origin == 0 ? 0 : from.first, edits);
  if (!found.quote_token) return;
  const std::string_view words = both.sent().part(first, last, in);
  if (words != found.quote) edits.replace_string(*found.quote_token, words);
}

/// Rewrites a repeat of all texts.
void unit_rewriter::rewrite_all(const text_repeat& found, const choice_state& choice, splicer& edits) {
  std::string received;
  std::string sent;
  const auto add = [&](const choice_text& text) {
    received += text.repeats.received().text();
    sent += text.repeats.sent().text();
  };
  const choice_text* now = &choice.units.current;
  for (const auto& [key, text] : choice.units.earlier) {
    if (now != nullptr && now->id < text.id) add(*std::exchange(now, nullptr));
    add(text);
  }
  if (now != nullptr) add(*now);
  if (received == found.text) {
    if (found.token && sent != found.text) edits.replace_string(*found.token, sent);
    return;
  }
  note_unconverted(found.token, found.text, choice, edits);
}

void unit_rewriter::rewrite_joined(choice_state& choice, event_edit& edit) {
  for (const text_repeat& found : edit.content.repeats) {
    if (found.unit == all_texts && found.choice == choice.number) rewrite_all(found, choice, edit.edits);
  }
}

void unit_rewriter::rewrite_repeat(const text_repeat& found, choice_state& choice, event_edit& edit) {
  splicer& edits = edit.edits;
  if (found.unit == all_texts) return rewrite_all(found, choice, edits);
  choice_text* const text = choice.units.repeated_by(found);
  if (text == nullptr || (found.token && !text->is_received(found.text))) {
    // Not counted: a text that was never sent, and a repeat without an id. They are not wrong repeats.
    if (choice.units.meant(found.unit) != nullptr && found.unit != last_text) ++counts_->unconverted;
    return guard(found.token, found.text, choice, edits);
  }
  if (found.token && found.text != text->repeats.sent().text())
    edits.replace(*found.token, text->repeats.sent_json());
  for (std::size_t i = found.begin; i < found.end; ++i)
    convert_in_place(edit.content.annotations[i], choice, *text, edits);
  if (text->annotations.ours != nullptr)
    add_ours(found, choice.read_as->own.list_name, *text->annotations.ours, edit);
}

bool unit_rewriter::is_first(const text_repeat& found, choice_state* choice) {
  if (!found.ended || !found.token || found.text.empty()) return false;
  if (choice == nullptr) return true;
  const choice_text* const same = choice->units.find(found.unit);
  const bool sent = same != nullptr && (same->repeats.differs() || !same->repeats.received().text().empty());
  return !sent && choice->units.repeated_by(found) == nullptr;
}

void unit_rewriter::note_whole(const dialect_event& content, const text_repeat& found, choice_state& choice) {
  for (std::size_t i = found.begin; i < found.end; ++i)
    annotation_collector::note_annotation(content.annotations[i], choice.units.current);
  static_cast<void>(ours_.collect_new_citations(choice, true));
}

void unit_rewriter::rewrite_whole(text_unit id, choice_state& choice, event_edit& edit) {
  // A body may have very many, in the order of their texts.
  for (const text_repeat& found :
       std::ranges::equal_range(edit.content.repeats, id, {}, &text_repeat::unit)) {
    note_whole(edit.content, found, choice);
    rewrite_repeat(found, choice, edit);
  }
}

void unit_rewriter::rewrite(choice_state& choice, event_edit& edit) {
  const dialect_event& content = edit.content;
  for (const text_repeat& found : content.repeats) {
    if (found.choice == choice.number) rewrite_repeat(found, choice, edit);
  }
  if (!content.repeats.empty()) return;
  for (const native_annotation& found : content.annotations) {
    if (found.choice != choice.number) continue;
    choice_text* const text = choice.units.meant(found.unit);
    if (text == nullptr) {
      guard(found.quote_token, found.quote, choice, edit.edits);
      continue;
    }
    ++text->annotations.count;
    annotation_collector::note_annotation(found, *text);
    convert_in_place(found, choice, *text, edit.edits);
  }
  for (const citation_lists& found : content.lists) {
    if (found.choice != choice.number) continue;
    if (found.takes_ours) {
      ours_.add_lists(found, choice, edit);
    } else {
      ours_.note_lists(found, content, choice);
    }
  }
}

void unit_rewriter::rewrite_event(const dialect_event& content, choice_list& choices, splicer& edits,
                                  event_output& out) {
  event_edit edit{content, edits};
  annotated_ = annotated_ || content.signals.annotates || !content.annotations.empty();
  renumber(choices, edit);
  for (const choice_event& found : content.choices) {
    choice_state* const choice = found.unit.ends ? choices.find(found.choice) : nullptr;
    if (choice == nullptr || !choice->units.is_current(found.unit.id)) continue;
    const auto repeat = std::ranges::find(content.repeats, found.unit.id, &text_repeat::unit);
    annotate(repeat == content.repeats.end() ? "" : repeat->output_item, *choice, out);
  }
  guard_first(choices, edit);
  for (const auto& choice : choices.all()) rewrite(*choice, edit);
  edit.lists.write(edits);
}

}  // namespace citestream

// How positions get from one text to the sent text.
//
// Each text of an answer counts positions from its own start: in its received text, and in what its style
// prints. text_parts knows which part of the answer each text has; without interruptions there is one part,
// and no table of them. The last stage, sent_text, edits the styled text of the whole answer. A position of
// the answer therefore takes this path: its part, the position in that text, the edits of its style, the part
// again, the edits of the last stage.
//
// `current_` is the text of the last part. It is kept because each delta needs it.
#include "answer_texts.hpp"

#include <algorithm>
#include <utility>

#include "active_grammars.hpp"

namespace citestream {

namespace {

scanner_options options_for_scanner(const session_options& options, const dialect* spec) {
  scanner_options out;
  out.markers = {options.identifiers, options.bounds};
  out.grammars = active_grammars(options, spec);
  for (const marker_pattern& one : options.patterns) out.grammars.push_back(&one.as_grammar());
  return out;
}

}  // namespace

incoming_text::incoming_text(bool reported, kept_text* all) noexcept : wants_places(reported) {
  claims.keep(all);
}

void incoming_text::keep_places() {
  if (wide.started() || !wants_places) return;
  claims.index(&wide);
  wide.start(claims.position());
}

std::optional<text_offset> incoming_text::place(std::uint64_t position, offset_unit unit) const noexcept {
  const text_offset all = claims.position();
  const std::uint64_t known = std::min(position, all.in(unit));
  if (wide.started()) return wide.find(known, unit);
  if (all.utf8 == all.codepoint) return text_offset{known, known, known};
  return std::nullopt;
}

void incoming_text::reset() noexcept {
  claims.reset();
  wide.reset();
}

answer_text::answer_text(marker_scanner scans, styled_text prints, bool places_reported, kept_text* kept)
    : scanner(std::move(scans)), received(places_reported, kept), styled(std::move(prints)) {}

void answer_text::reset() noexcept {
  scanner.reset();
  received.reset();
  styled.reset();
  markerless.clear();
  unplaced.clear();
  interrupted = false;
}

answer_texts::answer_texts(const session_options& options, const dialect* spec, kept_text* kept,
                           sent_text& output)
    : current_(texts_
                   .emplace_back(std::make_unique<answer_text>(
                       marker_scanner(options_for_scanner(options, spec)),
                       styled_text(style_for(options, spec), options.bounds,
                                   options.unresolved == unresolved_print::drop),
                       options.typed_events || options.add != additions::never, kept))
                   .get()),
      output_(output) {}

text_part answer_texts::part() const noexcept {
  return parts_ == nullptr ? text_part{} : parts_->last();
}

text_part answer_texts::part_at(std::uint64_t received, offset_unit unit, edit_side side) const noexcept {
  return parts_ == nullptr ? text_part{} : parts_->at(received, unit, side);
}

std::size_t answer_texts::held_in_all() const noexcept {
  std::size_t sum = output_.held();
  for (const auto& one : texts_) sum += one->held();
  return sum;
}

std::pair<std::size_t, std::size_t> answer_texts::unplaced() const noexcept {
  std::pair<std::size_t, std::size_t> sum;
  for (const auto& one : texts_) {
    sum.first += one->unplaced.size();
    sum.second += one->unplaced.bytes();
  }
  return sum;
}

bool answer_texts::may_interrupt() const noexcept {
  constexpr std::size_t max_aside = 64;
  return !current_->styled.unchanged() && texts_.size() <= max_aside &&
         (parts_ == nullptr || !parts_->full());
}

/// The number of a text that may follow the current one: one that is not interrupted, or a new one.
std::size_t answer_texts::free_text() {
  const auto free = std::ranges::find(texts_, false, [](const auto& one) { return one->interrupted; });
  const auto number = static_cast<std::size_t>(free - texts_.begin());
  if (free == texts_.end()) {
    const answer_text& like = *current_;
    texts_.push_back(std::make_unique<answer_text>(like.scanner.fresh(), like.styled.fresh(),
                                                   like.received.wants_places, like.received.claims.kept()));
    if (like.received.wide.started()) texts_.back()->received.keep_places();
  }
  return number;
}

std::size_t answer_texts::interrupt() {
  if (parts_ == nullptr) parts_ = std::make_unique<text_parts>();
  const std::size_t number = part().text;
  current_->interrupted = true;
  switch_to(free_text());
  return number;
}

bool answer_texts::any_interrupted() const noexcept {
  return std::ranges::any_of(texts_, [](const auto& one) { return one->interrupted; });
}

void answer_texts::resume(std::size_t number) {
  texts_[number]->interrupted = false;
  switch_to(number);
}

void answer_texts::switch_to(std::size_t number) {
  current_->received.claims.settle();
  const text_place start{received_end(), styled_end()};
  current_ = texts_[number].get();
  const text_offset end = current_->received.claims.position();
  parts_->add({number, start, {end, current_->styled.written(end)}});
}

text_offset answer_texts::received_end() const noexcept {
  return part().in_answer(current_->received.claims.position());
}

text_offset answer_texts::styled_end() const noexcept {
  const text_part last = part();
  const text_offset own = current_->styled.written(current_->received.claims.position());
  return last.start.printed + (own - last.own.printed);
}

text_offset answer_texts::sent_end() const noexcept {
  return output_.place(styled_end(), edit_side::after);
}

bool answer_texts::unedited() const noexcept {
  return current_->styled.edits().empty() && parts_ == nullptr && output_.unedited();
}

std::uint64_t answer_texts::abandoned() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& one : texts_) sum += one->scanner.abandoned() + one->styled.abandoned();
  return sum;
}

/// Converts the position \p own in the received text of \p in to the sent text. \p unit: its unit, or nothing
/// for all.
template <typename Position, typename... Unit>
Position answer_texts::to_sent(const text_part& in, Position own, edit_side side,
                               Unit... unit) const noexcept {
  const Position in_text = texts_[in.text]->styled.edits().place(own, unit..., side);
  const Position in_answer = parts_ == nullptr ? in_text : parts_->styled(in.text, in_text, unit..., side);
  return output_.place(in_answer, unit..., side);
}

std::optional<text_offset> answer_texts::received_place(std::uint64_t position,
                                                        offset_unit unit) const noexcept {
  const text_part in = part_at(position, unit, edit_side::before);
  const auto own = texts_[in.text]->received.place(in.in_text(position, unit), unit);
  return own ? std::optional(in.in_answer(*own)) : own;
}

std::uint64_t answer_texts::sent_position(std::uint64_t position, offset_unit unit,
                                          edit_side side) const noexcept {
  const std::uint64_t known = std::min(position, received_end().in(unit));
  const text_part in = part_at(known, unit, side);
  return to_sent(in, in.in_text(known, unit), side, unit);
}

std::optional<text_offset> answer_texts::sent_place(std::uint64_t position, offset_unit unit,
                                                    edit_side side) const noexcept {
  const std::uint64_t known = std::min(position, received_end().in(unit));
  const text_part in = part_at(known, unit, side);
  const auto own = texts_[in.text]->received.place(in.in_text(known, unit), unit);
  return own ? std::optional(to_sent(in, *own, side)) : own;
}

text_span answer_texts::styled_span(const text_span& own) const noexcept {
  if (parts_ == nullptr) return own;
  const std::size_t number = part().text;
  const text_offset start = parts_->styled(number, own.start, edit_side::before);
  return {start, own.end == own.start ? start : parts_->styled(number, own.end, edit_side::after)};
}

std::optional<text_span> answer_texts::received_span(const text_span& own) const noexcept {
  return parts_ == nullptr ? std::optional(own) : parts_->received(part().text, own);
}

void answer_texts::reset() noexcept {
  texts_.resize(1);
  current_ = texts_.front().get();
  current_->reset();
  parts_.reset();
  output_.reset();
}

}  // namespace citestream

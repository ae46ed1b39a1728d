#include "answer_texts.hpp"

#include <algorithm>
#include <utility>

#include "active_grammars.hpp"

namespace citestream {

namespace {

scanner_options options_for_scanner(const session_options& options, const dialect* spoken) {
  scanner_options out;  // the default is `link`
  out.markers = {options.identifiers, options.bounds};
  if (!options.grammars.empty()) {
    out.grammars = options.grammars;
  } else if (spoken != nullptr && !spoken->grammars.empty()) {
    out.grammars.clear();
    append_grammars(*spoken, cites_given(options), out.grammars);
  }
  const auto& on = out.grammars;
  for (const grammar* one : grammars()) {
    if (!options.provenance || !one->keyed_by_request) continue;
    if (std::find(on.begin(), on.end(), one) == on.end()) out.grammars.push_back(one);
  }
  for (const marker_pattern& one : options.patterns) out.grammars.push_back(&one.as_grammar());
  return out;
}

std::unique_ptr<answer_text> first_text(const session_options& options, const dialect* spoken,
                                        kept_text* kept) {
  const bool drops = options.unresolved == unresolved_print::drop;
  const bool places_reported = options.typed_events || options.add != additions::never;
  return std::make_unique<answer_text>(marker_scanner(options_for_scanner(options, spoken)),
                                       styled_text(style_for(options, spoken), options.bounds, drops),
                                       places_reported, kept);
}

}  // namespace

incoming_text::incoming_text(bool reported, kept_text* all) noexcept : wants_places(reported), kept(all) {
  claims.keep(kept);
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
  claims.keep(kept);
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

answer_texts::answer_texts(const session_options& options, const dialect* spoken, kept_text* kept)
    : current_(all_.emplace_back(first_text(options, spoken, kept)).get()),
      guard_(options.egress == egress_mode::off ? nullptr : std::make_unique<guarded_text>(options)) {}

text_part answer_texts::part() const noexcept {
  return parts_ == nullptr ? text_part{} : parts_->last();
}

text_part answer_texts::part_at(std::uint64_t received, offset_unit unit, bool end) const noexcept {
  return parts_ == nullptr ? text_part{} : parts_->at(received, unit, end);
}

bool answer_texts::may_interrupt() const noexcept {
  constexpr std::size_t max_aside = 64;
  return !current_->styled.unchanged() && all_.size() <= max_aside && (parts_ == nullptr || !parts_->full());
}

std::size_t answer_texts::interrupt() {
  if (parts_ == nullptr) parts_ = std::make_unique<text_parts>();
  const std::size_t number = part().text;
  current_->interrupted = true;
  auto next = std::ranges::find(all_, false, [](const auto& one) { return one->interrupted; });
  if (next == all_.end()) {
    all_.push_back(std::make_unique<answer_text>(current_->scanner.fresh(), current_->styled.fresh(),
                                                 current_->received.wants_places, current_->received.kept));
    if (current_->received.wide.started()) all_.back()->received.keep_places();
    next = std::prev(all_.end());
  }
  switch_to(static_cast<std::size_t>(next - all_.begin()));
  return number;
}

void answer_texts::resume(std::size_t number) {
  all_[number]->interrupted = false;
  switch_to(number);
}

void answer_texts::switch_to(std::size_t number) {
  current_->received.claims.settle();
  const text_position start{received(), styled()};
  current_ = all_[number].get();
  const text_offset end = current_->received.claims.position();
  parts_->add({number, start, {end, current_->styled.written(end)}});
}

text_offset answer_texts::received() const noexcept {
  const text_part last = part();
  return last.start.received + (current_->received.claims.position() - last.own.received);
}

text_offset answer_texts::styled() const noexcept {
  const text_part last = part();
  const text_offset own = current_->styled.written(current_->received.claims.position());
  return last.start.styled + (own - last.own.styled);
}

text_offset answer_texts::sent() const noexcept {
  return guard_ == nullptr ? styled() : guard_->edits.place(styled(), edit_side::after);
}

bool answer_texts::unedited() const noexcept {
  return current_->styled.edits().empty() && parts_ == nullptr &&
         (guard_ == nullptr || guard_->edits.empty());
}

std::uint64_t answer_texts::abandoned() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& one : all_) sum += one->scanner.abandoned() + one->styled.abandoned();
  return sum;
}

/// Converts a position in one text, in one unit or in all, from its received text to the sent text.
template <typename Position, typename... Unit>
Position answer_texts::to_sent(std::size_t number, Position own, bool end, Unit... unit) const noexcept {
  const edit_side side = end ? edit_side::after : edit_side::before;
  const Position in_text = all_[number]->styled.edits().place(own, unit..., side);
  const Position in_answer = parts_ == nullptr ? in_text : parts_->styled(number, in_text, unit..., end);
  return guard_ == nullptr ? in_answer : guard_->edits.place(in_answer, unit..., side);
}

std::optional<text_offset> answer_texts::received_place(std::uint64_t position,
                                                        offset_unit unit) const noexcept {
  const text_part in = part_at(position, unit, false);
  const auto own = all_[in.text]->received.place(in.own_place(position, unit), unit);
  return own ? std::optional(in.start.received + (*own - in.own.received)) : own;
}

std::uint64_t answer_texts::sent_position(std::uint64_t position, offset_unit unit, bool end) const noexcept {
  const std::uint64_t known = std::min(position, received().in(unit));
  const text_part in = part_at(known, unit, end);
  return to_sent(in.text, in.own_place(known, unit), end, unit);
}

std::optional<text_offset> answer_texts::sent_place(std::uint64_t position, offset_unit unit,
                                                    bool end) const noexcept {
  const std::uint64_t known = std::min(position, received().in(unit));
  const text_part in = part_at(known, unit, end);
  const auto own = all_[in.text]->received.place(in.own_place(known, unit), unit);
  return own ? std::optional(to_sent(in.text, *own, end)) : own;
}

text_span answer_texts::styled_span(const text_span& own) const noexcept {
  if (parts_ == nullptr) return own;
  const std::size_t number = part().text;
  const text_offset start = parts_->styled(number, own.start, false);
  return {start, own.end == own.start ? start : parts_->styled(number, own.end, true)};
}

std::optional<text_span> answer_texts::received_span(const text_span& own) const noexcept {
  return parts_ == nullptr ? std::optional(own) : parts_->received(part().text, own);
}

void answer_texts::reset() noexcept {
  all_.resize(1);
  current_ = all_.front().get();
  current_->reset();
  parts_.reset();
  if (guard_ != nullptr) guard_->reset();
}

}  // namespace citestream

// How citations get their positions.
//
// A citation is found with positions in the received text. Its record has positions in the sent text, so it
// can be written only when all edits before the end of the citation are final. Until then the citation is in
// answer_text::unplaced. Records are written in the order of the citations.
//
// If the text that is sent is made inert, label, identifier and marker of a record are too, because clients
// display them.
#include "citation_recorder.hpp"

namespace citestream {

namespace {

/// Returns the positions of a citation in the styled text.
citation_places styled_places(const found_citation& found, const text_edits& edits) noexcept {
  const text_offset start =
      found.styled ? *found.styled : edits.place(found.received.start, edit_side::before);
  const text_offset claim_end = edits.place(found.claim.end, edit_side::before);
  const text_offset claim_start = edits.place(found.claim.start, edit_side::after);
  return {{start + found.printed.start, start + found.printed.end},
          {claim_start.utf8 < claim_end.utf8 ? claim_start : claim_end, claim_end}};
}

/// A span of the current text in the received text of the answer. Empty if another text interrupts it.
text_range in_answer(const text_span& own, const answer_texts& texts) noexcept {
  const text_span whole = texts.received_span(own).value_or(text_span{});
  return {whole.start.utf8, whole.end.utf8};
}

}  // namespace

citation_recorder::citation_recorder(const session_options& options, check_mode check, const sent_text& sent)
    : sent_(&sent), cites_(options.bounds, options.repair) {
  if (check == check_mode::off || options.checker == nullptr) return;
  checks_ = std::make_unique<claim_checks>(*options.checker, options.thresholds, options.bounds, sent);
}

void citation_recorder::record_all_final(answer_texts& texts) {
  texts.current().unplaced.record_while([&](const auto& one) { return record(one, texts); });
}

void citation_recorder::add(const found_citation& one, answer_texts& texts) {
  unplaced_citations& unplaced = texts.current().unplaced;
  if (!unplaced.empty() || !record(one, texts)) unplaced.add(one);  // in order
}

/// Returns the positions of a citation in the sent text; nothing while they may still change.
std::optional<citation_places> citation_recorder::sent_places(const found_citation& one,
                                                              const answer_texts& texts) const {
  const styled_text& styled = texts.current().styled;
  if (!one.styled && one.received.start.utf8 >= styled.decided()) return std::nullopt;
  const citation_places own = styled_places(one, styled.edits());
  const citation_places at{texts.styled_span(own.citation), texts.styled_span(own.claim)};
  if (!sent_->has(at.citation.end)) return std::nullopt;
  return citation_places{sent_->place(at.citation), sent_->place(at.claim)};
}

/// Records a citation. Returns false if its positions are not final yet.
bool citation_recorder::record(const found_citation& one, const answer_texts& texts) {
  const std::optional<citation_places> at = sent_places(one, texts);
  if (!at) return false;
  new_citation made{.label = one.strings.label,
                    .identifier = one.strings.identifier,
                    .marker = one.strings.marker,
                    .number = one.number,
                    .place = at->citation,
                    .claim = at->claim,
                    .first_place = one.first_place,
                    .joins = one.joins,
                    .path = path_,
                    .received = in_answer(one.received, texts)};
  const auto inert = sent_->inert(one.strings);
  if (inert) {
    made.shown = shown_citation{inert->label, inert->identifier};
    made.marker = inert->marker;
  }
  const auto index = cites_.add(made);
  // Its claim is checked now or when its references are known, unless another text interrupts it.
  if (checks_ != nullptr && index)
    checks_->added(cites_, *index, in_answer(one.claim, texts), knew_references());
  return true;
}

void citation_recorder::resolve() {
  cites_.resolve();
  if (checks_ != nullptr) checks_->resolved(cites_);
}

std::vector<std::uint32_t> citation_recorder::resolve_late() {
  std::vector<std::uint32_t> late = cites_.resolve_late();
  if (checks_ != nullptr) checks_->resolved_late(cites_, late);
  return late;
}

bool citation_recorder::add_native(const placed_citation& one) {
  const bool added = cites_.add_native(one);
  if (added && checks_ != nullptr) checks_->added_native(cites_, one.words);
  return added;
}

void citation_recorder::reset() noexcept {
  cites_.reset();
  path_ = {};
  if (checks_ != nullptr) checks_->reset();
  early_ = references_before::unknown;
}

}  // namespace citestream

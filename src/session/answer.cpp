// How an answer composes the text stages. A delta takes this path:
//
//   scanner ─▶ tokens ─▶ claim tracker                finds the text that each marker supports
//                    └─▶ styled_text ─▶ egress_stage  the text that is sent, and its edits
//
// citation_recorder records the citations as soon as their positions in the sent text are final. A style that
// keeps the text unchanged appends each delta before it is scanned (styled_text::receive()).
//
// If the texts of an answer alternate, scanner, claims and styled text are those of the text that arrives,
// and those of the others are set aside (interrupt(), resume()). Egress and citations are those of the whole
// answer. text_parts knows where each part of a text is in it; without interruptions there is one part.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "active_grammars.hpp"
#include "answer_texts.hpp"
#include "citation_recorder.hpp"
#include "marker/scanner.hpp"

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

/// The grammar of citations without a marker: a number is an index from 0.
constexpr grammar markerless_grammar{
    .name = {}, .starts = {}, .first_place = [](std::string_view) noexcept -> std::int64_t { return 0; }};

/// The number that the marker uses for the first reference: 0 or 1.
std::int64_t first_of(const marker_token& token) noexcept {
  return token.from->first_place == nullptr ? 1 : token.from->first_place(token.text);
}

/// What is done about a marker that cites no reference known before the text.
struct unknown_rules {
  unknown_rules(const session_options& options, const dialect* spoken)
      : only_known(options.only_known),
        print(style_for(options, spoken).render != nullptr ? options.unresolved : unresolved_print::keep) {
    if (options.grammars.empty() && spoken != nullptr) grammars = spoken->only_known;
  }

  const bool only_known;                     ///< see session_options::only_known
  std::span<const grammar* const> grammars;  ///< see dialect::only_known
  const unresolved_print print;              ///< `keep` if the style prints nothing
};

/// What was held back.
struct hold_counts {
  std::size_t max{};          ///< most bytes at the same time
  std::uint64_t abandoned{};  ///< releases because of the limit, in earlier texts
};

}  // namespace

struct answer::impl {
  impl(const session_options& options, const dialect* spoken)
      : unknown(options, spoken),
        patterns(options.patterns),
        scanner(options_for_scanner(options, spoken)),
        received(options),
        sent(options, spoken),
        recorder(options) {
    received.claims.keep(recorder.checked_text());
  }

  bool push_styled(std::string_view delta, std::string& out);
  [[gnu::noinline]] void push_tokens(std::string_view delta, std::string& out);
  [[gnu::noinline]] void push_guarded(std::string_view delta, std::string& out);
  void finish_styled(std::string& out);
  void drain(std::string& out);
  void take(const marker_token& token, std::string& out);
  void take_part(const marker_token& part, std::string& out);
  void take_text(const marker_token& token, std::string& out);
  void take_marker(const marker_token& token, std::string& out);
  void take_enclosing(const marker_token& token, std::string& out);
  void remove_marker(const marker_token& token);
  void take_markerless(std::uint64_t until, std::string& out);
  bool read_keys(const marker_token& token);
  [[nodiscard]] bool cites_only_unknown(const marker_token& token) const;
  [[nodiscard]] citation_print print_of(std::string_view key, std::int64_t first, std::string_view label);
  [[nodiscard]] bool prints_any(const marker_token& token, std::int64_t first);
  void cite(const marker_token& token, const text_span& place, const text_span& claim, std::string& out);
  void switch_to(std::size_t text);
  [[nodiscard]] std::size_t free_text();
  [[nodiscard]] text_offset pushed() const noexcept;
  [[nodiscard]] text_offset styled() const noexcept;
  [[nodiscard]] const set_aside_text* aside_at(std::size_t text) const noexcept;
  template <typename Position, typename... Unit>
  [[nodiscard]] Position place(std::size_t text, Position own, bool end, Unit... unit) const noexcept;
  [[nodiscard]] std::optional<text_offset> in_all_units(std::size_t text, std::uint64_t own,
                                                        offset_unit unit) const noexcept;
  [[nodiscard]] std::optional<text_offset> pushed_place(std::uint64_t position,
                                                        offset_unit unit) const noexcept;
  /// Number of bytes held back before egress.
  [[nodiscard]] std::size_t buffered() const noexcept {
    return sent.styled.unchanged() ? 0 : scanner.held() + sent.styled.held();
  }

  unknown_rules unknown;
  bool keyed_by_request{true};           ///< see answer::keyed_by_request()
  bool may_pass{};                       ///< the next delta may take the shortcut in push_styled()
  std::vector<marker_pattern> patterns;  ///< keep the grammars alive that the scanner uses
  marker_scanner scanner;
  incoming_text received;
  sent_text sent;
  citation_recorder recorder;
  marker_citations marker;
  markerless_citations markerless;
  hold_counts holds;
  std::vector<std::unique_ptr<set_aside_text>> aside;  ///< by text_part::text; null for the current text
};

/// Returns true if a marker that may be prose cites none of the references known before the text, or one of
/// unknown_rules::grammars none of those known now.
bool answer::impl::cites_only_unknown(const marker_token& token) const {
  const bool prose = unknown.only_known && recorder.knew_references() && token.from->may_be_prose;
  if (!prose && std::ranges::find(unknown.grammars, token.from) == unknown.grammars.end()) return false;
  for (std::size_t i = 0; i < marker.keys.size(); ++i) {
    if (recorder.cites().knows(marker.keys[i])) return false;
  }
  return true;
}

/// Reads the keys that a marker cites. Returns false if the marker has to be treated as text: it cites
/// nothing or nothing that is known, or the limit of citations is reached.
bool answer::impl::read_keys(const marker_token& token) {
  marker.keys.clear();
  if (token.from->cites != nullptr && !token.from->cites(token.fields.identifier)) return false;
  if (token.from->keys != nullptr) token.from->keys(token.fields.identifier, marker.keys);
  if (marker.keys.size() == 0) marker.keys.add(token.fields.identifier);
  if (cites_only_unknown(token)) return false;
  std::size_t bytes = marker.keys.size() * (token.fields.label.size() + token.text.size());
  for (std::size_t i = 0; i < marker.keys.size(); ++i) bytes += marker.keys[i].size();
  return recorder.has_room(marker.keys.size(), bytes);
}

void answer::impl::take_text(const marker_token& token, std::string& out) {
  received.claims.text(token.text);
  sent.styled.text(token.text, token.code, token.abandoned, out);
}

void answer::impl::take_marker(const marker_token& token, std::string& out) {
  if (token.fields.role != marker_role::citation) return remove_marker(token);
  if (!read_keys(token)) return take_text(token, out);
  if (!token.fields.cited.empty()) return take_enclosing(token, out);
  const text_offset begin = received.claims.position();
  const text_span claim = received.claims.claim();
  received.claims.marker(token.text);
  cite(token, {begin, received.claims.position()}, claim, out);
}

/// Takes a marker that encloses its claim, such as `<co>claim</co: 0>`. The part before the claim is removed,
/// the claim is kept, and the style replaces the part after it.
void answer::impl::take_enclosing(const marker_token& token, std::string& out) {
  const std::string_view inner = token.fields.cited;
  const auto opening = static_cast<std::size_t>(inner.data() - token.text.data());
  const text_offset begin = received.claims.position();
  received.claims.text(token.text.substr(0, opening));
  const text_offset claim_begin = received.claims.position();
  received.claims.text(inner);
  const text_offset claim_end = received.claims.position();
  received.claims.marker(token.text.substr(opening + inner.size()));
  sent.styled.inner(inner, {begin, claim_begin}, out);
  const text_offset start = sent.styled.unchanged() ? begin : claim_end;
  cite(token, {start, received.claims.position()}, {claim_begin, claim_end}, out);
}

/// Removes a marker that cites nothing. It may mark the start of a claim.
void answer::impl::remove_marker(const marker_token& token) {
  const text_offset begin = received.claims.position();
  received.claims.skip(token.text);
  if (token.fields.role == marker_role::claim_start) received.claims.start_claim();
  sent.styled.remove({begin, received.claims.position()});
}

/// What is printed for a citation of \p key.
citation_print answer::impl::print_of(std::string_view key, std::int64_t first, std::string_view label) {
  if (unknown.print == unresolved_print::keep || !recorder.knew_references()) return citation_print::rendered;
  if (recorder.cites().matches(key, first, label)) return citation_print::rendered;
  return unknown.print == unresolved_print::drop ? citation_print::nothing : citation_print::unresolved;
}

/// Returns true if something is printed for a marker, if the style prints.
bool answer::impl::prints_any(const marker_token& token, std::int64_t first) {
  for (std::size_t i = 0; i < marker.keys.size(); ++i) {
    if (print_of(marker.keys[i], first, token.fields.label) != citation_print::nothing) return true;
  }
  return false;
}

/// Prints and records the citations of a marker. \p place: the part of the received text that the style
/// replaces.
void answer::impl::cite(const marker_token& token, const text_span& place, const text_span& claim,
                        std::string& out) {
  const std::int64_t first = first_of(token);
  keyed_by_request = keyed_by_request && token.from->keyed_by_request;
  received.keep_places();
  marker.all.clear();
  sent.styled.begin_marker(place.start, token.text, prints_any(token, first), out);
  for (std::size_t i = 0; i < marker.keys.size(); ++i) {
    const std::string_view key = marker.keys[i];
    const citation_print how = print_of(key, first, token.fields.label);
    citations& cites = recorder.cites();
    const std::uint32_t number =
        how == citation_print::rendered ? cites.number_of(key, first, token.fields.label) : 0;
    const reference* const best = number > 0 ? cites.best(key, first) : nullptr;
    const text_span printed = sent.styled.print({token.fields.label, key, number, best}, how, out);
    marker.all.push_back(
        {token.fields.label, key, token.text, number, first, i > 0, place.start, {}, printed, claim});
  }
  const std::optional<text_offset> begin = sent.styled.end_marker(place);
  for (auto& one : marker.all) {
    one.styled = begin;
    recorder.add(one, sent);
  }
}

void answer::impl::take_part(const marker_token& part, std::string& out) {
  part.kind == token_kind::text ? take_text(part, out) : take_marker(part, out);
  scanner.reserve(sent.styled.held());
  if (sent.guard == nullptr) recorder.place(sent);
}

/// Cites what was cited without a marker up to the byte \p until of the received text.
void answer::impl::take_markerless(std::uint64_t until, std::string& out) {
  while (!markerless.empty() && markerless.position() <= until) {
    marker_token none;
    none.kind = token_kind::marker;
    none.fields.identifier = markerless.take();
    none.from = &markerless_grammar;
    take_part(none, out);
  }
  if (markerless.empty()) markerless.clear();
}

/// Takes one token. Text is split at the positions of citations without a marker. A marker is not split:
/// citations at a position inside it follow it.
void answer::impl::take(const marker_token& token, std::string& out) {
  marker_token part = token;
  while (!markerless.empty()) {
    const std::uint64_t at = received.claims.position().utf8;
    take_markerless(at, out);
    if (markerless.empty() || token.kind != token_kind::text) break;
    const std::size_t before = markerless.position() - at;
    if (before >= part.text.size()) break;
    marker_token first = part;
    first.text = part.text.substr(0, before);
    first.code = first.abandoned = false;
    part.text.remove_prefix(before);
    take_part(first, out);
  }
  take_part(part, out);
}

/// Takes all tokens that the scanner can return now.
void answer::impl::drain(std::string& out) {
  for (marker_token token; scanner.next(token);) take(token, out);
  if (!markerless.empty()) take_markerless(received.claims.position().utf8, out);
  if (scanner.held() == 0) return;
  // The text before a marker with cited text can be sent while the marker is still incomplete.
  const std::string_view inner = scanner.cited();
  if (inner.empty()) return;
  sent.styled.expect_inner(inner, out);
  scanner.reserve(sent.styled.held());
}

/// Most deltas take a shortcut: they contain no start of a marker and no line end, and nothing is pending.
/// Returns true, and appends nothing, if exactly the delta is released.
[[gnu::always_inline]] inline bool answer::impl::push_styled(std::string_view delta, std::string& out) {
  const std::size_t blanks = may_pass ? sent.styled.blanks_of(delta) : std::string_view::npos;
  if (blanks == std::string_view::npos || !scanner.pass(delta, blanks)) {
    push_tokens(delta, out);
    return false;
  }
  received.claims.text(delta);
  if (blanks > 0) holds.max = std::max(holds.max, blanks);
  return sent.styled.put(delta, blanks, out);
}

void answer::impl::push_tokens(std::string_view delta, std::string& out) {
  if (!delta.empty()) recorder.note_text();
  scanner.feed(delta);
  sent.styled.receive(delta, out);
  drain(out);
  holds.max = std::max(holds.max, buffered());
  may_pass = recorder.has_text() && markerless.empty() && sent.styled.idle();
}

void answer::impl::push_guarded(std::string_view delta, std::string& out) {
  sent.guard->styled.clear();
  const bool unchanged = push_styled(delta, sent.guard->styled);
  sent.guard->stage.feed(unchanged ? delta : sent.guard->styled, out, sent.guard->edits);
  recorder.place(sent);
  holds.max = std::max(holds.max, sent.guard->stage.held() + buffered());
}

/// Ends the text and appends what is held. Another text may follow.
void answer::impl::finish_styled(std::string& out) {
  may_pass = false;
  scanner.finish();
  drain(out);
  sent.styled.finish(out);
  received.claims.settle();
  holds.abandoned += scanner.abandoned();
  scanner.reset();
}

/// The end of the text pushed.
text_offset answer::impl::pushed() const noexcept {
  const text_part part = sent.part();
  return part.start.received + (received.claims.position() - part.own.received);
}

/// The end of the styled text that was released.
text_offset answer::impl::styled() const noexcept {
  const text_part part = sent.part();
  return part.start.styled + (sent.styled.written(received.claims.position()) - part.own.styled);
}

/// Makes a text that was set aside the current one. It goes on where the current one stops.
void answer::impl::switch_to(std::size_t text) {
  const text_position start{pushed(), styled()};
  const std::size_t last = sent.part().text;
  set_aside_text& other = *aside[text];
  std::swap(scanner, other.scanner);
  received.exchange_with(other.received);
  std::swap(sent.styled, other.styled);
  std::swap(markerless, other.markerless);
  recorder.swap_unplaced(other.unplaced);
  may_pass = false;
  aside[last] = std::move(aside[text]);
  const text_offset end = received.claims.position();
  sent.parts->add({text, start, {end, sent.styled.written(end)}});
}

/// The number of a text that another one may follow: one that has ended, or a new one.
std::size_t answer::impl::free_text() {
  const auto ended =
      std::ranges::find_if(aside, [](const auto& one) { return one != nullptr && !one->interrupted; });
  if (ended != aside.end()) return static_cast<std::size_t>(ended - aside.begin());
  aside.push_back(std::make_unique<set_aside_text>(
      set_aside_text{scanner.fresh(), received.fresh(), sent.styled.fresh(), {}, {}}));
  aside.back()->received.claims.keep(recorder.checked_text());
  return aside.size() - 1;
}

/// The text that was set aside under this number; null for the current one.
const set_aside_text* answer::impl::aside_at(std::size_t text) const noexcept {
  return text < aside.size() ? aside[text].get() : nullptr;
}

/// Converts a position in one text, in one unit or in all, from its received to the sent text.
template <typename Position, typename... Unit>
Position answer::impl::place(std::size_t text, Position own, bool end, Unit... unit) const noexcept {
  const edit_side side = end ? edit_side::after : edit_side::before;
  const set_aside_text* const other = aside_at(text);
  const text_edits& edits = (other == nullptr ? sent.styled : other->styled).edits();
  const Position at = sent.in_answer(text, edits.place(own, unit..., side), unit..., end);
  return sent.guard == nullptr ? at : sent.guard->edits.place(at, unit..., side);
}

/// Converts a position in one text to all units. Nothing if that is not known.
std::optional<text_offset> answer::impl::in_all_units(std::size_t text, std::uint64_t own,
                                                      offset_unit unit) const noexcept {
  const set_aside_text* const other = aside_at(text);
  return (other == nullptr ? received : other->received).place(own, unit);
}

/// Converts a position in the text pushed to all units.
std::optional<text_offset> answer::impl::pushed_place(std::uint64_t position,
                                                      offset_unit unit) const noexcept {
  const text_part part = sent.part_at(position, unit, false);
  const auto own = in_all_units(part.text, part.own_place(position, unit), unit);
  return own ? std::optional(part.start.received + (*own - part.own.received)) : own;
}

answer::answer(const session_options& options, const dialect* spoken)
    : impl_(std::make_unique<impl>(options, spoken == nullptr ? options.dialect : spoken)) {}
answer::~answer() = default;
answer::answer(answer&&) noexcept = default;
answer& answer::operator=(answer&&) noexcept = default;

[[gnu::hot, gnu::flatten]] bool answer::pass(std::string_view delta, std::string& out) {
  if (impl_->sent.guard == nullptr) return impl_->push_styled(delta, out);
  impl_->push_guarded(delta, out);
  return false;
}

void answer::push(std::string_view delta, std::string& out) {
  if (pass(delta, out)) out.append(delta);
}

void answer::cite(std::string_view key) {
  impl& a = *impl_;
  if (!a.recorder.has_room(a.markerless.size() + 1, a.markerless.bytes() + key.size())) return;
  a.markerless.add(a.received.claims.position().utf8 + a.scanner.held(), key);
  a.may_pass = false;
}

void answer::finish(std::string& out) {
  impl& a = *impl_;
  if (a.sent.guard == nullptr) {
    a.finish_styled(out);
  } else {
    a.sent.guard->styled.clear();
    a.finish_styled(a.sent.guard->styled);
    a.sent.guard->stage.feed(a.sent.guard->styled, out, a.sent.guard->edits);
    a.sent.guard->stage.finish(out, a.sent.guard->edits);
  }
  a.recorder.place(a.sent);
}

void answer::begin_text() noexcept {
  impl_->sent.styled.begin_text();
}

std::optional<std::size_t> answer::interrupt(std::string& out) {
  constexpr std::size_t max_aside = 64;
  impl& a = *impl_;
  const bool full = a.aside.size() > max_aside || (a.sent.parts != nullptr && a.sent.parts->full());
  if (a.sent.styled.unchanged() || full) return std::nullopt;
  if (a.sent.guard != nullptr) a.sent.guard->stage.finish(out, a.sent.guard->edits);
  a.recorder.place(a.sent);
  if (a.aside.empty()) {
    a.aside.emplace_back();
    a.sent.parts = std::make_unique<text_parts>();
  }
  const std::size_t text = a.sent.part().text;
  a.switch_to(a.free_text());
  a.aside[text]->interrupted = true;
  return text;
}

void answer::resume(std::size_t text) {
  impl& a = *impl_;
  const std::size_t last = a.sent.part().text;
  a.switch_to(text);
  a.aside[last]->interrupted = false;
}

void answer::append_list(std::string& out) {
  impl_->may_pass = false;
  impl_->sent.list(cites(), out);
}

bool answer::add_reference(const reference& ref) {
  const bool added = impl_->recorder.cites().add_reference(ref);
  if (added && impl_->sent.guard != nullptr) impl_->sent.guard->stage.allow(ref);
  return added;
}

void answer::resolve() {
  impl_->recorder.resolve();
}

std::vector<std::uint32_t> answer::resolve_late() {
  return impl_->recorder.resolve_late();
}

void answer::keep_places() {
  impl_->received.keep_places();
}

bool answer::add_native(const placed_citation& one) {
  return impl_->recorder.add_native(one);
}

const citations& answer::cites() const noexcept {
  return impl_->recorder.cites();
}

bool answer::keyed_by_request() const noexcept {
  return impl_->keyed_by_request;
}

std::size_t answer::held() const noexcept {
  return impl_->buffered() + (impl_->sent.guard == nullptr ? 0 : impl_->sent.guard->stage.held());
}

bool answer::waiting() const noexcept {
  return held() > 0 || !impl_->markerless.empty();
}

bool answer::may_edit() const noexcept {
  return !impl_->sent.styled.unchanged() || impl_->sent.guard != nullptr;
}

bool answer::unedited() const noexcept {
  return !waiting() && impl_->sent.unedited();
}

text_offset answer::received() const noexcept {
  return impl_->pushed();
}

std::uint64_t answer::released_position(std::uint64_t pushed, offset_unit unit, bool end) const noexcept {
  const std::uint64_t known = std::min(pushed, received().in(unit));
  const text_part part = impl_->sent.part_at(known, unit, end);
  return impl_->place(part.text, part.own_place(known, unit), end, unit);
}

std::string_view answer::received_text(std::uint64_t begin, std::uint64_t end,
                                       offset_unit unit) const noexcept {
  const impl& a = *impl_;
  const kept_text* const text = a.recorder.checked_text();
  if (text == nullptr) return {};
  const auto first = a.pushed_place(begin, unit);
  const auto last = a.pushed_place(end, unit);
  return first && last ? text->find(first->utf8, last->utf8).value_or(std::string_view{})
                       : std::string_view{};
}

std::optional<text_offset> answer::released_place(std::uint64_t pushed, offset_unit unit,
                                                  bool end) const noexcept {
  const std::uint64_t known = std::min(pushed, received().in(unit));
  const text_part part = impl_->sent.part_at(known, unit, end);
  const auto own = impl_->in_all_units(part.text, part.own_place(known, unit), unit);
  return own ? std::optional(impl_->place(part.text, *own, end)) : own;
}

text_offset answer::released_end() const noexcept {
  const impl& a = *impl_;
  return a.sent.guard == nullptr ? a.styled() : a.sent.guard->edits.place(a.styled(), edit_side::after);
}

std::size_t answer::held_max() const noexcept {
  return impl_->holds.max;
}

std::uint64_t answer::abandoned() const noexcept {
  if (impl_->sent.styled.unchanged()) return 0;
  std::uint64_t styled = impl_->sent.styled.abandoned();
  for (const auto& one : impl_->aside) styled += one == nullptr ? 0 : one->styled.abandoned();
  return impl_->holds.abandoned + impl_->scanner.abandoned() + styled;
}

std::span<const egress_record> answer::egress() const noexcept {
  return impl_->sent.guard == nullptr ? std::span<const egress_record>() : impl_->sent.guard->stage.records();
}

std::uint64_t answer::egress_count() const noexcept {
  return impl_->sent.guard == nullptr ? 0 : impl_->sent.guard->stage.recorded();
}

void answer::reset() noexcept {
  impl& a = *impl_;
  a.keyed_by_request = true;
  a.may_pass = false;
  a.scanner.reset();
  a.recorder.reset();
  a.received.reset();
  a.received.claims.keep(a.recorder.checked_text());
  a.sent.reset();
  a.markerless.clear();
  a.holds = {};
  a.aside.clear();
}

}  // namespace citestream

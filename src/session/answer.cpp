// How an answer composes the text stages. A delta takes this path:
//
//   scanner ─▶ tokens ─▶ claim tracker                finds the text that each marker supports
//                    └─▶ styled_text ─▶ sent_text     the text that is sent, and its edits
//
// answer_texts owns these stages: an answer may have several texts that alternate. citation_recorder records
// the citations as soon as their positions in the sent text are final. A style that keeps the text unchanged
// appends each delta before it is scanned (styled_text::receive()).
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

/// The grammar of citations without a marker: a number is an index from 0.
constexpr grammar markerless_grammar{
    .name = {}, .starts = {}, .first_place = [](std::string_view) noexcept -> std::int64_t { return 0; }};

/// The number that the marker uses for the first reference: 0 or 1.
std::int64_t first_of(const marker_token& token) noexcept {
  return token.recognised_by->first_place == nullptr ? 1 : token.recognised_by->first_place(token.text);
}

/// How a marker is handled that cites no reference known before the text.
struct unknown_rules {
  unknown_rules(const session_options& options, const dialect* by)
      : only_known(options.only_known),
        print(style_for(options, by).render != nullptr ? options.unresolved : unresolved_print::keep) {
    if (options.grammars.empty() && by != nullptr) grammars = by->markers.only_known;
  }

  const bool only_known;                     ///< see session_options::only_known
  std::span<const grammar* const> grammars;  ///< see marker_rules::only_known
  const unresolved_print print;              ///< `keep` if the style prints nothing
};

/// What was held back.
struct hold_counts {
  std::size_t max{};          ///< most bytes at the same time
  std::uint64_t abandoned{};  ///< releases because of the limit, in earlier texts
};

}  // namespace

struct answer::impl {
  impl(const session_options& options, const dialect* by)
      : unknown(options, by),
        patterns(options.patterns),
        recorder(options),
        texts(options, by, recorder.checked_text()) {}

  bool push_styled(std::string_view delta, std::string& out);
  bool pass_plain(std::string_view delta);
  [[gnu::noinline]] void push_tokens(std::string_view delta, std::string& out);
  [[gnu::noinline]] void note_sent();
  void finish_styled(std::string& out);
  void drain(std::string& out);
  void take(const marker_token& token, std::string& out);
  void take_part(const marker_token& part, std::string& out);
  void take_text(const marker_token& token, std::string& out);
  void take_marker(const marker_token& token, std::string& out);
  void take_enclosing(const marker_token& token, const marker_keys& keys, std::string& out);
  void remove_marker(const marker_token& token);
  void take_markerless(std::uint64_t until, std::string& out);
  [[nodiscard]] const marker_keys* read_keys(const marker_token& token);
  [[nodiscard]] bool cites_only_unknown(const marker_token& token, const marker_keys& keys) const;
  [[nodiscard]] citation_print print_of(std::string_view key, std::int64_t first, std::string_view label);
  [[nodiscard]] bool prints_any(const marker_token& token, const marker_keys& keys, std::int64_t first);
  void cite(const marker_token& token, const marker_keys& keys, const text_span& place,
            const text_span& claim, std::string& out);
  [[nodiscard]] bool has_room(std::size_t count, std::size_t bytes) const noexcept;
  [[nodiscard]] answer_text& current() noexcept { return texts.current(); }
  [[nodiscard]] claim_tracker& claims() noexcept { return current().received.claims; }
  [[nodiscard]] styled_text& styled() noexcept { return current().styled; }
  [[nodiscard]] sent_text& sent() noexcept { return texts.output(); }

  unknown_rules unknown;
  bool keyed_by_request{true};           ///< see answer::keyed_by_request()
  bool may_pass{};                       ///< the next delta may take the shortcut in push_styled()
  std::vector<marker_pattern> patterns;  ///< keep the grammars alive that the scanner uses
  citation_recorder recorder;
  answer_texts texts;
  marker_buffers buffers;
  hold_counts holds;
};

/// Returns true if a marker must remain text: it may be prose and cites no reference known before the text,
/// or it is of one of unknown_rules::grammars and cites no reference known now.
bool answer::impl::cites_only_unknown(const marker_token& token, const marker_keys& keys) const {
  const bool prose = unknown.only_known && recorder.knew_references() && token.recognised_by->may_be_prose;
  if (!prose && std::ranges::find(unknown.grammars, token.recognised_by) == unknown.grammars.end())
    return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (recorder.cites().knows(keys[i])) return false;
  }
  return true;
}

/// Returns true if \p count more citations, with strings of \p bytes, are within the limits.
bool answer::impl::has_room(std::size_t count, std::size_t bytes) const noexcept {
  const unplaced_citations& unplaced = texts.current().unplaced;
  return recorder.cites().has_room(unplaced.size() + count, unplaced.bytes() + bytes);
}

/// Returns the keys that a marker cites, valid until the next call. Null if the marker has to be treated as
/// text: it cites nothing or nothing that is known, or the limit of citations is reached.
const marker_keys* answer::impl::read_keys(const marker_token& token) {
  marker_keys& keys = buffers.keys;
  keys.clear();
  if (token.recognised_by->cites != nullptr && !token.recognised_by->cites(token.fields.identifier))
    return nullptr;
  if (token.recognised_by->keys != nullptr) token.recognised_by->keys(token.fields.identifier, keys);
  if (keys.size() == 0) keys.add(token.fields.identifier);
  if (cites_only_unknown(token, keys)) return nullptr;
  std::size_t bytes = keys.size() * (token.fields.label.size() + token.text.size());
  for (std::size_t i = 0; i < keys.size(); ++i) bytes += keys[i].size();
  return has_room(keys.size(), bytes) ? &keys : nullptr;
}

void answer::impl::take_text(const marker_token& token, std::string& out) {
  claims().text(token.text);
  styled().text(token.text, token.code, token.abandoned, out);
}

void answer::impl::take_marker(const marker_token& token, std::string& out) {
  if (token.fields.role != marker_role::citation) return remove_marker(token);
  const marker_keys* const keys = read_keys(token);
  if (keys == nullptr) return take_text(token, out);
  if (!token.fields.cited.empty()) return take_enclosing(token, *keys, out);
  const text_offset begin = claims().position();
  const text_span claim = claims().claim();
  claims().marker(token.text);
  cite(token, *keys, {begin, claims().position()}, claim, out);
}

/// Takes a marker that encloses its claim, such as `<co>claim</co: 0>`. The part before the claim is removed,
/// the claim is kept, and the style replaces the part after it.
void answer::impl::take_enclosing(const marker_token& token, const marker_keys& keys, std::string& out) {
  const std::string_view inner = token.fields.cited;
  const auto opening = static_cast<std::size_t>(inner.data() - token.text.data());
  const text_offset begin = claims().position();
  claims().text(token.text.substr(0, opening));
  const text_offset claim_begin = claims().position();
  claims().text(inner);
  const text_offset claim_end = claims().position();
  claims().marker(token.text.substr(opening + inner.size()));
  styled().inner(inner, {begin, claim_begin}, out);
  const text_offset start = styled().unchanged() ? begin : claim_end;
  cite(token, keys, {start, claims().position()}, {claim_begin, claim_end}, out);
}

/// Removes a marker that cites nothing. It may mark the start of a claim.
void answer::impl::remove_marker(const marker_token& token) {
  const text_offset begin = claims().position();
  claims().skip(token.text);
  if (token.fields.role == marker_role::claim_start) claims().start_claim();
  styled().remove({begin, claims().position()});
}

/// What is printed for a citation of \p key.
citation_print answer::impl::print_of(std::string_view key, std::int64_t first, std::string_view label) {
  if (unknown.print == unresolved_print::keep || !recorder.knew_references()) return citation_print::rendered;
  if (recorder.cites().matches(key, first, label)) return citation_print::rendered;
  return unknown.print == unresolved_print::drop ? citation_print::nothing : citation_print::unresolved;
}

/// Returns true if a marker is printed, provided that the style prints anything.
bool answer::impl::prints_any(const marker_token& token, const marker_keys& keys, std::int64_t first) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (print_of(keys[i], first, token.fields.label) != citation_print::nothing) return true;
  }
  return false;
}

/// Prints and records the citations of a marker. \p place: the part of the received text that the style
/// replaces.
void answer::impl::cite(const marker_token& token, const marker_keys& keys, const text_span& place,
                        const text_span& claim, std::string& out) {
  const std::int64_t first = first_of(token);
  keyed_by_request = keyed_by_request && token.recognised_by->keyed_by_request;
  current().received.keep_places();
  buffers.found.clear();
  styled().begin_marker(place.start, token.text, prints_any(token, keys, first), out);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = keys[i];
    const citation_print how = print_of(key, first, token.fields.label);
    citations& cites = recorder.cites();
    const std::uint32_t number =
        how == citation_print::rendered ? cites.number_of(key, first, token.fields.label) : 0;
    const reference* const best = number > 0 ? cites.best(key, first) : nullptr;
    const text_span printed = styled().print({token.fields.label, key, number, best}, how, out);
    buffers.found.push_back(
        {token.fields.label, key, token.text, number, first, i > 0, place, {}, printed, claim});
  }
  const std::optional<text_offset> begin = styled().end_marker(place);
  for (auto& one : buffers.found) {
    one.styled = begin;
    recorder.add(one, texts);
  }
}

void answer::impl::take_part(const marker_token& part, std::string& out) {
  part.kind == token_kind::text ? take_text(part, out) : take_marker(part, out);
  current().scanner.reserve(styled().held());
  recorder.place(texts);
}

/// Records the citations without a marker up to the byte \p until of the received text.
void answer::impl::take_markerless(std::uint64_t until, std::string& out) {
  markerless_citations& next = current().markerless;
  while (!next.empty() && next.position() <= until) {
    marker_token none;
    none.kind = token_kind::marker;
    none.fields.identifier = next.take();
    none.recognised_by = &markerless_grammar;
    take_part(none, out);
  }
  if (next.empty()) next.clear();
}

/// Takes one token. Text is split at the positions of citations without a marker. A marker is not split:
/// citations at a position inside it follow it.
void answer::impl::take(const marker_token& token, std::string& out) {
  marker_token part = token;
  const markerless_citations& next = current().markerless;
  while (!next.empty()) {
    const std::uint64_t at = claims().position().utf8;
    take_markerless(at, out);
    if (next.empty() || token.kind != token_kind::text) break;
    const std::size_t before = next.position() - at;
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
  marker_scanner& scanner = current().scanner;
  for (marker_token token; scanner.next(token);) take(token, out);
  if (!current().markerless.empty()) take_markerless(claims().position().utf8, out);
  if (scanner.held() == 0) return;
  // The text before a marker with cited text can be sent while the marker is still incomplete.
  const std::string_view inner = scanner.cited();
  if (inner.empty()) return;
  styled().expect_inner(inner, out);
  scanner.reserve(styled().held());
}

/// Most deltas take a shortcut: they contain no start of a marker and no line end, and nothing is pending.
/// Returns true, and appends nothing, if exactly the delta is released.
[[gnu::always_inline]] inline bool answer::impl::push_styled(std::string_view delta, std::string& out) {
  const std::size_t blanks = may_pass ? styled().blanks_of(delta) : std::string_view::npos;
  if (blanks == std::string_view::npos || !current().scanner.pass(delta, blanks)) {
    push_tokens(delta, out);
    return false;
  }
  claims().text(delta);
  if (blanks > 0) holds.max = std::max(holds.max, blanks);
  return styled().put(delta, blanks, out);
}

/// The shortest path: for deltas that also do not end with white space.
[[gnu::always_inline]] inline bool answer::impl::pass_plain(std::string_view delta) {
  if (!may_pass || !sent().is_styled()) return false;
  answer_text& text = current();
  if (!text.styled.puts_whole(delta) || !text.scanner.pass(delta, 0)) return false;
  text.received.claims.text(delta);
  return true;
}

void answer::impl::push_tokens(std::string_view delta, std::string& out) {
  if (!delta.empty()) recorder.note_text();
  current().scanner.feed(delta);
  styled().receive(delta, out);
  drain(out);
  holds.max = std::max(holds.max, current().held());
  may_pass = recorder.has_text() && current().markerless.empty() && styled().idle();
}

/// Styled text has passed the last stage, which may hold some of it.
void answer::impl::note_sent() {
  recorder.place(texts);
  holds.max = std::max(holds.max, texts.held());
}

/// Ends the text and appends what is held. Another text may follow.
void answer::impl::finish_styled(std::string& out) {
  may_pass = false;
  marker_scanner& scanner = current().scanner;
  scanner.finish();
  drain(out);
  styled().finish(out);
  claims().settle();
  holds.abandoned += scanner.abandoned();
  scanner.reset();
}

answer::answer(const session_options& options, const dialect* by)
    : impl_(std::make_unique<impl>(options, by == nullptr ? options.dialect : by)) {}
answer::~answer() = default;
answer::answer(answer&&) noexcept = default;
answer& answer::operator=(answer&&) noexcept = default;

[[gnu::hot, gnu::flatten]] bool answer::pass(std::string_view delta, std::string& out) {
  impl& a = *impl_;
  const bool unchanged = a.sent().pass(delta, out, [&](std::string& to) { return a.push_styled(delta, to); });
  if (!a.sent().is_styled()) a.note_sent();
  return unchanged;
}

[[gnu::hot, gnu::flatten]] bool answer::pass_plain(std::string_view delta) {
  return impl_->pass_plain(delta);
}

void answer::push(std::string_view delta, std::string& out) {
  if (pass(delta, out)) out.append(delta);
}

void answer::cite(std::string_view key) {
  impl& a = *impl_;
  answer_text& text = a.current();
  if (!a.has_room(text.markerless.size() + 1, text.markerless.bytes() + key.size())) return;
  text.markerless.add(a.claims().position().utf8 + text.scanner.held(), key);
  a.may_pass = false;
}

void answer::finish(std::string& out) {
  impl& a = *impl_;
  a.sent().take(out, [&a](std::string& to) { a.finish_styled(to); });
  a.sent().finish(out);
  a.recorder.place(a.texts);
}

void answer::set_path(const citation_path& path) {
  impl_->recorder.set_path(path);
}

void answer::begin_text() {
  impl_->texts.current().received.claims.begin_text();
  impl_->styled().begin_text(received() != text_offset{});
}

std::optional<std::size_t> answer::interrupt(std::string& out) {
  impl& a = *impl_;
  if (!a.texts.may_interrupt()) return std::nullopt;
  a.sent().finish(out);
  a.recorder.place(a.texts);
  a.may_pass = false;
  return a.texts.interrupt();
}

void answer::resume(std::size_t text) {
  impl_->may_pass = false;
  impl_->texts.resume(text);
}

void answer::append_list(std::string& out) {
  impl& a = *impl_;
  a.may_pass = false;
  a.sent().take_separate(out, [&](std::string& to) { a.styled().list(cites(), to); });
}

bool answer::add_reference(const reference& ref) {
  const bool added = impl_->recorder.cites().add_reference(ref);
  if (added) impl_->sent().allow(ref);
  return added;
}

void answer::resolve() {
  impl_->recorder.resolve();
}

std::vector<std::uint32_t> answer::resolve_late() {
  return impl_->recorder.resolve_late();
}

void answer::keep_places() {
  impl_->current().received.keep_places();
}

void answer::expect_native(const placed_citation& one, std::size_t first) {
  impl_->recorder.cites().expect_native(one, first);
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
  return impl_->texts.held();
}

bool answer::waiting() const noexcept {
  return held() > 0 || !impl_->current().markerless.empty();
}

bool answer::may_edit() const noexcept {
  return !impl_->styled().unchanged() || !impl_->sent().is_styled();
}

bool answer::unedited() const noexcept {
  return !waiting() && impl_->texts.unedited();
}

text_offset answer::received() const noexcept {
  return impl_->texts.received();
}

std::uint64_t answer::released_position(std::uint64_t pushed, offset_unit unit, bool end) const noexcept {
  return impl_->texts.sent_position(pushed, unit, end);
}

std::string_view answer::received_text(std::uint64_t begin, std::uint64_t end,
                                       offset_unit unit) const noexcept {
  const kept_text* const text = impl_->recorder.checked_text();
  if (text == nullptr) return {};
  const auto first = impl_->texts.received_place(begin, unit);
  const auto last = impl_->texts.received_place(end, unit);
  return first && last ? text->find(first->utf8, last->utf8).value_or(std::string_view{})
                       : std::string_view{};
}

std::optional<text_offset> answer::received_place(std::uint64_t pushed, offset_unit unit) const noexcept {
  return impl_->texts.received_place(std::min(pushed, received().in(unit)), unit);
}

std::optional<text_offset> answer::released_place(std::uint64_t pushed, offset_unit unit,
                                                  bool end) const noexcept {
  return impl_->texts.sent_place(pushed, unit, end);
}

text_offset answer::released_end() const noexcept {
  return impl_->texts.sent();
}

std::size_t answer::held_max() const noexcept {
  return impl_->holds.max;
}

std::uint64_t answer::abandoned() const noexcept {
  return impl_->styled().unchanged() ? 0 : impl_->holds.abandoned + impl_->texts.abandoned();
}

std::span<const egress_record> answer::egress() const noexcept {
  return impl_->sent().records();
}

std::uint64_t answer::egress_count() const noexcept {
  return impl_->sent().recorded();
}

void answer::reset() noexcept {
  impl& a = *impl_;
  a.keyed_by_request = true;
  a.may_pass = false;
  a.recorder.reset();
  a.texts.reset();
  a.holds = {};
}

}  // namespace citestream

// How the text stages of an answer work together. A delta takes this path:
//
//   scanner ─▶ tokens ─▶ claim tracker                finds the text that each marker supports
//                    └─▶ styled_text ─▶ sent_text     the text that is sent, and its edits
//
// answer_texts owns these stages: an answer may have several texts that alternate. citation_recorder records
// the citations as soon as their positions in the sent text are final. A style that keeps the text unchanged
// appends each delta before it is scanned (styled_text::receive()).
#include "answer_stages.hpp"

#include <algorithm>

#include "active_grammars.hpp"

namespace citestream {

namespace {

/// The grammar of citations without a marker: a number is an index from 0.
constexpr grammar markerless_grammar{
    .name = {}, .starts = {}, .first_place = [](std::string_view) noexcept -> std::int64_t { return 0; }};

/// The number that the marker uses for the first reference: 0 or 1.
std::int64_t first_of(const marker_token& token) noexcept {
  return token.recognised_by->first_place == nullptr ? 1 : token.recognised_by->first_place(token.text);
}

}  // namespace

answer_stages::unknown_rules::unknown_rules(const session_options& options, const dialect* spec)
    : only_known(options.only_known),
      print(style_for(options, spec).render != nullptr ? options.unresolved : unresolved_print::keep) {
  if (options.grammars.empty() && spec != nullptr) grammars = spec->markers.only_known;
}

answer_stages::answer_stages(const session_options& options, const dialect* spec, check_mode check)
    : unknown_(options, spec),
      patterns_(options.patterns),
      sent_(options),
      recorder_(options, check, sent_),
      texts_(options, spec, recorder_.checked_text(), sent_),
      max_printed_bytes_(options.bounds.max_printed_bytes) {}

/// Returns true if a marker must remain text: it may be prose and cites no reference known before the text,
/// or it is of one of unknown_rules::grammars and cites no reference known now.
bool answer_stages::cites_only_unknown(const marker_token& token, const marker_keys& keys) const {
  const bool prose = unknown_.only_known && recorder_.knew_references() && token.recognised_by->may_be_prose;
  if (!prose && std::ranges::find(unknown_.grammars, token.recognised_by) == unknown_.grammars.end())
    return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (recorder_.cites().knows(keys[i], first_of(token))) return false;
  }
  return true;
}

/// Returns true if \p count more citations, with strings of \p bytes, are within the limits.
bool answer_stages::has_room(std::size_t count, std::size_t bytes) const noexcept {
  const auto [unplaced, unplaced_bytes] = texts_.unplaced();
  return recorder_.cites().has_room(unplaced + count, unplaced_bytes + bytes);
}

/// Returns the keys that a marker cites, valid until the next call. Null if the marker has to be treated as
/// text: it cites nothing or nothing that is known, or a limit of citations is reached.
const marker_keys* answer_stages::read_keys(const marker_token& token) {
  marker_keys& keys = buffers_.keys;
  keys.clear();
  if (token.recognised_by->cites != nullptr && !token.recognised_by->cites(token.fields.identifier))
    return nullptr;
  if (token.recognised_by->keys != nullptr) token.recognised_by->keys(token.fields, keys);
  if (keys.size() == 0) keys.add(token.fields.identifier);
  if (!may_print() || cites_only_unknown(token, keys)) return nullptr;
  std::size_t bytes = keys.size() * (token.fields.label.size() + token.text.size());
  for (std::size_t i = 0; i < keys.size(); ++i) bytes += keys[i].size();
  return has_room(keys.size(), bytes) ? &keys : nullptr;
}

void answer_stages::take_text(const marker_token& token, std::string& out) {
  claims().text(token.text);
  styled().text(token.text, token.code, token.abandoned, out);
}

void answer_stages::take_marker(const marker_token& token, std::string& out) {
  if (token.fields.role != marker_role::citation) return remove_marker(token);
  const marker_keys* const keys = read_keys(token);
  if (keys == nullptr) return take_text(token, out);
  if (!token.fields.cited.empty()) return take_enclosing(token, *keys, out);
  const text_offset begin = claims().position();
  const text_span claim = claims().claim();
  claims().marker(token.text);
  cite_keys(token, *keys, {begin, claims().position()}, claim, out);
}

/// Takes a marker that encloses its claim, such as `<co>claim</co: 0>`. The part before the claim is removed,
/// the claim is kept, and the style replaces the part after it.
void answer_stages::take_enclosing(const marker_token& token, const marker_keys& keys, std::string& out) {
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
  cite_keys(token, keys, {start, claims().position()}, {claim_begin, claim_end}, out);
}

/// Removes a marker that cites nothing. It may mark the start of a claim.
void answer_stages::remove_marker(const marker_token& token) {
  const text_offset begin = claims().position();
  claims().skip(token.text);
  if (token.fields.role == marker_role::claim_start) claims().start_claim();
  styled().remove({begin, claims().position()});
}

/// What is printed for a citation of \p key.
citation_print answer_stages::print_of(std::string_view key, std::int64_t first, std::string_view label) {
  if (unknown_.print == unresolved_print::keep || !recorder_.knew_references())
    return citation_print::rendered;
  if (recorder_.cites().matches(key, first, label)) return citation_print::rendered;
  return unknown_.print == unresolved_print::drop ? citation_print::nothing : citation_print::unresolved;
}

/// Returns true if a marker is printed, provided that the style prints anything.
bool answer_stages::prints_any(const marker_token& token, const marker_keys& keys, std::int64_t first) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (print_of(keys[i], first, token.fields.label) != citation_print::nothing) return true;
  }
  return false;
}

/// Prints and records the citations of a marker. \p place: the part of the received text that the style
/// replaces. At limits::max_printed_bytes, the rest of the marker prints nothing.
void answer_stages::cite_keys(const marker_token& token, const marker_keys& keys, const text_span& place,
                              const text_span& claim, std::string& out) {
  const std::int64_t first = first_of(token);
  keyed_by_request_ = keyed_by_request_ && token.recognised_by->keyed_by_request;
  current().received.keep_places();
  buffers_.found.clear();
  styled().begin_marker(place.start, token.text, prints_any(token, keys, first), out);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = keys[i];
    const citation_print how = print_of(key, first, token.fields.label);
    citations& cites = recorder_.cites();
    const std::uint32_t number =
        how == citation_print::rendered ? cites.number_of(key, first, token.fields.label) : 0;
    const reference* const best = number > 0 ? cites.best(key, first) : nullptr;
    const std::size_t before = out.size();
    const text_span printed = styled().print({token.fields.label, key, number, best},
                                             may_print() ? how : citation_print::nothing, out);
    printed_bytes_ += out.size() - before;
    buffers_.found.push_back(
        {{token.fields.label, key, token.text}, number, first, i > 0, place, {}, printed, claim});
  }
  const std::optional<text_offset> begin = styled().end_marker(place);
  for (auto& one : buffers_.found) {
    one.styled = begin;
    recorder_.add(one, texts_);
  }
}

void answer_stages::take_piece(const marker_token& piece, std::string& out) {
  piece.kind == token_kind::text ? take_text(piece, out) : take_marker(piece, out);
  current().scanner.reserve(styled().held());
  recorder_.record_final(texts_);
}

/// Records the citations without a marker up to the byte \p until of the received text.
void answer_stages::take_markerless(std::uint64_t until, std::string& out) {
  markerless_citations& queue = current().markerless;
  while (!queue.empty() && queue.position() <= until) {
    marker_token none;
    none.kind = token_kind::marker;
    none.fields.identifier = queue.take();
    none.recognised_by = &markerless_grammar;
    take_piece(none, out);
  }
  if (queue.empty()) queue.clear();
}

/// Takes one token. Text is split at the positions of citations without a marker. A marker is not split:
/// citations at a position inside it follow it.
void answer_stages::take(const marker_token& token, std::string& out) {
  marker_token rest = token;
  const markerless_citations& queue = current().markerless;
  while (!queue.empty()) {
    const std::uint64_t at = claims().position().utf8;
    take_markerless(at, out);
    if (queue.empty() || token.kind != token_kind::text) break;
    const std::size_t before = queue.position() - at;
    if (before >= rest.text.size()) break;
    marker_token first = rest;
    first.text = rest.text.substr(0, before);
    first.code = first.abandoned = false;
    rest.text.remove_prefix(before);
    take_piece(first, out);
  }
  take_piece(rest, out);
}

/// Takes all tokens that the scanner can return now.
void answer_stages::drain(std::string& out) {
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
[[gnu::always_inline]] inline bool answer_stages::push_styled(std::string_view delta, std::string& out) {
  const std::size_t blanks = may_pass_ ? styled().blanks_of(delta) : std::string_view::npos;
  if (blanks == std::string_view::npos || !current().scanner.pass(delta, blanks)) {
    push_tokens(delta, out);
    return false;
  }
  claims().text(delta);
  if (blanks > 0) holds_.max = std::max(holds_.max, blanks);
  return styled().put(delta, blanks, out);
}

void answer_stages::push_tokens(std::string_view delta, std::string& out) {
  if (!delta.empty()) recorder_.note_text();
  current().scanner.feed(delta);
  styled().receive(delta, out);
  drain(out);
  holds_.max = std::max(holds_.max, current().held());
  may_pass_ = recorder_.has_text() && current().markerless.empty() && styled().idle();
}

/// Records the citations whose positions are final now. Call when styled text has passed the last stage,
/// which may hold some of it.
void answer_stages::record_placed() {
  recorder_.record_final(texts_);
  holds_.max = std::max(holds_.max, texts_.held());
}

/// Ends the text and appends what is held. Another text may follow.
void answer_stages::finish_styled(std::string& out) {
  may_pass_ = false;
  marker_scanner& scanner = current().scanner;
  scanner.finish();
  drain(out);
  styled().finish(out);
  claims().settle();
  holds_.abandoned += scanner.abandoned();
  scanner.reset();
}

[[gnu::hot, gnu::flatten]] bool answer_stages::pass(std::string_view delta, std::string& out) {
  const bool unchanged = sent_.pass(delta, out, [&](std::string& to) { return push_styled(delta, to); });
  if (!sent_.is_styled()) record_placed();
  return unchanged;
}

[[gnu::hot, gnu::flatten]] bool answer_stages::pass_plain(std::string_view delta) {
  if (!may_pass_ || !sent_.is_styled()) return false;
  answer_text& text = current();
  if (!text.styled.puts_whole(delta) || !text.scanner.pass(delta, 0)) return false;
  text.received.claims.text(delta);
  return true;
}

void answer_stages::cite(std::string_view key) {
  answer_text& text = current();
  if (!has_room(text.markerless.size() + 1, text.markerless.bytes() + key.size())) return;
  text.markerless.add(claims().position().utf8 + text.scanner.held(), key);
  may_pass_ = false;
}

void answer_stages::finish(std::string& out) {
  sent_.take(out, [this](std::string& to) { finish_styled(to); });
  sent_.finish(out);
  recorder_.record_final(texts_);
}

void answer_stages::begin_text() {
  claims().begin_text();
  styled().begin_text(texts_.received_end() != text_offset{});
}

std::optional<std::size_t> answer_stages::interrupt(std::string& out) {
  if (!texts_.may_interrupt()) return std::nullopt;
  sent_.finish(out);
  recorder_.record_final(texts_);
  may_pass_ = false;
  return texts_.interrupt();
}

void answer_stages::resume(std::size_t text) {
  may_pass_ = false;
  texts_.resume(text);
}

void answer_stages::append_list(std::string& out) {
  may_pass_ = false;
  if (!may_print()) return;
  sent_.take_separate(out, [this](std::string& to) {
    const std::size_t before = to.size();
    styled().list(cites(), to);
    printed_bytes_ += to.size() - before;
  });
}

bool answer_stages::add_reference(const reference& ref) {
  const bool added = recorder_.cites().add_reference(ref);
  if (added) sent_.allow(ref);
  return added;
}

std::string_view answer_stages::received_text(std::uint64_t begin, std::uint64_t end,
                                              offset_unit unit) const noexcept {
  const kept_text* const text = recorder_.checked_text();
  if (text == nullptr) return {};
  const auto first = texts_.received_place(begin, unit);
  const auto last = texts_.received_place(end, unit);
  return first && last ? text->find(first->utf8, last->utf8).value_or(std::string_view{})
                       : std::string_view{};
}

void answer_stages::reset() noexcept {
  keyed_by_request_ = true;
  may_pass_ = false;
  recorder_.reset();
  texts_.reset();
  printed_bytes_ = 0;
  holds_ = {};
}

}  // namespace citestream

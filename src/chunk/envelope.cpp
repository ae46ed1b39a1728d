// How an envelope matches.
//
// build() divides the learned event into parts: fixed bytes, then an open hole. run() walks over the parts.
// Fixed bytes are compared with memcmp; a hole is read by json_scan, which accepts only what the parser
// accepts. stop() records where a match failed. If it failed only because the bytes ended, resume() continues
// there.
//
// A hole that is cut is read again from its start by each resume(). Holes longer than `longest_cut_hole` are
// therefore not resumed, so the cost stays linear in the size of the event.
#include "envelope.hpp"

#include <algorithm>
#include <cstring>

#include "base/ascii.hpp"
#include "chunk/json_scan.hpp"

namespace citestream {

namespace {

/// Far below the parser's limit, far above any event.
constexpr std::ptrdiff_t longest_event = 1 << 30;

/// The kinds of texts come first.
constexpr bool is_text(hole_kind kind) noexcept {
  return kind <= hole_kind::grown;
}

/// An incomplete hole is read again with each read. Longer ones are left to the parser, so that an event in
/// many small reads costs no more than its bytes.
constexpr std::ptrdiff_t longest_cut_hole = 512;

/// Returns true if these bytes may be the start of a hole's content: it is not too long and has no line
/// break.
bool may_continue(const char* at, const char* end) noexcept {
  const auto size = static_cast<std::size_t>(end - at);
  return end - at <= longest_cut_hole && std::memchr(at, '\n', size) == nullptr &&
         std::memchr(at, '\r', size) == nullptr;
}

/// If `bytes` are at `at`, returns the position after them, else null.
inline const char* skip_bytes(std::string_view bytes, const char* at, const char* end) noexcept {
  const bool there = json_scan::same_bytes(bytes.data(), at, bytes.size(), end);
  return there ? at + bytes.size() : nullptr;
}

/// Reads the body of a string. Returns its end, or null.
inline const char* read_text(const char* at, const char* end, envelope_text& text) noexcept {
  const json_scan::string_end found = json_scan::skip_string(at, end);
  if (found.quote == nullptr) return nullptr;
  text.body = {at, static_cast<std::size_t>(found.quote - at)};
  text.escaped = found.escaped;
  return found.quote;
}

/// If the body of `text` is repeated at `at`, returns its end, else null.
inline const char* skip_copy(const envelope_text& text, const char* at, const char* end) noexcept {
  const bool there = json_scan::same_bytes(text.body.data(), at, text.body.size(), end);
  return there ? at + text.body.size() : nullptr;
}

std::string_view bytes_at(std::string_view in, byte_range place) noexcept {
  return in.substr(place.begin, place.size());
}

}  // namespace

bool envelope::fits(const envelope_hole& hole, std::string_view event, std::size_t max_depth) noexcept {
  const char* const at = event.data() + hole.place.begin;
  const char* const end = event.data() + event.size();
  const char* after = event.data() + hole.place.end;
  if (hole.kind == hole_kind::number) after = json_scan::skip_number(at, end);
  if (hole.kind == hole_kind::value)
    after = json_scan::skip_value(at, end, max_depth - std::min<std::size_t>(hole.depth, max_depth));
  return after == event.data() + hole.place.end;
}

void envelope::learn(std::string_view event, std::span<const envelope_hole> holes, std::size_t texts) {
  event_.assign(event);
  holes_.assign(holes.begin(), holes.end());
  for (envelope_hole& one : holes_) one.open = is_text(one.kind);
  build(texts);
}

/// Returns true if the kinds of holes and the bytes between them are the same.
bool envelope::like(std::string_view event, std::span<const envelope_hole> holes) const noexcept {
  if (holes.size() != holes_.size()) return false;
  std::size_t old_at = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < holes.size(); ++i) {
    const envelope_hole& old = holes_[i];
    const envelope_hole& one = holes[i];
    if (old.kind != one.kind || old.text != one.text || old.depth != one.depth || old.before != one.before)
      return false;
    if (bytes_at(event_, {old_at, old.place.begin}) != bytes_at(event, {at, one.place.begin})) return false;
    old_at = old.place.end;
    at = one.place.end;
  }
  return std::string_view(event_).substr(old_at) == event.substr(at);
}

bool envelope::adapt(std::string_view event, std::span<const envelope_hole> holes, std::size_t texts) {
  if (texts != texts_.size() || !like(event, holes)) return false;
  for (std::size_t i = 0; i < holes.size(); ++i) {
    envelope_hole& old = holes_[i];
    old.open = old.open || bytes_at(event_, old.place) != bytes_at(event, holes[i].place);
    old.place = holes[i].place;
  }
  event_.assign(event);
  build(texts);
  return true;
}

/// Lists the parts. Closed holes belong to the fixed bytes.
void envelope::build(std::size_t texts) {
  texts_.assign(texts, {});
  parts_.clear();
  uniform_ = texts == 1;
  std::uint32_t at = 0;
  std::uint64_t seen = 0;
  for (std::uint32_t i = 0; i < holes_.size(); ++i) {
    const envelope_hole& one = holes_[i];
    if (!one.open) continue;
    const auto begin = static_cast<std::uint32_t>(one.place.begin);
    const std::uint64_t bit = is_text(one.kind) ? std::uint64_t{1} << one.text : 0;
    parts_.push_back({at, begin - at, i, one.text, one.kind, (seen & bit) == 0});
    seen |= bit;
    uniform_ = uniform_ && (one.kind == hole_kind::text || one.kind == hole_kind::same);
    at = static_cast<std::uint32_t>(one.place.end);
  }
  const auto end = static_cast<std::uint32_t>(event_.size());
  parts_.push_back({at, end - at, 0, 0, hole_kind::value, false});
}

/// Returns the end of the value at `at` that fills the hole, or null. A number at the end of the bytes may be
/// incomplete, so it gives null.
[[gnu::always_inline]] inline const char* envelope::fill(const part& one, const char* at,
                                                         const char* end) const noexcept {
  if (one.kind == hole_kind::string) return json_scan::skip_string(at, end).quote;
  const char* after = nullptr;
  if (one.kind == hole_kind::number) {
    after = json_scan::skip_number(at, end);
  } else if (at != end && *at == '"') {  // the usual case
    after = json_scan::skip_string(at + 1, end).quote;
    return after == nullptr ? nullptr : after + 1;
  } else if (at != end && ascii::is_digit(*at)) {  // a counter
    after = json_scan::skip_number(at, end);
  } else {
    const std::size_t depth = holes_[one.hole].depth;
    after = json_scan::skip_value(at, end, max_depth_ - std::min(depth, max_depth_));
  }
  return after == end ? nullptr : after;
}

/// Matches from the piece `next` of part `part_at` on, which begins at `begin_at` in the event.
[[gnu::always_inline]] inline envelope_match envelope::run(std::string_view bytes, std::size_t begin_at,
                                                           std::size_t part_at, piece next) noexcept {
  const char* const start = bytes.data();
  const char* const end = start + bytes.size();
  const char* at = start + begin_at;
  const part* const last = &parts_.back();
  for (const part* one = &parts_[part_at];; ++one, next = piece::fixed) {
    if (next == piece::fixed) {
      const char* const after = skip_bytes({event_.data() + one->fixed, one->size}, at, end);
      if (after == nullptr) return stop(*one, piece::fixed, at, bytes);
      at = after;
      if (one == last) break;
    }
    const char* after = nullptr;
    if (!is_text(one->kind)) {
      after = fill(*one, at, end);
      if (after == nullptr) return stop(*one, piece::hole, at, bytes);
      at = after;
      continue;
    }
    const char* begin = at;  // of the string's body
    if (one->kind == hole_kind::grown) {
      const std::string& before = *holes_[one->hole].before;
      if (next == piece::hole) {
        begin -= before.size();
      } else {
        at = skip_bytes(before, at, end);
        if (at == nullptr) return stop(*one, piece::before, begin, bytes);
      }
    }
    envelope_text& text = texts_[one->text];
    after = one->first ? read_text(at, end, text) : skip_copy(text, at, end);
    if (after == nullptr) return stop(*one, piece::hole, at, bytes);
    (one->kind == hole_kind::text ? text.token : text.other) = {static_cast<std::size_t>(begin - start) - 1,
                                                                static_cast<std::size_t>(after - start) + 1};
    at = after;
  }
  return {at - start > longest_event ? 0 : static_cast<std::size_t>(at - start), false};
}

[[gnu::hot]] envelope_match envelope::match(std::string_view bytes) noexcept {
  progress_.reset();
  return parts_.empty() ? envelope_match{} : run(bytes, 0, 0, piece::fixed);
}

/// The bytes required for this piece, if they are known beforehand.
std::optional<std::string_view> envelope::expected(const part& one, piece which) const noexcept {
  if (which == piece::fixed) return std::string_view(event_).substr(one.fixed, one.size);
  if (which == piece::before) return *holes_[one.hole].before;
  if (is_text(one.kind) && !one.first) return texts_[one.text].body;
  return {};
}

/// Handles a piece at `at` that does not match. If the bytes end inside it, notes where to continue.
envelope_match envelope::stop(const part& one, piece which, const char* at, std::string_view bytes) noexcept {
  const char* const end = bytes.data() + bytes.size();
  const auto given = static_cast<std::size_t>(end - at);
  const auto known = expected(one, which);
  const bool cut = known ? given < known->size() && known->starts_with({at, given}) : may_continue(at, end);
  if (!cut) return {};
  progress_ = {bytes.size() - given, known ? given : 0, static_cast<std::uint32_t>(&one - parts_.data()),
               which};
  return {0, true};
}

/// Moves on to the piece after the current one, which is complete.
void envelope::pass(progress& now, std::string_view whole) const noexcept {
  const bool last = now.part + 1 == parts_.size();
  if (last) return;  // run() looks at it again
  const bool grown = now.next == piece::fixed && parts_[now.part].kind == hole_kind::grown;
  now.at += whole.size();
  now.next = grown ? piece::before : piece::hole;
}

envelope_match envelope::resume(std::string_view bytes) noexcept {
  if (!progress_) return {};
  for (const part& one : std::span(parts_).first(progress_->part)) {  // the bytes may be at another address
    if (!is_text(one.kind) || !one.first) continue;
    envelope_text& text = texts_[one.text];
    const std::size_t end = (one.kind == hole_kind::text ? text.token : text.other).end - 1;
    text.body = bytes.substr(end - text.body.size(), text.body.size());
  }
  if (const auto known = expected(parts_[progress_->part], progress_->next)) {
    const std::string_view rest = known->substr(progress_->compared);
    const std::string_view given = bytes.substr(progress_->at + progress_->compared, rest.size());
    if (!rest.starts_with(given)) {
      progress_.reset();
      return {};
    }
    progress_->compared += given.size();
    if (given.size() < rest.size()) return {0, true};
    if (progress_->next != piece::hole) pass(*progress_, *known);
  }
  const progress from = *progress_;
  progress_.reset();
  return run(bytes, from.at, from.part, from.next);
}

void envelope::locate(std::string_view event, std::vector<byte_range>& out) const {
  out.clear();
  const char* at = event.data();
  const char* const end = at + event.size();
  for (const part& one : std::span(parts_).first(parts_.size() - 1)) {
    at += one.size;
    const char* const begin = at;
    switch (one.kind) {
      case hole_kind::number:
        at = json_scan::skip_number(at, end);
        break;
      case hole_kind::value:
        at = json_scan::skip_value(at, end, max_depth_);
        break;
      default:
        at = json_scan::skip_string(at, end).quote;
    }
    out.push_back(
        {static_cast<std::size_t>(begin - event.data()), static_cast<std::size_t>(at - event.data())});
  }
}

std::size_t envelope::moved(std::size_t position, std::span<const byte_range> located) const noexcept {
  for (std::size_t i = located.size(); i-- > 0;) {  // only the last hole before the position matters
    const std::size_t end = holes_[parts_[i].hole].place.end;
    if (end <= position) return located[i].end + (position - end);
  }
  return position;
}

byte_range envelope::moved(byte_range place, std::span<const byte_range> located) const noexcept {
  return {moved(place.begin, located), moved(place.end, located)};
}

}  // namespace citestream

#include <citestream/chunk/envelope.hpp>

#include <algorithm>
#include <cstring>

#include "chunk/json_scan.hpp"

namespace citestream {

namespace {

// Far below what the parser takes, far above any event.
constexpr std::ptrdiff_t longest_event = 1 << 30;

bool is_text(hole_kind kind) noexcept {
  return kind == hole_kind::text || kind == hole_kind::same || kind == hole_kind::grown;
}

// Behind `bytes` at `at`, or null where they do not stand there.
const char* skip_bytes(std::string_view bytes, const char* at, const char* end) noexcept {
  const bool there =
      static_cast<std::size_t>(end - at) >= bytes.size() && std::memcmp(at, bytes.data(), bytes.size()) == 0;
  return there ? at + bytes.size() : nullptr;
}

std::string_view bytes_at(std::string_view in, byte_range place) noexcept {
  return in.substr(place.begin, place.size());
}

}  // namespace

void envelope::learn(std::string_view event, std::span<const envelope_hole> holes, std::size_t texts) {
  event_.assign(event);
  holes_.assign(holes.begin(), holes.end());
  for (envelope_hole& one : holes_) one.open = is_text(one.kind);
  build(texts);
}

// Whether the bytes between the holes are the same, and so are the kinds of holes.
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

// Lists the stretches of fixed bytes: closed holes are parts of them.
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
  tail_ = at;
  least_ = event_.size() - at;
  for (const part& one : parts_) least_ += one.size;
}

inline const char* envelope::fill_text(const part& one, const char* at, const char* end) noexcept {
  if (one.kind == hole_kind::grown) {
    at = skip_bytes(*holes_[one.hole].before, at, end);
    if (at == nullptr) return nullptr;
  }
  envelope_text& text = texts_[one.text];
  if (!one.first) return skip_bytes(text.body, at, end);
  const json_scan::string_end found = json_scan::skip_string(at, end);
  if (found.quote == nullptr) return nullptr;
  text.body = {at, static_cast<std::size_t>(found.quote - at)};
  text.escaped = found.escaped;
  return found.quote;
}

std::size_t envelope::match(std::string_view bytes) noexcept {
  if (bytes.size() < least_ || least_ == 0) return 0;
  const char* const start = bytes.data();
  const char* const end = start + bytes.size();
  const char* const fixed = event_.data();
  const char* at = start;
  for (const part& one : parts_) {
    at = skip_bytes({fixed + one.fixed, one.size}, at, end);
    if (at == nullptr) return 0;
    if (!is_text(one.kind)) {
      at = fill(one, at, end);
      if (at == nullptr) return 0;
      continue;
    }
    const auto begin = static_cast<std::size_t>(at - start) - 1;
    at = fill_text(one, at, end);
    if (at == nullptr) return 0;
    envelope_text& text = texts_[one.text];
    (one.kind == hole_kind::text ? text.token : text.other) = {begin,
                                                               static_cast<std::size_t>(at - start) + 1};
  }
  at = skip_bytes({fixed + tail_, event_.size() - tail_}, at, end);
  return at == nullptr || at - start > longest_event ? 0 : static_cast<std::size_t>(at - start);
}

// Where what fills a hole that is no text's ends; null where nothing does.
const char* envelope::fill(const part& one, const char* at, const char* end) const noexcept {
  if (one.kind == hole_kind::string) return json_scan::skip_string(at, end).quote;
  if (one.kind == hole_kind::number) return json_scan::skip_number(at, end);
  const std::size_t depth = holes_[one.hole].depth;
  return json_scan::skip_value(at, end, max_depth_ - std::min(depth, max_depth_));
}

void envelope::locate(std::string_view event, std::vector<byte_range>& out) const {
  out.clear();
  const char* at = event.data();
  const char* const end = at + event.size();
  for (const part& one : parts_) {
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
  for (std::size_t i = parts_.size(); i-- > 0;) {  // from the last hole before it on nothing moved
    const std::size_t end = holes_[parts_[i].hole].place.end;
    if (end <= position) return located[i].end + (position - end);
  }
  return position;
}

byte_range envelope::moved(byte_range place, std::span<const byte_range> located) const noexcept {
  return {moved(place.begin, located), moved(place.end, located)};
}

void append_unescaped(std::string_view body, std::string& out) {
  json_scan::append_unescaped(body, out);
}

}  // namespace citestream

#include "wide_index.hpp"

#include <algorithm>

namespace citestream {

namespace {

text_offset width_of(unsigned char lead) noexcept {
  return {lead >= 0xF0U ? 4U : lead >= 0xE0U ? 3U : 2U, lead >= 0xF0U ? 2U : 1U, 1};
}

/// `from`, moved by `times` characters of `width`.
text_offset moved(const text_offset& from, const text_offset& width, std::uint64_t times) noexcept {
  return {from.utf8 + width.utf8 * times, from.utf16 + width.utf16 * times,
          from.codepoint + width.codepoint * times};
}

}  // namespace

void wide_index::add(const text_offset& begin, unsigned char lead) {
  add_run(begin, width_of(lead), 1);
}

/// Adds `count` characters of `width`.
void wide_index::add_run(const text_offset& begin, const text_offset& width, std::uint64_t count) {
  if (full_) return;
  if (!runs_.empty() && runs_.back().end.utf8 == begin.utf8) {
    run& last = runs_.back();
    if (last.end.utf8 - last.begin.utf8 == width.utf8 * (last.end.codepoint - last.begin.codepoint)) {
      last.end = moved(last.end, width, count);
      return;
    }
  }
  if (runs_.size() == max_runs_) {
    full_ = begin;
    return;
  }
  runs_.push_back({begin, moved(begin, width, count)});
}

void wide_index::add_all(text_offset begin, std::string_view text) {
  const auto byte_at = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first = at;
    while (at < text.size() && byte_at(at) < 0x80U) ++at;
    begin = moved(begin, {1, 1, 1}, at - first);
    if (at == text.size()) return;
    if (byte_at(at) < 0xC0U) {  // the rest of a character
      ++at;
      continue;
    }
    const text_offset width = width_of(byte_at(at));
    std::uint64_t count = 0;
    for (; at < text.size() && byte_at(at) >= 0xC0U && width_of(byte_at(at)) == width; at += width.utf8)
      ++count;
    add_run(begin, width, count);
    begin = moved(begin, width, count);
  }
}

std::optional<text_offset> wide_index::find(std::uint64_t position, offset_unit unit) const noexcept {
  if (full_ && position > full_->in(unit)) return std::nullopt;
  if (position < base_.in(unit)) {
    if (base_.utf8 != base_.codepoint) return std::nullopt;
    return text_offset{position, position, position};
  }
  const auto later = std::partition_point(runs_.begin(), runs_.end(),
                                          [&](const run& one) { return one.begin.in(unit) <= position; });
  if (later == runs_.begin()) return moved(base_, {1, 1, 1}, position - base_.in(unit));
  const run& last = *(later - 1);
  if (position >= last.end.in(unit)) return moved(last.end, {1, 1, 1}, position - last.end.in(unit));
  const std::uint64_t count = last.end.codepoint - last.begin.codepoint;
  const text_offset width{(last.end.utf8 - last.begin.utf8) / count,
                          (last.end.utf16 - last.begin.utf16) / count, 1};
  return moved(last.begin, width, (position - last.begin.in(unit)) / width.in(unit));
}

void wide_index::reset() noexcept {
  runs_.clear();
  base_ = {};
  full_.reset();
}

}  // namespace citestream

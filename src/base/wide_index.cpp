// How positions are found.
//
// Each run of equally wide characters is kept with its begin in all units, their width and number. A position
// is after the begin of the last run that starts before it: inside that run all characters have its width,
// after it all have one byte.
#include "wide_index.hpp"

#include <algorithm>

namespace citestream {

namespace {

/// Room for the runs of an answer of usual length in a language with some letters outside ASCII: 4 KiB.
constexpr std::size_t first_runs = 256;

text_offset width_of(unsigned char lead) noexcept {
  return {lead >= 0xF0U ? 4U : lead >= 0xE0U ? 3U : 2U, lead >= 0xF0U ? 2U : 1U, 1};
}

/// `from`, moved by `times` characters of `width`.
text_offset moved(const text_offset& from, const text_offset& width, std::uint64_t times) noexcept {
  return {from.utf8 + width.utf8 * times, from.utf16 + width.utf16 * times,
          from.codepoint + width.codepoint * times};
}

}  // namespace

text_offset wide_index::run::end() const noexcept {
  return moved(begin(), {width, width == 4 ? 2U : 1U, 1}, count);
}

void wide_index::add(const text_offset& begin, unsigned char lead) {
  add_run(begin, width_of(lead), 1);
}

/// Adds `count` characters of `width`.
void wide_index::add_run(const text_offset& begin, const text_offset& width, std::uint64_t count) {
  if (full_) return;
  if (!runs_.empty()) {
    run& last = runs_.back();
    if (last.width == width.utf8 && last.end().utf8 == begin.utf8 && last.count + count <= max_count) {
      last.count = static_cast<std::uint32_t>(last.count + count) & max_count;
      return;
    }
  }
  if (runs_.size() == max_runs_ || begin.utf8 > max_position || count > max_count) {
    full_ = begin;
    return;
  }
  if (runs_.empty()) runs_.reserve(std::min(first_runs, max_runs_));
  run& made = runs_.emplace_back();
  made.utf8 = static_cast<std::uint32_t>(begin.utf8);
  made.utf16 = static_cast<std::uint32_t>(begin.utf16);
  made.codepoint = static_cast<std::uint32_t>(begin.codepoint);
  made.width = static_cast<std::uint32_t>(width.utf8) & 7U;
  made.count = static_cast<std::uint32_t>(count) & max_count;
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
  const text_offset base = base_.value_or(text_offset{});
  if (position < base.in(unit)) {
    if (base.utf8 != base.codepoint) return std::nullopt;
    return text_offset{position, position, position};
  }
  const auto later = std::partition_point(runs_.begin(), runs_.end(),
                                          [&](const run& one) { return one.begin().in(unit) <= position; });
  if (later == runs_.begin()) return moved(base, {1, 1, 1}, position - base.in(unit));
  const run& last = *(later - 1);
  const text_offset end = last.end();
  if (position >= end.in(unit)) return moved(end, {1, 1, 1}, position - end.in(unit));
  const text_offset width{last.width, last.width == 4 ? 2U : 1U, 1};
  return moved(last.begin(), width, (position - last.begin().in(unit)) / width.in(unit));
}

void wide_index::reset() noexcept {
  runs_.clear();
  base_.reset();
  full_.reset();
}

}  // namespace citestream

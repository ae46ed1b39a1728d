// How a position is found: count() extends the marks to the end of the text. The last mark at or before the
// position is found by binary search, and from there code points are counted. A mark may be inside a code
// point, which counts at its first byte, before the mark.
#include "indexed_text.hpp"

#include <algorithm>

#include "code_point.hpp"

namespace citestream {

namespace {

constexpr std::size_t mark_distance = 4096;

/// How many units a code point has whose first byte is `byte`; 0 for its other bytes.
std::uint64_t units_of(char byte, offset_unit unit) noexcept {
  if (is_continuation(byte)) return 0;
  return unit == offset_unit::utf16 && static_cast<unsigned char>(byte) >= 0xF0U ? 2 : 1;
}

}  // namespace

void indexed_text::count() const {
  std::string_view more = std::string_view(text_).substr(size_.utf8);
  while (!more.empty()) {
    const std::size_t to_mark = mark_distance - static_cast<std::size_t>(size_.utf8 % mark_distance);
    const std::size_t piece = std::min(more.size(), to_mark);
    size_.advance(more.substr(0, piece));
    more.remove_prefix(piece);
    if (size_.utf8 % mark_distance == 0) marks_.push_back(size_);
  }
}

text_offset indexed_text::offset_at(std::size_t at) const {
  count();
  const std::size_t marks = at / mark_distance;
  text_offset place = marks == 0 ? text_offset{} : marks_[marks - 1];
  place.advance(std::string_view(text_).substr(place.utf8, at - place.utf8));
  return place;
}

std::size_t indexed_text::byte_at(std::uint64_t position, offset_unit unit) const {
  count();
  if (position >= size_.in(unit)) return text_.size();
  if (size_.in(unit) == size_.utf8) return position;  // ASCII, or bytes
  const auto later = std::partition_point(marks_.begin(), marks_.end(),
                                          [&](const text_offset& at) { return at.in(unit) <= position; });
  const text_offset mark = later == marks_.begin() ? text_offset{} : *(later - 1);
  std::uint64_t counted = mark.in(unit);
  std::size_t at = mark.utf8;
  for (; at < text_.size(); ++at) {
    const std::uint64_t units = units_of(text_[at], unit);
    if (units > 0 && counted >= position) break;
    counted += units;
  }
  return at;
}

std::string_view indexed_text::part(std::uint64_t begin, std::uint64_t end, offset_unit unit) const {
  const std::size_t first = byte_at(begin, unit);
  const std::size_t last = end > begin ? byte_at(end, unit) : first;
  return std::string_view(text_).substr(first, last - first);
}

void indexed_text::clear() noexcept {
  text_.clear();
  size_ = {};
  marks_.clear();
}

}  // namespace citestream

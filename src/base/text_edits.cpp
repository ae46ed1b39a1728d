// The list is ordered both by input and by output, so a position is found by binary search. Between two edits
// the text is unchanged: a position there has the same distance from the end of the previous edit in input
// and output.
//
// Invariants: an edit starts at or after the end of the previous one. An edit that directly follows a removal
// is joined with it, so a marker and the blanks before it are one edit.
#include "text_edits.hpp"

#include <algorithm>

namespace citestream {

void text_edits::replace(std::string_view before, std::string_view after) {
  text_offset end = input_;
  end.advance(before);
  text_offset size;
  size.advance(after);
  replace(input_, end, size);
}

void text_edits::replace(text_offset begin, text_offset end, text_offset size) {
  const text_offset out_begin = place(begin, edit_side::after);
  input_ = end;
  if (!edits_.empty()) {
    edit& last = edits_.back();
    if (last.in_end.utf8 == begin.utf8 && last.out_begin.utf8 == last.out_end.utf8) {
      last.in_end = end;
      last.out_end = last.out_begin + size;
      return;
    }
  }
  if (edits_.size() == max_edits_) merge_pairs();
  edits_.push_back({begin, end, out_begin, out_begin + size});
}

/// The last edit that starts at or before a position, or null. With `side` before, an insertion at the
/// position does not count.
const text_edits::edit* text_edits::last_before(std::uint64_t position, offset_unit unit,
                                                edit_side side) const noexcept {
  const auto starts_later = [&](const edit& one) {
    const std::uint64_t begin = one.in_begin.in(unit);
    const bool inserted_here = begin == position && one.in_end.in(unit) == position;
    return begin > position || (inserted_here && side == edit_side::before);
  };
  if (!edits_.empty() && !starts_later(edits_.back())) return &edits_.back();  // the usual case
  const auto next =
      std::partition_point(edits_.begin(), edits_.end(), [&](const edit& one) { return !starts_later(one); });
  return next == edits_.begin() ? nullptr : &*(next - 1);
}

text_offset text_edits::place(const text_offset& position, edit_side side) const noexcept {
  const edit* const last = last_before(position.utf8, offset_unit::utf8, side);
  if (last == nullptr) return position;
  if (position.utf8 >= last->in_end.utf8) return last->out_end + (position - last->in_end);
  const bool at_start = position.utf8 == last->in_begin.utf8 || side == edit_side::before;
  return at_start ? last->out_begin : last->out_end;
}

std::uint64_t text_edits::place(std::uint64_t position, offset_unit unit, edit_side side) const noexcept {
  const edit* const last = last_before(position, unit, side);
  if (last == nullptr) return position;
  if (position >= last->in_end.in(unit)) return last->out_end.in(unit) + (position - last->in_end.in(unit));
  const bool at_start = position == last->in_begin.in(unit) || side == edit_side::before;
  return at_start ? last->out_begin.in(unit) : last->out_end.in(unit);
}

/// Halves the list: joins each pair into one edit, from the start of the first to the end of the second.
void text_edits::merge_pairs() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edits_.size(); i += 2) {
    const edit& second = edits_[std::min(i + 1, edits_.size() - 1)];
    edits_[kept++] = {edits_[i].in_begin, second.in_end, edits_[i].out_begin, second.out_end};
  }
  edits_.resize(kept);
}

void text_edits::reset() noexcept {
  input_ = {};
  edits_.clear();
}

}  // namespace citestream

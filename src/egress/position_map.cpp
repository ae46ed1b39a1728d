#include "position_map.hpp"

#include <algorithm>

namespace citestream {

namespace {

text_offset minus(const text_offset& left, const text_offset& right) noexcept {
  return {left.utf8 - right.utf8, left.utf16 - right.utf16, left.codepoint - right.codepoint};
}

// By what unsigned arithmetic makes of a negative number, too.
text_offset by_bytes(std::size_t made, std::size_t raw) noexcept {
  const std::uint64_t by = static_cast<std::uint64_t>(made) - static_cast<std::uint64_t>(raw);
  return {by, by, by};
}

}  // namespace

void position_map::change(std::string_view raw, std::string_view made) {
  edit one{in_, in_, out_, out_};
  one.in_end.advance(raw);
  one.out_end.advance(made);
  in_ = one.in_end;
  out_ = one.out_end;
  edits_.push_back(one);
}

void position_map::change_at(const mark& where, std::size_t raw, std::size_t made) {
  const text_offset by = by_bytes(made, raw);
  const std::size_t at = where.edits > folded_ ? where.edits - folded_ : 0;
  edit one{where.in, where.in, where.out, where.out};
  move(one.in_end, by_bytes(raw, 0));
  move(one.out_end, by_bytes(made, 0));
  for (std::size_t i = at; i < edits_.size(); ++i) {
    move(edits_[i].out_begin, by);
    move(edits_[i].out_end, by);
  }
  for (std::size_t i = where.records; i < records_.size(); ++i) move(records_[i].position, by);
  edits_.insert(edits_.begin() + static_cast<std::ptrdiff_t>(at), one);
  move(out_, by);
}

void position_map::drop_since(const mark& where) {
  const std::size_t at = where.edits > folded_ ? where.edits - folded_ : 0;
  edits_.resize(at);
  for (std::size_t i = where.records; i < records_.size(); ++i) records_[i].position = where.out;
  edits_.push_back({where.in, in_, where.out, where.out});
  out_ = where.out;
}

void position_map::record(egress_kind kind, egress_reason reason, const text_offset& position) {
  ++total_;
  if (records_.size() < max_records_) records_.push_back({kind, reason, position});
}

text_offset position_map::place(const text_offset& before) const noexcept {
  if (folded_ > 0 && before.utf8 < base_.in_end.utf8) {
    const auto at = std::ranges::lower_bound(anchors_, before.utf8, {},
                                             [](const known_place& one) { return one.in.utf8; });
    return at != anchors_.end() && at->in.utf8 == before.utf8 ? at->out : base_.out_begin;
  }
  const auto starts_behind = [](const text_offset& at, const edit& one) {
    return at.utf8 < one.in_begin.utf8;
  };
  const auto next = std::upper_bound(edits_.begin(), edits_.end(), before, starts_behind);
  const edit& last = next == edits_.begin() ? base_ : *(next - 1);
  if (before.utf8 == last.in_begin.utf8) return last.out_begin;
  if (before.utf8 <= last.in_end.utf8) return last.out_end;
  text_offset out = last.out_end;
  move(out, minus(before, last.in_end));
  return out;
}

void position_map::forget(std::span<const text_offset> kept, std::size_t open_edits) {
  const std::size_t count = std::min(open_edits > folded_ ? open_edits - folded_ : 0, edits_.size());
  if (count == 0) return;
  const std::uint64_t end = edits_[count - 1].in_end.utf8;
  spare_.clear();
  for (const text_offset& one : kept) {
    if (one.utf8 < end) spare_.push_back({one, place(one)});
  }
  std::ranges::sort(spare_, {}, [](const known_place& one) { return one.in.utf8; });
  std::swap(anchors_, spare_);
  base_ = edits_[count - 1];
  edits_.erase(edits_.begin(), edits_.begin() + static_cast<std::ptrdiff_t>(count));
  folded_ += count;
}

void position_map::reset() noexcept {
  in_ = out_ = {};
  edits_.clear();
  folded_ = 0;
  base_ = {};
  anchors_.clear();
  records_.clear();
  total_ = 0;
}

}  // namespace citestream

#include "text_parts.hpp"

#include <algorithm>
#include <ranges>

namespace citestream {

namespace {

/// The last of `parts`, which are in order, that starts before a position, or at it if \p side is `before`.
template <typename Parts, typename Start>
auto last_before(const Parts& parts, std::uint64_t position, edit_side side, const Start& start) noexcept {
  const auto next = std::ranges::partition_point(parts, [&](const auto& one) {
    const std::uint64_t begin = start(one);
    return begin < position || (begin == position && side == edit_side::before);
  });
  return next == std::ranges::begin(parts) ? next : std::prev(next);
}

}  // namespace

void text_parts::add(const text_part& next) {
  if (last().start.received == next.start.received && last().start.styled == next.start.styled) {
    of_text_[last().text].pop_back();  // nothing has arrived in it
    all_.pop_back();
  }
  if (of_text_.size() <= next.text) of_text_.resize(next.text + 1);
  of_text_[next.text].push_back(static_cast<std::uint32_t>(all_.size()));
  all_.push_back(next);
}

const text_part& text_parts::at(std::uint64_t received, offset_unit in, edit_side side) const noexcept {
  return *last_before(all_, received, side, [in](const text_part& one) { return one.start.received.in(in); });
}

const text_part& text_parts::styled_in(std::size_t number, std::uint64_t own, offset_unit in,
                                       edit_side side) const noexcept {
  return all_[*last_before(of_text_[number], own, side,
                           [&](std::uint32_t index) { return all_[index].own.styled.in(in); })];
}

text_offset text_parts::styled(std::size_t number, const text_offset& own, edit_side side) const noexcept {
  const text_part& part = styled_in(number, own.utf8, offset_unit::utf8, side);
  return part.start.styled + (own - part.own.styled);
}

std::uint64_t text_parts::styled(std::size_t number, std::uint64_t own, offset_unit in,
                                 edit_side side) const noexcept {
  const text_part& part = styled_in(number, own, in, side);
  return part.start.styled.in(in) + (own - part.own.styled.in(in));
}

std::optional<text_span> text_parts::received(std::size_t number, const text_span& own) const noexcept {
  const auto begin_of = [&](std::uint32_t index) { return all_[index].own.received.utf8; };
  const auto& parts = of_text_[number];
  const auto first = last_before(parts, own.start.utf8, edit_side::before, begin_of);
  const edit_side side = end_side(own.start.utf8, own.end.utf8);
  if (first != last_before(parts, own.end.utf8, side, begin_of)) return std::nullopt;
  const text_part& part = all_[*first];
  return text_span{part.start.received + (own.start - part.own.received),
                   part.start.received + (own.end - part.own.received)};
}

}  // namespace citestream

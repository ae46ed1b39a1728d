#include "text_parts.hpp"

namespace citestream {

void text_parts::add(const text_part& next) {
  if (last().start.received == next.start.received && last().start.printed == next.start.printed) {
    of_text_[last().text].pop_back();  // nothing has arrived in it
    all_.pop_back();
  }
  if (of_text_.size() <= next.text) of_text_.resize(next.text + 1);
  of_text_[next.text].push_back(static_cast<std::uint32_t>(all_.size()));
  all_.push_back(next);
}

const text_part& text_parts::at(std::uint64_t received, offset_unit in, edit_side side) const noexcept {
  return *find_part(all_, received, side, [in](const text_part& one) { return one.start.received.in(in); });
}

const text_part& text_parts::styled_in(std::size_t number, std::uint64_t own, offset_unit in,
                                       edit_side side) const noexcept {
  return all_[*find_part(of_text_[number], own, side,
                         [&](std::uint32_t index) { return all_[index].own.printed.in(in); })];
}

text_offset text_parts::styled(std::size_t number, const text_offset& own, edit_side side) const noexcept {
  const text_part& part = styled_in(number, own.utf8, offset_unit::utf8, side);
  return part.start.printed + (own - part.own.printed);
}

std::uint64_t text_parts::styled(std::size_t number, std::uint64_t own, offset_unit in,
                                 edit_side side) const noexcept {
  const text_part& part = styled_in(number, own, in, side);
  return part.start.printed.in(in) + (own - part.own.printed.in(in));
}

std::optional<text_span> text_parts::received(std::size_t number, const text_span& own) const noexcept {
  const auto begin_of = [&](std::uint32_t index) { return all_[index].own.received.utf8; };
  const auto& parts = of_text_[number];
  const auto first = find_part(parts, own.start.utf8, edit_side::before, begin_of);
  const edit_side side = end_side(own.start.utf8, own.end.utf8);
  if (first != find_part(parts, own.end.utf8, side, begin_of)) return std::nullopt;
  return text_span{all_[*first].in_answer(own.start), all_[*first].in_answer(own.end)};
}

}  // namespace citestream

#include "check/table_names.hpp"

#include <algorithm>

namespace citestream::check_detail {

namespace {

/// Returns true if a cell of the row is a number and nothing else, and no year.
[[nodiscard]] bool has_values(word_list text, std::uint16_t row) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const text_word& each = text[i];
    if (each.clause != row || each.column < 1 || !each.is_number || each.value.kind == number_kind::year)
      continue;
    const auto same = [&](std::size_t k) {
      return k < text.size() && text[k].clause == row && text[k].column == each.column;
    };
    if (!(i > 0 && same(i - 1)) && !same(i + 1)) return true;
  }
  return false;
}

}  // namespace

table_names::table_names(word_list text) noexcept {
  const auto first = std::ranges::find_if(text, [](const text_word& each) { return each.in_table; });
  if (first != text.end() && !has_values(text, first->clause)) header_ = first->clause;
  for (const text_word& each : text) {
    if (!each.in_table) continue;
    if (each.column == 0) rows_[slot(each.clause)] |= mask_of(each);
    if (each.column > 0) cells_.set(slot(each.clause));
    if (each.column >= 0 && header_ && each.clause == *header_)
      columns_[slot(static_cast<std::size_t>(each.column))] |= mask_of(each);
  }
}

}  // namespace citestream::check_detail

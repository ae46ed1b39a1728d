#include "check/table_names.hpp"

#include <algorithm>

namespace citestream::check_detail {

table_names::table_names(word_list text) noexcept {
  const auto first = std::ranges::find_if(text, [](const text_word& each) { return each.in_table; });
  if (first != text.end()) header_ = first->clause;
  for (const text_word& each : text) {
    if (!each.in_table) continue;
    if (each.column == 0) rows_[slot(each.clause)] |= mask_of(each);
    if (each.column > 0) cells_.set(slot(each.clause));
    if (each.column >= 0 && each.clause == header_)
      columns_[slot(static_cast<std::size_t>(each.column))] |= mask_of(each);
  }
}

}  // namespace citestream::check_detail

/// \file
/// The names of the rows and columns of a table.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "check/text_pair.hpp"

namespace citestream::check_detail {

/// The names of the rows and columns of the table in a text, as the claim's words in them. The first cell of
/// a row is its name, and the first row has the names of the columns unless it has values. A list with labels
/// has no cells.
class table_names {
 public:
  /// Linear.
  explicit table_names(word_list text) noexcept;

  /// Returns true if the word is in the row or column of names, and its row has another cell.
  [[nodiscard]] bool is_name(const text_word& each) const noexcept {
    return each.in_table && cells_[slot(each.clause)] && (each.column == 0 || each.clause == header_);
  }
  /// Returns true if the word is in a cell that has names.
  [[nodiscard]] bool is_cell(const text_word& each) const noexcept {
    return each.in_table && each.column > 0 && each.clause != header_;
  }
  [[nodiscard]] word_mask row_of(const text_word& each) const noexcept { return rows_[slot(each.clause)]; }
  [[nodiscard]] word_mask column_of(const text_word& each) const noexcept {
    return columns_[slot(static_cast<std::size_t>(each.column))];
  }

 private:
  static constexpr std::size_t max_names = 256;  ///< later rows and columns share the names of others
  [[nodiscard]] static std::size_t slot(std::size_t at) noexcept { return at % max_names; }

  std::optional<std::uint16_t> header_;  ///< clause of the first row, unless it has values
  std::array<word_mask, max_names> rows_{};
  std::array<word_mask, max_names> columns_{};
  std::bitset<max_names> cells_;  ///< rows that have another cell than their name
};

}  // namespace citestream::check_detail

/// \file
/// A growing text whose parts are found by positions in any unit.
#pragma once

#include <citestream/base/offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// A text that grows at its end. part() reads at most a few KiB to find a position, however long the text is.
/// Added text is counted when a position is first asked for, because most texts are never indexed.
class indexed_text {
 public:
  void append(std::string_view more) { text_.append(more); }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const text_offset& size() const {
    count();
    return size_;
  }
  /// The position of byte \p at, which must not be after the end.
  [[nodiscard]] text_offset offset_at(std::size_t at) const;
  /// The text from \p begin to \p end, in \p unit. A position after the end is the end. A position inside a
  /// code point is the end of this code point; in bytes, positions are not changed.
  [[nodiscard]] std::string_view part(std::uint64_t begin, std::uint64_t end, offset_unit unit) const;
  /// Removes the text; keeps capacity.
  void clear() noexcept;

 private:
  void count() const;
  [[nodiscard]] std::size_t byte_at(std::uint64_t position, offset_unit unit) const;

  std::string text_;
  mutable text_offset size_;                ///< of the text counted so far
  mutable std::vector<text_offset> marks_;  ///< positions in it, at equal distances in bytes
};

}  // namespace citestream

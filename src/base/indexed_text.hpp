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
class indexed_text {
 public:
  void append(std::string_view more);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const text_offset& size() const noexcept { return size_; }
  /// The text from \p begin to \p end, in \p unit. A position after the end is the end. A position inside a
  /// code point is the end of this code point; in bytes, positions are not changed.
  [[nodiscard]] std::string_view part(std::uint64_t begin, std::uint64_t end,
                                      offset_unit unit) const noexcept;
  /// Removes the text; keeps capacity.
  void clear() noexcept;

 private:
  [[nodiscard]] std::size_t byte_at(std::uint64_t position, offset_unit unit) const noexcept;

  std::string text_;
  text_offset size_;
  std::vector<text_offset> marks_;  ///< positions at equal distances in bytes
};

}  // namespace citestream

/// \file
/// Where the parts of interrupted texts are in an answer.
///
/// The texts of an answer may alternate. Positions in each of them are counted from its own start, positions
/// in the answer in the order in which text arrives. Bytes that are held when a text is interrupted belong
/// to the earlier part of the received text, but to the later part of the printed text.
#pragma once

#include <citestream/base/offsets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "base/text_edits.hpp"

namespace citestream {

/// The side of the end of a span. An empty span is one position, which is before a replacement.
[[nodiscard]] constexpr edit_side end_side(std::uint64_t start, std::uint64_t end) noexcept {
  return end > start ? edit_side::after : edit_side::before;
}

/// A position in the received text, and the same place in the text made from it. Also the distance between
/// two.
struct text_place {
  text_offset received;
  text_offset printed;  ///< in the styled text; in a choice_text, in the sent text without its lists
};

/// A part of a text that no other text interrupts.
struct text_part {
  std::size_t text{};  ///< number of its text; not set in a choice_text
  text_place start{};  ///< where it starts in the answer
  text_place own{};    ///< the same, in its text: the size of the parts before it

  /// Converts a received position of this part, in its text, to the answer.
  [[nodiscard]] text_offset in_answer(const text_offset& place) const noexcept {
    return start.received + (place - own.received);
  }
  [[nodiscard]] std::uint64_t in_answer(std::uint64_t place, offset_unit in) const noexcept {
    return start.received.in(in) + (place - own.received.in(in));
  }
  /// The inverse of in_answer().
  [[nodiscard]] std::uint64_t in_text(std::uint64_t place, offset_unit in) const noexcept {
    return own.received.in(in) + (place - start.received.in(in));
  }
};

/// The last of `parts` that starts before a position, or at it if \p side is `before`; otherwise the first.
/// So between two parts, the end of a span (`after`) belongs to the first.
/// \p start: where a part starts. \pre `parts` are in order, and there is one.
template <typename Parts, typename Start>
auto find_part(const Parts& parts, std::uint64_t position, edit_side side, const Start& start) noexcept {
  const auto next = std::ranges::partition_point(parts, [&](const auto& one) {
    const std::uint64_t begin = start(one);
    return begin < position || (begin == position && side == edit_side::before);
  });
  return next == std::ranges::begin(parts) ? next : std::prev(next);
}

/// The parts of the texts of one answer, in order. The first part is at the start of text 0.
class text_parts {
 public:
  /// Returns true if there are too many parts for another text to be suspended.
  [[nodiscard]] bool full() const noexcept { return all_.size() >= max_parts; }
  /// The part that arrives.
  [[nodiscard]] const text_part& last() const noexcept { return all_.back(); }
  /// Adds the part that begins.
  void add(const text_part& next);
  /// The part with a position in the received text of the answer; see find_part() for \p side.
  [[nodiscard]] const text_part& at(std::uint64_t received, offset_unit in, edit_side side) const noexcept;
  /// Converts a position in the styled text of text \p number to the answer. \p side: as in at().
  [[nodiscard]] text_offset styled(std::size_t number, const text_offset& own, edit_side side) const noexcept;
  [[nodiscard]] std::uint64_t styled(std::size_t number, std::uint64_t own, offset_unit in,
                                     edit_side side) const noexcept;
  /// Converts a span of the received text of text \p number; nothing if it is interrupted.
  [[nodiscard]] std::optional<text_span> received(std::size_t number, const text_span& own) const noexcept;

 private:
  static constexpr std::size_t max_parts = 16'384;

  [[nodiscard]] const text_part& styled_in(std::size_t number, std::uint64_t own, offset_unit in,
                                           edit_side side) const noexcept;

  std::vector<text_part> all_{text_part{}};
  std::vector<std::vector<std::uint32_t>> of_text_{
      std::vector<std::uint32_t>{0}};  ///< indices of the parts of each text
};

}  // namespace citestream

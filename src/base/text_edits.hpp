/// \file
/// Converts positions in a text to positions in the edited text.
///
/// A stage that replaces parts of a text records its replacements here, in order. Between two replacements
/// the text is unchanged, so every position in the input has a position in the output. place() returns it in
/// bytes, UTF-16 code units or code points.
///
/// A stage that looks at every byte calls pass() and replace(before, after). A stage that knows the positions
/// of its replacements calls only replace(begin, end, size).
///
/// If there are `max_edits` replacements, neighbours are merged. A position between two merged ones is then
/// converted to the start or end of the merged one. Memory is bounded, and work is linear in the
/// replacements.
#pragma once

#include <citestream/base/offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace citestream {

/// What place() returns for a position inside a replacement, or where text was inserted.
enum class edit_side : std::uint8_t {
  before,  ///< the start of the replacement
  after,   ///< the end of the replacement
};

/// The replacements of one stage in one text.
class text_edits {
 public:
  static constexpr std::size_t default_max_edits = 65'536;

  /// \param max_edits  maximum number of separate replacements; at least 2
  explicit text_edits(std::size_t max_edits = default_max_edits) noexcept
      : max_edits_(max_edits < 2 ? 2 : max_edits) {}

  /// Passes \p text at input() to the output unchanged.
  void pass(std::string_view text) noexcept { input_.advance(text); }
  /// Replaces \p before, which is at input(), by \p after. Either may be empty.
  void replace(std::string_view before, std::string_view after);
  /// Replaces the input from \p begin to \p end by text of \p size. Call in the order of the input.
  void replace(text_offset begin, text_offset end, text_offset size);

  /// The end of the input covered by pass() and replace().
  [[nodiscard]] const text_offset& input() const noexcept { return input_; }
  /// The same position in the output.
  [[nodiscard]] text_offset output() const noexcept { return place(input_, edit_side::after); }

  /// Converts \p position from input to output. Later replacements must not start before it.
  [[nodiscard]] text_offset place(const text_offset& position, edit_side side) const noexcept;
  /// The same for a position known in only one unit.
  [[nodiscard]] std::uint64_t place(std::uint64_t position, offset_unit unit, edit_side side) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return edits_.empty(); }
  /// Prepares for another text; keeps capacity.
  void reset() noexcept;

 private:
  struct edit {
    text_offset in_begin;
    text_offset in_end;
    text_offset out_begin;
    text_offset out_end;
  };
  [[nodiscard]] const edit* last_before(std::uint64_t position, offset_unit unit,
                                        edit_side side) const noexcept;
  void merge_pairs();

  std::size_t max_edits_;
  text_offset input_;
  std::vector<edit> edits_;  ///< in order; none overlaps the next
};

}  // namespace citestream

/// \file
/// Where each byte of a text is after a stage has edited it.
///
/// A stage that replaces parts of a text appends its replacements here, in order. Between two replacements
/// the text is unchanged, so a position in the input has a position in the output: place() returns it, in
/// bytes, UTF-16 code units or code points.
///
/// A stage that follows every byte calls pass() and replace(before, after). A stage that knows the positions
/// of what it replaces calls replace(begin, end, size) alone.
///
/// Neighbouring replacements are merged once `max_edits` are kept: a position between two that were merged
/// then maps to the start or to the end of both. Memory is bounded, and work is linear in the replacements.
#pragma once

#include <citestream/base/offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace citestream {

/// What place() returns for a position inside a replacement, or where text was inserted.
enum class edit_side : std::uint8_t {
  before,  ///< the start of what was put there
  after,   ///< its end
};

/// The replacements of one stage in one text.
class text_edits {
 public:
  static constexpr std::size_t default_max_edits = 65'536;

  /// \param max_edits  replacements that are told apart; at least 2
  explicit text_edits(std::size_t max_edits = default_max_edits) noexcept
      : max_edits_(max_edits < 2 ? 2 : max_edits) {}

  /// \p text goes from input() to output() unchanged.
  void pass(std::string_view text) noexcept { input_.advance(text); }
  /// \p after takes the place of \p before, which is at input(). Either may be empty.
  void replace(std::string_view before, std::string_view after);
  /// Text of \p size takes the place of the input from \p begin to \p end. Call it in the order of the input.
  void replace(text_offset begin, text_offset end, text_offset size);

  /// The end of the input that pass() and replace() were called for.
  [[nodiscard]] const text_offset& input() const noexcept { return input_; }
  /// The same position in the output.
  [[nodiscard]] text_offset output() const noexcept { return place(input_, edit_side::after); }

  /// The position in the output of \p position in the input, which no later replacement may precede.
  [[nodiscard]] text_offset place(const text_offset& position, edit_side side) const noexcept;
  /// The same for a position that is known in one unit only.
  [[nodiscard]] std::uint64_t place(std::uint64_t position, offset_unit unit, edit_side side) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return edits_.empty(); }
  /// Back to the start of a text; keeps capacity.
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

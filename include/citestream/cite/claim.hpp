/// \file
/// Claim spans: which text a citation supports.
///
/// A claim runs from the end of the previous sentence, marker group or block, whichever is last, up to the
/// marker. Where nothing but white space stands between that boundary and the marker, the marker follows the
/// sentence that it supports (`Revenue grew 12%. [REF|d_1]`): the claim is then that sentence; and the
/// markers of one group share one claim. Surrounding white space is not part of a claim.
///
/// Sentences end at `.`, `!`, `?` or `…` (and closing quotes or brackets) before white space, and at their
/// full-width forms anywhere. Blocks end at blank lines and before list items, headings, quotes, table rows
/// and fences; the bullet itself is not part of the claim.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>

#include <cstdint>
#include <string_view>

namespace citestream {

/// Follows the output text of one answer and knows at any point the claim before it. Constant memory,
/// linear time; the same for every way of cutting the text.
class claim_tracker {
 public:
  /// Output text that came from the answer.
  void text(std::string_view bytes) noexcept;
  /// The claim that a marker here supports. Call before marker().
  [[nodiscard]] text_span claim() const noexcept;
  /// A marker stands here; the style printed \p rendered (part of the output, not of any claim).
  void marker(std::string_view rendered) noexcept;
  /// The position after all that was given.
  [[nodiscard]] const text_offset& position() const noexcept;
  void reset() noexcept;

 private:
  // (implementation state)
};

}  // namespace citestream

/// \file
/// Claim spans: which text a citation supports.
///
/// A claim runs from the end of the previous sentence, marker group or block, whichever is last, up to the
/// marker. Where nothing but white space stands between that boundary and the marker, the marker follows the
/// sentence that it supports (`Revenue grew 12%. [REF|d_1]`): the claim is then that sentence; and the
/// markers of one group share one claim. So does a marker that only punctuation parts from what is before it
/// (`grew 12% [1]. [2]`): punctuation claims nothing. Surrounding white space is not part of a claim. Where
/// there is no text at all, the claim is empty and stands at the marker.
///
/// If the answer says where a claim starts (start_claim()), the claim runs from there up to the next marker,
/// over any number of sentences, unless its block ends before.
///
/// Sentences end at `.`, `!`, `?` or `…` (and closing quotes, brackets or emphasis) before white space, and
/// at the full-width `。！？` anywhere. Blocks end at blank lines and before list items, headings, quotes,
/// table rows and fences; the bullet itself is not part of the claim. A heading ends with its line; a
/// thematic break or an underline belongs to no claim; the lines of one quote, and the code in one fence,
/// hold together (CommonMark 0.31, 4 and 5).
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace citestream {

/// Follows the output text of one answer and knows at any point the claim before it. Constant memory,
/// linear time; the same for every way of cutting the text.
class claim_tracker {
 public:
  /// Output text that came from the answer, cut anywhere.
  void text(std::string_view bytes) noexcept {
    const std::size_t size = bytes.size();
    if (size > waiting_.size() - waits_) return make_room(bytes);
    char* const to = waiting_.data() + waits_;
    const char* const from = bytes.data();
    if (size > 8) {
      std::memcpy(to, from, size);
    } else if (size >= 4) {  // as most: two halves, which may overlap
      std::memcpy(to, from, 4);
      std::memcpy(to + size - 4, from + size - 4, 4);
    } else if (size > 0) {
      to[0] = from[0];
      to[size / 2] = from[size / 2];
      to[size - 1] = from[size - 1];
    }
    waits_ += size;
  }
  /// The claim that a marker here supports. Call before marker().
  [[nodiscard]] text_span claim() noexcept;
  /// Where claims still to come may start or end in the text so far: at no other place in it.
  [[nodiscard]] std::array<text_offset, 8> ends() noexcept;
  /// A marker stands here; the style printed \p rendered (part of the output, not of any claim).
  void marker(std::string_view rendered) noexcept;
  /// Text that is part of no claim and ends none.
  void skip(std::string_view bytes) noexcept;
  /// The claim of the next marker starts with the text that follows.
  void start_claim() noexcept;
  /// The position after all that was given.
  [[nodiscard]] text_offset position() const noexcept;
  /// Back to the start of an answer.
  void reset() noexcept;

 private:
  /// Text that a marker could mean, without the white space around it.
  struct segment {
    text_offset start;
    text_offset end;
    bool any{};   ///< it has a character
    bool word{};  ///< it has one that is not punctuation
  };
  /// What the end of a sentence waits for.
  enum class ending : std::uint8_t { none, white_space, anything };
  /// Where in a line we are; all but `text` could still be, or become, a block's mark.
  enum class line : std::uint8_t {
    start,    ///< nothing but blanks, `>` and bullets yet
    bullet,   ///< `-`
    digits,   ///< `12`
    number,   ///< `12.`
    hashes,   ///< `##`
    fence,    ///< a run of backticks or tildes
    info,     ///< behind a run that opens a fence, unless a backtick comes
    closing,  ///< in a fence: a run of its character
    closed,   ///< blanks behind that
    text,
  };

  void make_room(std::string_view bytes) noexcept;
  void take_waiting() noexcept;
  void take(std::string_view bytes) noexcept;
  void byte(unsigned char value) noexcept;
  void flush_partial() noexcept;
  void code_point(char32_t c, const text_offset& begin) noexcept;
  [[nodiscard]] bool line_mark(char32_t c, const text_offset& begin) noexcept;
  [[nodiscard]] bool first_of_line(char32_t c, const text_offset& begin) noexcept;
  [[nodiscard]] bool fence_mark(char32_t c) noexcept;
  void enter_mark() noexcept;
  void end_line(char32_t c) noexcept;
  void content(char32_t c, const text_offset& begin) noexcept;
  void append(const text_offset& begin, bool word) noexcept;
  void boundary() noexcept;
  void end_sentence() noexcept;
  [[nodiscard]] std::size_t plain_run(std::string_view bytes) noexcept;
  void append_run(std::string_view run, unsigned seen) noexcept;

  // Few deltas are longer than a word, and few are followed by a marker: text waits until it is asked for, or
  // is enough to be read at little more than the cost of its bytes.
  std::array<char, 128> waiting_{};
  std::size_t waits_{};  ///< bytes of it; none of what follows has seen them

  text_offset position_;
  segment current_;  ///< since the last boundary
  segment last_;     ///< the one before: the last sentence, or the last group's claim
  ending ending_{};
  bool started_{};  ///< start_claim() was called in this block; sentences do not end the claim

  char32_t partial_{};         ///< a code point of which bytes are missing
  std::uint8_t missing_{};     ///< how many
  text_offset partial_begin_;  ///< where it starts

  line line_{};
  char32_t mark_{};             ///< the first character of the line, blanks and `>` not counted
  std::uint32_t mark_count_{};  ///< how often it came
  text_offset mark_begin_;      ///< where it stands
  segment before_mark_;         ///< `current_` as it was there
  segment last_before_mark_;
  bool rule_{};             ///< the line has nothing but `mark_` so far
  bool heading_{};          ///< the line is one
  bool item_{};             ///< the line starts with a bullet or a number
  bool quoted_{};           ///< the line starts with `>`
  bool quoted_before_{};    ///< the line before did
  bool carriage_return_{};  ///< the character before was one
  char32_t fence_{};        ///< the open fence's character, or 0
  std::uint32_t fence_count_{};
};

}  // namespace citestream

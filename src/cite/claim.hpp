/// \file
/// Claims: the text that a citation supports.
///
/// A claim starts at the end of the previous sentence, marker group or block, whichever is last, and ends at
/// the marker. Exceptions:
/// - If there is only white space or punctuation between that point and the marker, the marker follows its
///   sentence (`Revenue grew 12%. [REF|d_1]`), and the claim is that sentence.
/// - The markers of one group share one claim.
/// - If there is no text at all, or only words that introduce the source (`According to [1], …`), it is empty
///   and at the marker. If the text only refers to the source (`(see [1])`, `(Source: [1])`), the marker
///   follows the sentence before it.
/// - A marker at the start of a line may begin an entry of a list of references (`[1] Report.pdf`). Then its
///   claim is empty. This applies in list items and table rows, after a heading, a colon, a line of one word
///   or another entry, and after a blank line if the text before that is already cited.
/// - If a marker gives the start of its claim (start_claim()), the claim starts there and may contain several
///   sentences. It still ends with its block.
/// - No claim contains text of two texts of an answer (begin_text()).
/// White space around a claim is not part of it, nor are `(` and `[` directly in front of the marker.
///
/// Sentences end at `.`, `!`, `?` or `…` (and closing quotes, brackets or emphasis) before white space, and
/// at the full-width `。！？` anywhere. A full stop does not end a sentence if the next word of the line
/// starts with a lower-case letter (UAX 29, SB8), or after an initial, an abbreviation or a German ordinal:
/// `U.S. Senate`, `Dr. Smith`, `p. 3`, `am 3. Mai` (abbreviation.hpp). Blocks end at blank lines and before
/// list items, headings, quotes, table rows and fences. Items start with `-`, `•`, `1.`, `(1)`, `a)` and the
/// like, which are not part of a claim. A heading ends with its line. A thematic break or an underline
/// belongs to no claim. The lines of one quote are one block, and so is the code in one fence (CommonMark
/// 0.31, 4 and 5).
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/wide_index.hpp"
#include "kept_text.hpp"

namespace citestream {

/// Keeps the last bytes of a text.
class text_tail {
 public:
  /// Takes the next part of the text.
  void add(std::string_view text) noexcept {
    if (text.size() > bytes_.size()) text.remove_prefix(text.size() - bytes_.size());
    const std::size_t kept = std::min(size_, bytes_.size() - text.size());
    std::copy(bytes_.data() + size_ - kept, bytes_.data() + size_, bytes_.data());
    std::copy(text.begin(), text.end(), bytes_.data() + kept);
    size_ = kept + text.size();
  }
  /// The last bytes so far, at most 16. The first character may be incomplete.
  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.data(), size_}; }
  void clear() noexcept { size_ = 0; }

 private:
  std::array<char, 16> bytes_{};
  std::size_t size_{};
};

/// Reads the text of one answer and returns, at any point, the claim before it. Constant memory, linear time.
/// The result does not depend on how the text was cut.
class claim_tracker {
 public:
  /// Takes text, cut anywhere.
  void text(std::string_view bytes) {
    const std::size_t size = bytes.size();
    if (size > buffer_.bytes.size() - buffer_.size) return make_room(bytes);
    bytes.copy(buffer_.bytes.data() + buffer_.size, size);
    buffer_.size += size;
  }
  /// Returns the claim of a marker at this point. Call before marker().
  [[nodiscard]] text_span claim();
  /// Returns the last sentence so far, which may be incomplete. Call after whole code points.
  [[nodiscard]] text_span sentence();
  /// Takes a marker, or what was printed for it. It is part of no claim.
  void marker(std::string_view rendered);
  /// Another text of the answer begins: no later claim starts before this point.
  void begin_text();
  /// Takes text that belongs to no claim and does not end one.
  void skip(std::string_view bytes);
  /// The claim of the next marker starts at this point.
  void start_claim();
  /// From now on, \p wide gets the characters outside ASCII; null: no index is filled.
  void index(wide_index* wide) {
    take_buffered();
    wide_ = wide;
  }
  /// From now on, all text and markers are passed to \p kept, too, unless it is null.
  void keep(kept_text* kept) noexcept { kept_ = kept; }
  [[nodiscard]] kept_text* kept() const noexcept { return kept_; }
  /// Reads what was only buffered, so that the index is complete.
  void settle() { take_buffered(); }
  /// The position after all text so far.
  [[nodiscard]] text_offset position() const noexcept;
  /// Starts another text. It is passed to kept(), too, but to no index.
  void reset() noexcept;

 private:
  /// Text that may become a claim, without the white space around it.
  struct segment {
    text_offset start;
    text_offset end;
    bool word{};      ///< it contains more than punctuation
    bool colon{};     ///< it ends with a colon
    bool one_word{};  ///< one word of ASCII, with which its line starts
    bool cited{};     ///< a marker follows it

    [[nodiscard]] bool any() const noexcept { return start.utf8 != end.utf8; }
  };
  /// What must follow so that the sentence ends.
  enum class stop_rule : std::uint8_t {
    none,
    full_stop,     ///< white space, and then anything but a lower-case letter
    unless_lower,  ///< the same after the white space
    white_space,
    anything,
  };
  /// How far the current line has been read. In all states except `text` it may still start a block.
  enum class line_state : std::uint8_t {
    start,    ///< only blanks, `>` and bullets so far
    bullet,   ///< `-`
    opened,   ///< `(`
    letter,   ///< `a` or `(a`
    digits,   ///< `12` or `(12`
    number,   ///< `12.`, `12)` or `a)`
    hashes,   ///< `##`
    fence,    ///< a run of backticks or tildes
    info,     ///< after a run that opens a fence, unless a backtick follows
    closing,  ///< in a fence: a run of its character
    closed,   ///< blanks after that run
    text,
  };
  /// How a sentence that may be complete ends.
  struct sentence_end {
    stop_rule rule{};
    text_tail tail;  ///< the end of the segment, perhaps with a full stop
  };
  /// A character, and how often it occurs.
  struct mark_run {
    char32_t mark{};
    std::uint32_t count{};
  };
  /// What the line before the current one was.
  struct line_before {
    bool quoted{};  ///< started with `>`
    bool blank{};
  };
  struct line_progress {
    line_state state{};
    mark_run first;            ///< the first character of the line, except blanks and `>`
    segment before_mark;       ///< `current_` before that character
    segment last_before_mark;  ///< `last_` before that character
    bool rule{};               ///< only that character so far
    bool heading{};
    bool item{};          ///< starts with a bullet or a number
    bool quoted{};        ///< starts with `>`
    bool any{};           ///< contains text
    bool marker_first{};  ///< starts with a marker
    bool after_cr{};      ///< empty so far, and the previous line ends with CR
    line_before before;
  };
  struct partial_code_point {
    char32_t value{};
    std::uint8_t missing{};  ///< bytes; 0: there is no incomplete code point
    text_offset begin;
  };
  /// Few deltas are longer than a word, and few are followed by a marker: text is copied here and read later.
  struct unread_text {
    std::array<char, 96> bytes{};
    std::size_t size{};
  };

  void make_room(std::string_view bytes);
  void take_buffered();
  void take(std::string_view bytes);
  void advance(std::string_view bytes);
  void pass(std::string_view bytes);
  void byte(unsigned char value);
  void flush_partial() noexcept;
  void code_point(char32_t c, const text_offset& begin) noexcept;
  [[nodiscard]] bool line_mark(char32_t c) noexcept;
  [[nodiscard]] bool first_of_line(char32_t c) noexcept;
  [[nodiscard]] bool fence_mark(char32_t c) noexcept;
  void enter_mark() noexcept;
  void end_line(char32_t c) noexcept;
  void content(char32_t c, const text_offset& begin) noexcept;
  void append(char32_t c, const text_offset& begin) noexcept;
  [[nodiscard]] const segment& last_sentence() const noexcept;
  [[nodiscard]] text_span claim_of_current() const noexcept;
  [[nodiscard]] bool starts_line() const noexcept;
  [[nodiscard]] bool begins_entry(const segment& before) const noexcept;
  void boundary() noexcept;
  void end_sentence() noexcept;
  [[nodiscard]] std::size_t plain_run(std::string_view bytes);
  void append_run(std::string_view run, unsigned seen);
  [[nodiscard]] bool continues_word(std::string_view run, const text_offset& begin,
                                    unsigned seen) const noexcept;

  wide_index* wide_{};
  kept_text* kept_{};
  unread_text buffer_;
  text_offset position_;   ///< after all text that was read, without `buffer_`
  segment current_;        ///< since the last boundary
  text_offset inner_end_;  ///< of `current_`, without brackets that open at its end
  segment last_;           ///< the previous segment: the last sentence, or the claim of the last group
  sentence_end ending_;
  bool started_{};  ///< start_claim() was called in this block: sentences do not end the claim
  bool listing_{};  ///< inside a list of references
  partial_code_point partial_;
  line_progress line_;
  mark_run fence_;  ///< of the open fence; mark 0: no fence is open
};

}  // namespace citestream

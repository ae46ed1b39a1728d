/// \file
/// Finds code and escapes in Markdown text, byte by byte. Bytes in code and escaped bytes are literal.
///
/// A fence opens on a line that starts, after blanks and `>`, with at least three backticks or tildes. It
/// closes on a line with at least as many of the same and nothing else. A line of backticks that holds
/// another backtick is not a fence. An inline span runs from a run of backticks to a run of the same length,
/// or to the end of the paragraph. This is CommonMark 0.31, 4.5 and 6.1, changed so that no decision needs
/// later bytes: text after an unclosed run of backticks is code until its paragraph ends. The cost of a byte
/// is constant.
///
/// Four other classes read code, each by different rules. claim_tracker (cite) needs the place where a fence
/// starts, and no spans. exact_code (egress) accepts only what every renderer reads as code. code_guess
/// (egress) may be wrong, and also knows formulas and indented code. prose_lines (check) has whole lines,
/// and accepts a fence at any indentation.
#pragma once

#include <cstdint>

namespace citestream {

/// The lexer for one text.
class code_lexer {
 public:
  /// Takes the next byte. \return true if it is literal: escaped, or inside code.
  bool take(char byte) noexcept {
    if (!plain() || byte == '\n' || byte == '\r' || byte == '`' || byte == '\\' || byte == '!') {
      return take_any(byte);
    }
    last_ = last::other;
    return false;
  }

  /// Takes bytes that are not special, in the middle of a line of plain text (see plain()).
  void take_plain() noexcept { last_ = last::other; }

  /// Takes a byte of a raw part.
  void take_raw(char byte) noexcept { last_ = byte == '!' ? last::bang : last::other; }

  /// Returns true if a byte that is not special (a backtick, a backslash, `!`, a line break) changes nothing
  /// here.
  [[nodiscard]] bool plain() const noexcept {
    return state_ == state::text && line_ == line::text && last_ != last::escape && run_ == 0 && tildes_ == 0;
  }

  /// Returns true if any next byte would be inside code or extend the run of backticks or tildes.
  [[nodiscard]] bool in_code() const noexcept;

  /// Returns true if the next byte is the first on its line, not counting blanks and `>`.
  [[nodiscard]] bool line_start() const noexcept { return line_ != line::text; }

  /// Returns true if the last byte was an unescaped `!`.
  [[nodiscard]] bool after_bang() const noexcept { return last_ == last::bang; }

  /// The minimum number of bytes before a `]` that is not literal.
  [[nodiscard]] std::uint32_t bytes_before_close() const noexcept {
    return state_ != state::text ? bytes_before_close_in_code() : last_ == last::escape ? 1 : 0;
  }

 private:
  enum class state : std::uint8_t { text, opening_run, span, fence };
  /// The byte before.
  enum class last : std::uint8_t {
    other,
    escape,  ///< a backslash that is not itself escaped
    bang,    ///< an unescaped `!`
    cr,      ///< an LF now belongs to the same line break
  };
  /// What this line contains so far.
  enum class line : std::uint8_t { blanks, prefix, text };  ///< prefix: only blanks and `>`
  /// Whether this line closes the fence.
  enum class closing : std::uint8_t {
    no,
    run,     ///< perhaps: the run of fence characters is next, or not over
    blanks,  ///< perhaps: after the run
  };

  bool take_any(char byte) noexcept;
  [[nodiscard]] std::uint32_t bytes_before_close_in_code() const noexcept;
  void line_break() noexcept;
  bool take_text(char byte) noexcept;
  bool take_span(char byte) noexcept;
  void take_fence(char byte) noexcept;
  void end_opening_run() noexcept;

  state state_{state::text};
  last last_{};
  line line_{};
  closing closing_{};
  bool fence_line_{};  ///< the open span may still be the opening line of a fence
  char fence_char_{};
  std::uint64_t length_{};  ///< length of the run that opened the span or fence
  std::uint64_t run_{};     ///< length of the current run of backticks or fence characters
  std::uint64_t tildes_{};  ///< length of the run of tildes at the start of a line
};

}  // namespace citestream

// How code is found without look-ahead.
//
// State `text` changes to `opening_run` at a backtick and to `span` when the run ends. A span ends
// after a run of the same length, or with its paragraph. If the run started its line, has three or more
// backticks and is the only one on it, the line break changes the span into a `fence`. A line that starts
// with three or more tildes opens a fence too. A fence ends with a line that has at least as many of its
// characters and nothing else.
//
// Bytes of a run count as code immediately, before it is known what the run opens. Only counters and flags
// are kept, so the cost of a byte is constant. take() handles the most common bytes without a call.
#include "lexer.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace citestream {

namespace {

constexpr std::uint64_t fence_length = 3;  ///< CommonMark 0.31, 4.5

using ascii::is_blank;
using ascii::is_line_break;
using ascii::is_punctuation;

}  // namespace

bool code_lexer::take_any(char byte) noexcept {
  if (last_ == last::cr) {
    last_ = last::other;
    if (byte == '\n') return state_ != state::text;  // the second half of a line break
  }
  if (state_ == state::opening_run) {
    if (byte == '`') {
      ++run_;
      return true;
    }
    end_opening_run();
  }
  bool literal = true;
  switch (state_) {
    case state::span:
      literal = take_span(byte);
      break;
    case state::fence:
      take_fence(byte);
      break;
    default:
      literal = take_text(byte);
  }
  if (is_line_break(byte)) {
    line_break();
    last_ = byte == '\r' ? last::cr : last::other;
  } else if (!is_blank(byte) && line_ != line::text) {
    line_ = byte == '>' ? line::prefix : line::text;
  }
  return literal;
}

/// Called when a run of backticks has ended. It opens a span; at the start of a line it may still open a
/// fence.
void code_lexer::end_opening_run() noexcept {
  length_ = run_;
  run_ = 0;
  state_ = state::span;
}

bool code_lexer::take_text(char byte) noexcept {
  const bool escaped = last_ == last::escape && is_punctuation(byte);
  last_ = last::other;
  if (byte == '\\' && !escaped) last_ = last::escape;
  if (byte == '!' && !escaped) last_ = last::bang;
  if (byte == '~' && !escaped && (line_start() || tildes_ > 0)) {
    ++tildes_;
    return true;
  }
  // Any byte but a tilde ends the run. The rest of the line is its info string.
  if (tildes_ >= fence_length) {
    state_ = state::fence;
    fence_char_ = '~';
    length_ = tildes_;
    tildes_ = 0;
    closing_ = closing::no;
    run_ = 0;
    return true;
  }
  tildes_ = 0;
  if (byte == '`' && !escaped) {
    state_ = state::opening_run;
    fence_line_ = line_start();
    run_ = 1;
    return true;
  }
  return escaped;
}

bool code_lexer::take_span(char byte) noexcept {
  if (byte == '`') {
    ++run_;
    fence_line_ = false;
    return true;
  }
  if (run_ == length_) {  // closed before this byte
    state_ = state::text;
    run_ = 0;
    fence_line_ = false;
    return take_text(byte);
  }
  run_ = 0;
  return true;
}

/// Checks whether this line closes the fence: blanks and `>`, the run, blanks.
void code_lexer::take_fence(char byte) noexcept {
  if (closing_ == closing::no || is_line_break(byte)) return;
  if (byte == fence_char_ && closing_ == closing::run) {
    ++run_;
  } else if (is_blank(byte)) {
    if (run_ > 0) closing_ = closing::blanks;
  } else if (byte != '>' || run_ > 0) {
    closing_ = closing::no;
  }
}

void code_lexer::line_break() noexcept {
  if (state_ == state::span && fence_line_ && length_ >= fence_length) {
    state_ = state::fence;
    fence_char_ = '`';
  } else if (state_ == state::span && line_ == line::blanks) {
    state_ = state::text;
  } else if (state_ == state::fence && closing_ != closing::no && run_ >= length_) {
    state_ = state::text;
  }
  fence_line_ = false;
  run_ = 0;
  closing_ = state_ == state::fence ? closing::run : closing::no;
  line_ = line::blanks;
}

bool code_lexer::in_code() const noexcept {
  switch (state_) {
    case state::text:
      return tildes_ >= fence_length;
    case state::span:
      return run_ != length_;
    default:
      return true;
  }
}

std::uint32_t code_lexer::bytes_before_close_in_code() const noexcept {
  std::uint64_t cost = 0;
  if (state_ == state::opening_run) {
    cost = 1 + run_;  // a byte of code, then as many backticks
  } else if (state_ == state::span) {
    cost = run_ <= length_ ? length_ - run_ : 1 + length_;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(cost, UINT32_MAX));
}

}  // namespace citestream

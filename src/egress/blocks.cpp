#include "blocks.hpp"

#include <algorithm>
#include <utility>

namespace citestream {

using namespace egress_detail;

namespace {

// What looks like white space, or like nothing, is no letter: byte order marks, U+00A0, U+2000 and so on.
bool is_letter_of_any(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return is_letter(c) || (byte >= 0xC3 && byte != 0xE1 && byte != 0xE2 && byte != 0xEF);
}

}  // namespace

void block_tracker::note_lead(char c) {
  note_quoted(c);
  if (line_.blank) {
    if (c == ' ') {
      if (line_.prefix) ++line_.indent;
      return;
    }
    if (c == '\t') {
      line_.prefix = false;
      line_.tab = true;
      return;
    }
    begin_content(c);
    return;
  }
  note_marker(c);
  line_.row = line_.row && (c == '-' || c == ':' || c == '|' || c == ' ' || c == '\t');
  // The mark of a task is no text.
  const bool task = std::exchange(line_.bracket, c == '[') && (c == 'x' || c == 'X');
  line_.lead = line_.lead && (task || !is_letter_of_any(c));
}

// Marks of quotes, and of items in them or in what goes on with them.
void block_tracker::note_quoted(char c) {
  if (line_.item && is_blank(c)) line_.quoted_list = true;
  if (marks_quote(c)) {
    ++line_.quotes;
    line_.gap = 0;
  } else if (!is_blank(c)) {
    line_.marked = false;
  } else {
    line_.gap += c == ' ' ? 1 : most_indent + 1;
  }
  if (c == '>') ++line_.marks;
  const bool ends_mark = c == '-' || c == '*' || c == '+' || c == '.' || c == ')';
  line_.item = ends_mark && (line_.marks != 0 || line_.deepest != 0);
}

void block_tracker::begin_content(char c) {
  line_.blank = false;
  if (blank_before_) odd_ = false;
  if (line_.tab || line_.indent > most_indent) odd_ = true;
  line_.lead = !is_letter_of_any(c);
  line_.row = c == '-' || c == ':' || c == '|';
  while (!items_.empty() && items_.back() > line_.indent) {
    items_.pop_back();
    line_.sibling = true;
  }
  // A title in quotes or parentheses may go on for many lines.
  if (line_.behind_definition && (c == '"' || c == '\'' || c == '(')) ambiguous_ = titled_ = true;
  if (!line_.prefix) return;
  if (c == '-' || c == '*' || c == '+' || is_digit(c)) listed_ = line_.listed = true;
  if (c == '-' || c == '*' || c == '+') {
    line_.mark = line::marker::delimiter;
    line_.number = line_.width = 1;
  } else if (is_digit(c)) {
    line_.mark = line::marker::digits;
    line_.number = static_cast<std::uint32_t>(c - '0');
    line_.width = 1;
  }
}

// What may be the mark of a list item: `-`, `12.`, `3)` and one to four blanks.
void block_tracker::note_marker(char c) {
  constexpr std::uint32_t most_digits = 9;
  using marker = line::marker;
  switch (line_.mark) {
    case marker::none:
      return;
    case marker::digits:
      ++line_.width;
      if (is_digit(c) && line_.width <= most_digits) {
        line_.number = line_.number * 10 + static_cast<std::uint32_t>(c - '0');
      } else {
        line_.mark = c == '.' || c == ')' ? marker::delimiter : marker::none;
      }
      return;
    case marker::delimiter:
      line_.mark = c == ' ' ? marker::blanks : marker::none;
      line_.blanks = 1;
      return;
    case marker::blanks:
      if (c == ' ') {
        if (++line_.blanks > most_indent + 1) line_.mark = marker::none;
        return;
      }
      line_.mark = c == '\t' ? marker::none : marker::item;
      line_.content = line_.indent + line_.width + line_.blanks;
      [[fallthrough]];
    case marker::item:  // a rule has no letters
      if (line_.mark == marker::item && is_letter_of_any(c) && c != '\xE3') note_item();
      return;
  }
}

void block_tracker::note_item() {
  line_.mark = line::marker::none;
  const std::uint32_t base = items_.empty() ? 0 : items_.back();
  constexpr std::uint32_t one = 2;  // the width of `1.`
  const bool may_begin = (line_.number == 1 && line_.width <= one) || blank_before_ || line_.sibling;
  if (line_.indent - base <= most_indent && may_begin && !html_) items_.push_back(line_.content);
}

// Whether a fence with that indentation opens one for every renderer.
bool block_tracker::opens(std::uint32_t indent) {
  while (!items_.empty() && items_.back() > indent) items_.pop_back();
  if (ambiguous_ || html_) return false;
  return indent <= most_indent || (!items_.empty() && indent - items_.back() <= most_indent);
}

void block_tracker::offer_fence(char c, std::size_t length) {
  if (!opens(line_.indent)) {
    ambiguous_ = true;
    return;
  }
  line_.info = c;
  line_.info_length = length;
}

bool block_tracker::end_line() {
  const line ended = std::exchange(line_, {});
  line_.behind_definition = std::exchange(defined_, false) || (ended.blank && ended.behind_definition);
  // For some a line of tabs goes on with a paragraph; in an item a line of code, or a definition, and the
  // blank line behind it do.
  bool ends = ended.blank && !ended.tab && !((odd_ || titled_) && listed_);
  if (ends) tainted_ = html_ = false;
  if (!ended.blank || ended.tab) {
    const bool blank = ended.marked && ended.quotes != 0;  // in a quote
    line_.deepest = blank ? ended.quotes : std::max(ended.deepest, ended.marks);
    line_.quoted_list = ended.quoted_list || ended.item;
  }
  if (ended.info != 0 && !ambiguous_) {
    ends = true;
    tainted_ = false;
    fence_ = ended.info;
    fence_length_ = ended.info_length;
    fence_indent_ = ended.indent;
    part_ = part::indent;
    indent_ = 0;
    tab_ = false;
  }
  if (head_ && !ended.blank && ended.row) ambiguous_ = true;
  head_ = ended.listed && ended.pipe;
  blank_before_ = ended.blank && !ended.tab;
  return ends;
}

bool block_tracker::fence_byte(char c) {
  if (is_line_end(c)) return end_fence_line();
  switch (part_) {
    case part::indent:
      if (c == ' ') {
        ++indent_;
        return true;
      }
      if (c == '\t' && fence_indent_ != 0 && indent_ >= fence_indent_) {
        tab_ = true;  // in an item it may be few columns
        return true;
      }
      if (c == fence_) {
        part_ = part::run;
        run_ = 1;
        odd_run_ = tab_;
        return true;
      }
      return begin_fence_text();
    case part::run:
      if (c == fence_) {
        ++run_;
        return true;
      }
      if (run_ < fence_length_) return begin_fence_text();
      part_ = part::tail;
      [[fallthrough]];
    case part::tail:
      if (c == '\t' || c == '`' || c == '~') odd_run_ = true;
      return c == ' ' || c == '\t' || c == '`' || c == '~' || begin_fence_text();
    case part::text:
      return true;
  }
  return true;
}

// In a list item a line that stands less far in ends the fence for some.
bool block_tracker::begin_fence_text() {
  part_ = part::text;
  if (fence_indent_ == 0 || indent_ >= fence_indent_) return true;
  give_up();
  line_ = {};
  note_other();
  return false;
}

// \return false: the fence may have been closed by this line.
bool block_tracker::end_fence_line() {
  const part ended = std::exchange(part_, part::indent);
  tab_ = false;
  const std::uint32_t indent = std::exchange(indent_, 0);
  const bool run = (ended == part::run || ended == part::tail) && run_ >= fence_length_;
  if (!run) {
    const bool outside = ended == part::run && indent < fence_indent_;
    if (outside) give_up();
    return !outside;
  }
  if (indent > fence_indent_ + most_indent) return true;
  const bool closes = !odd_run_ && (fence_indent_ == 0 || indent == fence_indent_);
  if (!closes) {
    give_up();
    return false;
  }
  fence_ = 0;
  line_ = {};
  blank_before_ = tainted_ = html_ = odd_ = false;
  return true;
}

void block_tracker::reset() noexcept {
  line_ = {};
  items_.clear();
  blank_before_ = true;
  defined_ = tainted_ = html_ = ambiguous_ = odd_ = listed_ = titled_ = head_ = false;
  fence_ = 0;
}

}  // namespace citestream

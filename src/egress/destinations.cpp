#include "destinations.hpp"

#include <utility>

#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

// Markup of its own could begin or end there; what is left to be read again is then short.
bool is_markup(char c) noexcept {
  return c == '[' || c == ']' || c == '<' || c == '`';
}

}  // namespace

reading destination_reader::take(char c, std::size_t at) {
  if (is_line_end(c)) {
    if (part_ == part::angle) return reading::failed;
    if (part_ == part::plain) {
      end_ = at;
      part_ = part::after;
    }
    return line_end(c);
  }
  carriage_return_ = false;
  if (c != ' ' && c != '\t' && !(definition_ && c == '>')) ended_line_ = false;
  switch (part_) {
    case part::before:
      return take_before(c, at);
    case part::angle:
      return take_angle(c, at);
    case part::plain:
      return take_plain(c, at);
    case part::after:
      return take_after(c);
    case part::title:
      return take_title(c);
    case part::behind:
      return take_behind(c);
  }
  return reading::failed;
}

reading destination_reader::line_end(char c) {
  if (c == '\n' && std::exchange(carriage_return_, false)) return reading::more;
  carriage_return_ = c == '\r';
  odd_ = odd_ || !definition_ || part_ == part::before || part_ == part::title;
  escaped_ = false;
  if (definition_ && part_ != part::before) return reading::done;
  if (std::exchange(ended_line_, true)) return reading::failed;
  spaced_ = true;
  return reading::more;
}

reading destination_reader::take_before(char c, std::size_t at) {
  if (c == ' ' || c == '\t') {
    odd_ = odd_ || !definition_;
    return reading::more;
  }
  if (definition_ && odd_ && c == '>') return reading::more;  // the next line of a quote
  begin_ = end_ = at;
  if (c == ')' && !definition_) return reading::done;
  if (c == '<') {
    begin_ = end_ = at + 1;
    part_ = part::angle;
    return reading::more;
  }
  part_ = part::plain;
  return take_plain(c, at);
}

reading destination_reader::take_angle(char c, std::size_t at) {
  const bool escaped = std::exchange(escaped_, false);
  if (is_markup(c)) return reading::failed;
  end_ = at;
  if (c == '>' && !escaped) {
    part_ = part::after;
    spaced_ = false;
    return reading::more;
  }
  odd_ = odd_ || is_blank(c) || c == '\\';
  escaped_ = c == '\\' && !escaped;
  return reading::more;
}

reading destination_reader::take_plain(char c, std::size_t at) {
  constexpr std::size_t most = 32;  // as \ref limits::max_parentheses
  const bool escaped = std::exchange(escaped_, false);
  if (is_markup(c)) return reading::failed;
  end_ = at;
  if (c == ' ' || c == '\t') {
    part_ = part::after;
    spaced_ = true;
    return reading::more;
  }
  if (is_blank(c)) return reading::failed;
  odd_ = odd_ || c == '\\' || c == '>';
  escaped_ = c == '\\' && !escaped;
  if (definition_ || escaped) return reading::more;
  if (c == '(') return ++depth_ > most ? reading::failed : reading::more;
  if (c != ')') return reading::more;
  return depth_-- == 0 ? reading::done : reading::more;
}

reading destination_reader::take_after(char c) {
  if (c == ' ' || c == '\t') {
    spaced_ = true;
    return reading::more;
  }
  if (c == ')' && !definition_) return reading::done;
  if (!spaced_ || (c != '"' && c != '\'' && c != '(')) return reading::failed;
  quote_ = c == '(' ? ')' : c;
  part_ = part::title;
  return reading::more;
}

reading destination_reader::take_title(char c) {
  const bool escaped = std::exchange(escaped_, false);
  if (is_markup(c) || (c == '(' && quote_ == ')')) return reading::failed;
  if (c == quote_ && !escaped) part_ = part::behind;
  odd_ = odd_ || c == '\\';
  escaped_ = c == '\\' && !escaped;
  return reading::more;
}

reading destination_reader::take_behind(char c) {
  if (c == ' ' || c == '\t') return reading::more;
  return c == ')' && !definition_ ? reading::done : reading::failed;
}

}  // namespace citestream

// How white space is tidied.
//
// Text arrives between markers. Outside a group, plain_text() writes everything except a tail that a marker
// could remove: blanks, or blanks with an opening parenthesis (`before_`). marker() removes that tail and
// starts a group. In a group, group_text() buffers separators and a closing parenthesis (`after_`), until
// another marker, other text, or the parenthesis decides.
//
// Whether a space is inserted depends on the next character, which may be cut; its first bytes are in
// `partial_`. At `bound_` bytes everything buffered is written, at the same byte however the text is divided.
// The cost is linear.
#include "spacer.hpp"

#include <algorithm>
#include <ranges>

namespace citestream {

namespace {

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

using ascii::is_blank;
using ascii::is_line_break;

std::size_t leading_blanks(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_blank(text[count])) ++count;
  return count;
}

std::size_t trailing_blanks(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_blank(text[text.size() - 1 - count])) ++count;
  return count;
}

/// White space (Unicode's White_Space) and closing punctuation: ASCII, typographic, full-width and CJK. No
/// space is inserted before these.
constexpr std::string_view ascii_closers = " \t\n\r\v\f.,;:!?)]}\"'";
constexpr std::string_view wide_closers[] = {
    "\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
    "\u2006", "\u2007", "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F",
    "\u3000", "’",      "”",      "»",      "…",      "›",      "．",     "，",     "；",
    "：",     "！",     "？",     "）",     "］",     "｝",     "＂",     "＇",     "。",
    "、",     "」",     "』",     "】",     "》",     "〉"};

enum class closer : std::uint8_t { no, yes, cut };

/// Returns whether the text starts with one of these; `cut` if all its bytes are the start of one.
closer starts_with_closer(std::string_view text) {
  if (ascii_closers.find(text.front()) != std::string_view::npos) return closer::yes;
  if (static_cast<unsigned char>(text.front()) < 0x80) return closer::no;
  for (const std::string_view one : wide_closers) {
    if (text.substr(0, one.size()) == one) return closer::yes;
    if (one.substr(0, text.size()) == text) return closer::cut;
  }
  return closer::no;
}

/// \p offset moved by \p bytes of ASCII.
text_offset forward(const text_offset& offset, std::size_t bytes) noexcept {
  return {offset.utf8 + bytes, offset.utf16 + bytes, offset.codepoint + bytes};
}
text_offset backward(const text_offset& offset, std::size_t bytes) noexcept {
  return {offset.utf8 - bytes, offset.utf16 - bytes, offset.codepoint - bytes};
}

}  // namespace

void spacer::text(std::string_view run, bool code, std::string& out) {
  if (how_ == spacing::untouched || how_ == spacing::kept) {
    out.append(run);
    return;
  }
  if (group_.open) run.remove_prefix(group_text(run, out));
  if (!run.empty()) plain_text(run, code, out);
  if (!buffers()) write_removed(no_limit);
}

void spacer::remove(const text_span& received) {
  if (!removed_.empty() && removed_.back().end == received.start) {
    removed_.back().end = received.end;
  } else {
    removed_.push_back(received);
  }
  if (!buffers()) write_removed(no_limit);
}

/// Adds the edits of removed markers that end at or before the byte \p until of the received text.
void spacer::write_removed(std::uint64_t until) {
  auto next = removed_.begin();
  for (; next != removed_.end() && next->end.utf8 <= until; ++next) {
    edits_.replace(next->start, next->end, {});
  }
  removed_.erase(removed_.begin(), next);
}

/// Replaces part of the received text. Drops the edits of removed markers in it.
void spacer::edit(text_offset begin, text_offset end, text_offset size) {
  write_removed(begin.utf8);
  edits_.replace(begin, end, size);
  std::erase_if(removed_, [&](const text_span& one) { return one.end.utf8 <= end.utf8; });
}

/// The start of \p bytes of buffered ASCII that end at \p position. Removed markers between them are skipped.
text_offset spacer::before(const text_offset& position, std::size_t bytes) const noexcept {
  text_offset at = position;
  for (const text_span& one : std::views::reverse(removed_)) {
    if (one.end.utf8 > at.utf8) continue;
    const std::size_t between = at.utf8 - one.end.utf8;
    if (between >= bytes) break;
    bytes -= between;
    at = one.start;
  }
  return backward(at, bytes);
}

/// The end of \p bytes of buffered ASCII that start at \p position.
text_offset spacer::after(const text_offset& position, std::size_t bytes) const noexcept {
  text_offset at = position;
  for (const text_span& one : removed_) {
    if (one.start.utf8 < at.utf8) continue;
    const std::size_t between = one.start.utf8 - at.utf8;
    if (between >= bytes) break;
    bytes -= between;
    at = one.end;
  }
  return forward(at, bytes);
}

std::uint64_t spacer::decided() const noexcept {
  std::uint64_t first = no_limit;
  if (!removed_.empty()) first = removed_.front().start.utf8;
  if (group_.open && group_.parenthesis) first = std::min(first, group_.undecided.start.utf8);
  return first;
}

bool spacer::settled() const noexcept {
  if (how_ == spacing::untouched || how_ == spacing::kept) return true;
  return removed_.empty() && !group_.open && !pending_.drop_blanks && !pending_.space &&
         !group_.parenthesis && !written_.line_start && !written_.odd_backslashes && partial_.empty();
}

/// Takes text that may still belong to the group. Returns its size.
std::size_t spacer::group_text(std::string_view run, std::string& out) {
  for (std::size_t i = 0; i < run.size(); ++i) {
    const char byte = run[i];
    const bool separates = (byte == ',' || byte == ';') && !group_.separator;
    if (group_.parenthesis && byte == ')' && !group_.separator) {
      wrap_group();
      return i + 1;
    }
    if ((!is_blank(byte) && !separates) || how_ != spacing::tidy) {
      end_group(out);
      return i;
    }
    if (held() >= bound_) {
      ++abandoned_;
      flush(out);
      return i;
    }
    group_.separator = group_.separator || separates;
    after_ += byte;
  }
  return run.size();
}

/// Removes the group with its parentheses and the blanks before them.
void spacer::wrap_group() {
  edit(before(group_.undecided.start, before_.size()), after(group_.undecided.end, after_.size() + 1), {});
  pending_.space = pending_.space || before_.front() != '(';
  pending_.drop_blanks = written_.line_start;
  group_ = {};
  before_.clear();
  after_.clear();
  written_.odd_backslashes = false;
}

/// Ends a group that has no closing parenthesis. Its opening parenthesis, if any, is kept.
void spacer::end_group(std::string& out) {
  group_.open = group_.separator = false;
  if (group_.parenthesis) {
    group_.parenthesis = false;
    emit(before_, out);
    before_.clear();
    edit(group_.undecided.start, group_.undecided.end, {});
    pending_.space = group_.inner_blanks;
  } else {
    pending_.drop_blanks = how_ == spacing::tidy && written_.line_start;
  }
  if (after_.empty()) return;
  std::string rest;
  rest.swap(after_);
  plain_text(rest, false, out);
  if (after_.empty()) {  // keep the capacity
    rest.clear();
    after_.swap(rest);
  }
}

bool spacer::escaped(std::string_view run, std::size_t at) const noexcept {
  std::size_t backslashes = 0;
  while (backslashes < at && run[at - 1 - backslashes] == '\\') ++backslashes;
  const bool more = backslashes == at && written_.odd_backslashes;
  return (backslashes % 2 == 1) != more;
}

/// Takes text outside a group. Writes everything except `blanks` or `blanks ( blanks` at its end.
void spacer::plain_text(std::string_view run, bool code, std::string& out) {
  if (pending_.drop_blanks) {
    const std::size_t blanks = leading_blanks(run);
    if (blanks > 0) edit(edits_.input(), after(edits_.input(), blanks), {});
    run.remove_prefix(blanks);
    if (run.empty()) return;
    pending_.drop_blanks = false;
  }
  const std::size_t blanks = code ? 0 : trailing_blanks(run);
  const std::size_t body = run.size() - blanks;
  const bool opens = !code && wraps_ && body > 0 && run[body - 1] == '(' && !escaped(run, body - 1);
  written_.odd_backslashes = blanks == 0 && !opens && escaped(std::string_view(run), run.size());
  if (body == 0 && !code) {
    hold(run, std::string_view::npos, out);
    return;
  }
  const std::size_t inner = opens ? trailing_blanks(run.substr(0, body - 1)) : 0;
  const std::size_t leaves = opens ? body - 1 - inner : body;
  if (leaves > 0) {
    emit(before_, out);
    before_.clear();
    group_.parenthesis = false;
    emit(run.substr(0, leaves), out);
  } else if (group_.parenthesis) {
    // This parenthesis replaces an earlier one. The blanks between them are kept.
    const std::size_t keep = trailing_blanks(before_);
    emit(std::string_view(before_).substr(0, before_.size() - keep), out);
    before_.erase(0, before_.size() - keep);
    group_.parenthesis = false;
  }
  if (leaves < run.size()) hold(run.substr(leaves), opens ? inner : std::string_view::npos, out);
}

/// Buffers `tail`: blanks, with a `(` at `parenthesis`. Indentation is written at once.
void spacer::hold(std::string_view tail, std::size_t parenthesis, std::string& out) {
  if (how_ == spacing::tidy && written_.line_start && !group_.parenthesis) {
    const std::size_t indent = std::min(tail.size(), parenthesis);
    emit(before_, out);
    before_.clear();
    emit(tail.substr(0, indent), out);
    tail.remove_prefix(indent);
    if (tail.empty()) return;
  }
  if (held() + tail.size() <= bound_) {
    before_.append(tail);
    group_.parenthesis = group_.parenthesis || parenthesis != std::string_view::npos;
    return;
  }
  for (const char byte : tail) hold_byte(byte, out);
}

/// Buffers byte by byte, so that the limit is reached at the same byte however the text is divided.
void spacer::hold_byte(char byte, std::string& out) {
  if (held() >= bound_) {
    ++abandoned_;
    emit(before_, out);
    before_.clear();
    group_.parenthesis = false;
  }
  before_ += byte;
  group_.parenthesis = group_.parenthesis || byte == '(';
}

void spacer::marker(const text_offset& begin, std::string& out) {
  if (how_ == spacing::untouched || how_ == spacing::kept) return;
  written_.odd_backslashes = false;
  if (group_.open) {
    if (!after_.empty() && !group_.parenthesis) edit(before(begin, after_.size()), begin, {});
    after_.clear();
    group_.separator = false;
    return;
  }
  if (!partial_.empty()) write_partial(out);  // a marker cannot follow an incomplete code point
  group_.open = true;
  if (group_.parenthesis) {
    const std::size_t blanks = trailing_blanks(before_);
    group_.inner_blanks = blanks > 0;
    before_.resize(before_.size() - blanks);
    group_.undecided.start = before(begin, blanks);
  } else {
    pending_.space = how_ == spacing::tidy && (pending_.space || !before_.empty());
    if (!before_.empty()) edit(before(begin, before_.size()), begin, {});
    before_.clear();
  }
}

void spacer::replaced(const text_span& received, const text_offset& size) {
  if (group_.open && group_.parenthesis) {
    group_.undecided.end = received.end;
  } else {
    edit(received.start, received.end, size);
  }
}

void spacer::fixed(std::string_view text, const text_span& opening, std::string& out) {
  if (how_ == spacing::untouched || how_ == spacing::kept) {
    edit(opening.start, opening.end, {});
    out.append(text);
    return;
  }
  settle(out);
  edit(opening.start, opening.end, {});
  emit(text, out);
  if (!partial_.empty()) write_partial(out);  // an incomplete code point: the following marker decides
  written_.line_start = pending_.drop_blanks = written_.odd_backslashes = false;
}

void spacer::expect_fixed(std::string_view text, std::string& out) {
  if (how_ == spacing::untouched || how_ == spacing::kept) return;
  settle(out);
  if (!pending_.space || written_.line_start || starts_with_closer(text) != closer::no) return;
  insert_space(out);  // even if only the `<` of the marker has come
  pending_.space = false;
}

/// Appends what is buffered, because the following text is neither a marker nor blank.
void spacer::settle(std::string& out) {
  if (!partial_.empty()) {
    flush(out);
    return;
  }
  if (group_.open) end_group(out);
  emit(before_, out);
  before_.clear();
  group_.parenthesis = false;
}

void spacer::flush(std::string& out) {
  if (group_.open) end_group(out);
  emit(before_, out);
  before_.clear();
  group_.parenthesis = false;
  if (!partial_.empty()) write_partial(out);
  write_removed(no_limit);
}

void spacer::insert_space(std::string& out) {
  out += ' ';
  edit(edits_.input(), edits_.input(), {1, 1, 1});
}

/// Writes an incomplete code point, with a space before it, because it can no longer turn out to be a closer.
void spacer::write_partial(std::string& out) {
  pending_.space = false;
  insert_space(out);
  out += partial_;
  note_line(partial_);
  partial_.clear();
}

/// Appends text, with a space before it if one is pending.
void spacer::emit(std::string_view text, std::string& out) {
  if (text.empty()) return;
  if (!pending_.space) {
    out.append(text);
    note_line(text);
    return;
  }
  partial_.append(text.substr(0, 3));  // no closing character is longer
  const closer first = starts_with_closer(partial_);
  const std::size_t taken = std::min<std::size_t>(text.size(), 3);
  if (first == closer::cut && taken == text.size()) return;
  pending_.space = false;
  if (first == closer::no && !written_.line_start) insert_space(out);
  out += partial_;
  note_line(partial_);
  partial_.clear();
  out.append(text.substr(taken));
  note_line(text.substr(taken));
}

void spacer::note_line(std::string_view text) noexcept {
  for (std::size_t i = text.size(); i > 0; --i) {
    if (is_blank(text[i - 1])) continue;
    written_.line_start = is_line_break(text[i - 1]);
    return;
  }
}

void spacer::reset() noexcept {
  before_.clear();
  after_.clear();
  partial_.clear();
  edits_.reset();
  removed_.clear();
  abandoned_ = 0;
  group_ = {};
  pending_ = {};
  written_ = {};
}

}  // namespace citestream

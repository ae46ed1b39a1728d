// How the white space around markers is tidied.
//
// The rules are in spacer.hpp. Text is taken in one of two states:
//
// - Outside a group. plain_text() writes everything except a tail that would be removed if a marker followed:
//   blanks, or blanks and an opening parenthesis. This tail is kept in `lead_`. The next text decides: it is
//   written before text, and begin_marker() removes it and starts a group. A parenthesis in it stays until
//   the end of the group is known.
// - In a group. group_text() buffers blanks and a separator in `trail_`. If another marker follows, `trail_`
//   is removed and the group continues; between two markers that are printed, it stays. If the parenthesis is
//   closed, the group is removed with both parentheses. Any other text ends the group: `trail_` is then
//   treated as text outside a group.
//
// Removed blanks are replaced by one space, unless the next character needs none. This character may be cut,
// so its first bytes are kept in `partial_`.
//
// At most `bound_` bytes are buffered. At the limit they are written, at the same byte however the text is
// divided. The cost is linear.
#include "spacer.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

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

// White space (Unicode's White_Space) and closing punctuation: ASCII, typographic, full-width and CJK. No
// space is inserted before these.
constexpr std::string_view ascii_closers = " \t\n\r\v\f.,;:!?)]}\"'";
constexpr std::string_view wide_closers[] = {
    "\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
    "\u2006", "\u2007", "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F",
    "\u3000", "’",      "”",      "»",      "…",      "›",      "．",     "，",     "；",
    "：",     "！",     "？",     "）",     "］",     "｝",     "＂",     "＇",     "。",
    "、",     "」",     "』",     "】",     "》",     "〉"};

constexpr std::size_t longest_closer = 3;

/// Whether a text starts with one of these characters. `cut`: its bytes are the first bytes of one.
enum class closer : std::uint8_t { no, yes, cut };

closer starts_with_closer(std::string_view text) {
  if (ascii_closers.find(text.front()) != std::string_view::npos) return closer::yes;
  if (static_cast<unsigned char>(text.front()) < 0x80) return closer::no;
  for (const std::string_view one : wide_closers) {
    if (text.substr(0, one.size()) == one) return closer::yes;
    if (one.substr(0, text.size()) == text) return closer::cut;
  }
  return closer::no;
}

}  // namespace

void spacer::text(std::string_view run, bool code, std::string& out) {
  if (keeps_blanks()) {
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

/// Records the edits of removed markers that end at or before the byte \p until of the received text.
void spacer::write_removed(std::uint64_t until) {
  auto next = removed_.begin();
  for (; next != removed_.end() && next->end.utf8 <= until; ++next) {
    edits_.replace(next->start, next->end, {});
  }
  removed_.erase(removed_.begin(), next);
}

/// Records that part of the received text was replaced. Includes the removed markers inside it.
void spacer::edit(text_offset begin, text_offset end, text_offset size) {
  write_removed(begin.utf8);
  edits_.replace(begin, end, size);
  std::erase_if(removed_, [&](const text_span& one) { return one.end.utf8 <= end.utf8; });
}

/// Returns the start of \p bytes of buffered ASCII that end at \p position. Skips removed markers between
/// them.
text_offset spacer::buffered_before(const text_offset& position, std::size_t bytes) const noexcept {
  text_offset at = position;
  for (const text_span& one : std::views::reverse(removed_)) {
    if (one.end.utf8 > at.utf8) continue;
    const std::size_t between = at.utf8 - one.end.utf8;
    if (between >= bytes) break;
    bytes -= between;
    at = one.start;
  }
  return at - ascii::size_of(bytes);
}

/// Returns the end of \p bytes of buffered ASCII that start at \p position. Skips removed markers between
/// them.
text_offset spacer::buffered_after(const text_offset& position, std::size_t bytes) const noexcept {
  text_offset at = position;
  for (const text_span& one : removed_) {
    if (one.start.utf8 < at.utf8) continue;
    const std::size_t between = one.start.utf8 - at.utf8;
    if (between >= bytes) break;
    bytes -= between;
    at = one.end;
  }
  return at + ascii::size_of(bytes);
}

std::uint64_t spacer::decided() const noexcept {
  std::uint64_t first = no_limit;
  if (!removed_.empty()) first = removed_.front().start.utf8;
  if (group_.open && group_.parenthesis) first = std::min(first, group_.undecided.start.utf8);
  return first;
}

text_offset spacer::written(const text_offset& received) const noexcept {
  const bool undecided = group_.open && group_.parenthesis;  // its parenthesis is buffered before the group
  const std::size_t buffered = undecided ? lead_.size() : lead_.size() + trail_.size();
  return edits_.place(buffered_before(undecided ? group_.undecided.start : received, buffered),
                      undecided ? edit_side::before : edit_side::after);
}

bool spacer::idle() const noexcept {
  if (keeps_blanks()) return true;
  return removed_.empty() && !group_.open && !pending_.drop_blanks && !pending_.space &&
         !group_.parenthesis && !written_.line_start && !written_.odd_backslashes && partial_.empty();
}

/// Takes the start of \p run as long as it may belong to the group. Returns the number of bytes taken.
std::size_t spacer::group_text(std::string_view run, std::string& out) {
  for (std::size_t i = 0; i < run.size(); ++i) {
    const char byte = run[i];
    const bool separates = (byte == ',' || byte == ';') && !group_.separator;
    if (group_.parenthesis && byte == ')' && !group_.separator) {
      remove_parentheses();
      return i + 1;
    }
    if ((!is_blank(byte) && !separates) || !(tidies() || rules_.drops)) {
      end_group(out);
      return i;
    }
    if (held() >= bound_) {
      ++abandoned_;
      flush(out);
      return i;
    }
    group_.separator = group_.separator || separates;
    trail_ += byte;
  }
  return run.size();
}

/// Removes the group with its parentheses and the blanks before them. The closing one has just arrived.
void spacer::remove_parentheses() {
  const text_offset begin = buffered_before(group_.undecided.start, lead_.size());
  const text_offset end = buffered_after(group_.undecided.end, trail_.size() + 1);
  edit(begin, end, {});
  pending_.space = pending_.space || lead_.front() != '(';  // blanks in front of the parenthesis
  pending_.drop_blanks = written_.line_start;
  group_ = {};
  lead_.clear();
  trail_.clear();
  written_.odd_backslashes = false;
}

/// Ends a group that has no closing parenthesis. Writes its opening parenthesis, if any.
void spacer::end_group(std::string& out) {
  const bool tidied = tidies();
  group_.open = group_.separator = group_.dropped = false;
  if (group_.parenthesis) {
    write_lead(out);
    edit(group_.undecided.start, group_.undecided.end, {});
    pending_.space = group_.blanks;
  } else {
    pending_.drop_blanks = tidied && written_.line_start;
  }
  if (trail_.empty()) return;
  std::string rest;
  rest.swap(trail_);
  plain_text(rest, false, out);
  rest.clear();
  trail_.swap(rest);  // keeps the capacity
}

/// Returns true if a backslash escapes the character at \p at.
bool spacer::escaped(std::string_view run, std::size_t at) const noexcept {
  std::size_t backslashes = 0;
  while (backslashes < at && run[at - 1 - backslashes] == '\\') ++backslashes;
  const bool one_before_run = backslashes == at && written_.odd_backslashes;
  return (backslashes % 2 == 1) != one_before_run;
}

/// Finds the part at the end of \p run, which is outside a group, that a marker after it would remove.
spacer::removable_tail spacer::tail_of(std::string_view run) const noexcept {
  const std::size_t last = run.size() - trailing_blanks(run);
  const bool opens = rules_.may_unwrap && last > 0 && run[last - 1] == '(' && !escaped(run, last - 1);
  if (!opens) return {last, std::string_view::npos};
  const std::size_t blanks = trailing_blanks(run.substr(0, last - 1));
  return {last - 1 - blanks, blanks};
}

/// Takes text outside a group. Writes everything except its removable tail.
void spacer::plain_text(std::string_view run, bool code, std::string& out) {
  if (pending_.drop_blanks) {
    const std::size_t blanks = leading_blanks(run);
    if (blanks > 0) edit(edits_.input(), buffered_after(edits_.input(), blanks), {});
    run.remove_prefix(blanks);
    if (run.empty()) return;
    pending_.drop_blanks = false;
  }
  const removable_tail tail = code ? removable_tail{run.size()} : tail_of(run);
  written_.odd_backslashes = tail.begin == run.size() && escaped(run, run.size());
  if (tail.begin > 0) {
    write_lead(out);
    emit(run.substr(0, tail.begin), out);
  } else if (group_.parenthesis && tail.parenthesis != std::string_view::npos) {
    keep_blanks_of_lead(out);
  }
  if (tail.begin < run.size()) hold(run.substr(tail.begin), tail.parenthesis, out);
}

/// A second parenthesis follows the one in `lead_`. Writes the first one. The blanks between them may still
/// be removed.
void spacer::keep_blanks_of_lead(std::string& out) {
  const std::size_t end = lead_.size() - trailing_blanks(lead_);
  emit(std::string_view(lead_).substr(0, end), out);
  lead_.erase(0, end);
  group_.parenthesis = false;
}

/// Buffers `tail`: blanks, with a `(` at `parenthesis`. Indentation is written at once.
void spacer::hold(std::string_view tail, std::size_t parenthesis, std::string& out) {
  if (rules_.how == spacing::tidy && written_.line_start && !group_.parenthesis) {
    const std::size_t indent = std::min(tail.size(), parenthesis);
    write_lead(out);
    emit(tail.substr(0, indent), out);
    tail.remove_prefix(indent);
    if (tail.empty()) return;
  }
  if (held() + tail.size() <= bound_) {
    lead_.append(tail);
    group_.parenthesis = group_.parenthesis || parenthesis != std::string_view::npos;
    return;
  }
  for (const char byte : tail) hold_byte(byte, out);
}

/// Buffers byte by byte, so that the limit is reached at the same byte however the text is divided.
void spacer::hold_byte(char byte, std::string& out) {
  if (held() >= bound_) {
    ++abandoned_;
    write_lead(out);
    write_removed(no_limit);
  }
  lead_ += byte;
  group_.parenthesis = group_.parenthesis || byte == '(';
}

void spacer::begin_marker(const text_offset& begin, bool prints, std::string& out) {
  if (keeps_blanks()) return;
  written_.odd_backslashes = false;
  if (prints && rules_.drops) {
    if (group_.open && !group_.dropped) end_group(out);  // what separates printed markers stays
    begin_printed(begin, out);
  }
  if (group_.open) {
    if (!trail_.empty() && !group_.parenthesis) edit(buffered_before(begin, trail_.size()), begin, {});
    trail_.clear();
    group_.separator = false;
    if (rules_.keeps_lead && prints && std::exchange(group_.blanks, false)) insert_space(out);
    return;
  }
  if (!partial_.empty()) write_partial(out);  // a marker cannot follow an incomplete code point
  const std::size_t blanks = trailing_blanks(lead_);
  const bool keeps = rules_.keeps_lead && prints;
  group_.open = true;
  group_.dropped = rules_.drops && !prints;
  group_.blanks = blanks > 0 && !keeps;
  if (keeps) return write_lead(out);
  if (group_.dropped && written_.line_start) {  // the blanks after the group are removed, not its indentation
    const std::size_t indent = lead_.find_first_not_of(" \t");
    emit(std::string_view(lead_).substr(0, indent), out);
    lead_.erase(0, indent);
    if (lead_.empty()) group_.blanks = false;
  }
  if (group_.parenthesis) {
    lead_.resize(lead_.size() - blanks);
    group_.undecided.start = buffered_before(begin, blanks);
  } else {
    pending_.space = tidies() && (pending_.space || !lead_.empty());
    if (!lead_.empty()) edit(buffered_before(begin, lead_.size()), begin, {});
    lead_.clear();
  }
}

/// Something will be printed for the marker at \p begin: the parenthesis before it stays. Markers of its
/// group that printed nothing are removed with the separators after them.
void spacer::begin_printed(const text_offset& begin, std::string& out) {
  group_.dropped = false;
  if (group_.open && group_.parenthesis) {
    write_lead(out);
    edit(group_.undecided.start, begin, {});
    trail_.clear();
    group_.separator = false;
  } else if (group_.parenthesis) {
    keep_blanks_of_lead(out);
  }
  if (!std::exchange(pending_.space, false)) return;
  if (rules_.keeps_lead && !group_.blanks && lead_.empty()) insert_space(out);
}

void spacer::end_marker(const text_span& received, const text_offset& size) {
  if (size.utf8 > 0) written_.line_start = false;
  if (group_.open && group_.parenthesis) {
    group_.undecided.end = received.end;
  } else {
    edit(received.start, received.end, size);
  }
}

void spacer::inner(std::string_view text, const text_span& opening, std::string& out) {
  if (keeps_blanks()) {
    edit(opening.start, opening.end, {});
    out.append(text);
    return;
  }
  release(out);
  edit(opening.start, opening.end, {});
  emit(text, out);
  if (!partial_.empty()) write_partial(out);  // an incomplete code point: the following marker decides
  written_.line_start = pending_.drop_blanks = written_.odd_backslashes = false;
}

void spacer::expect_inner(std::string_view text, std::string& out) {
  if (keeps_blanks()) return;
  release(out);
  if (!pending_.space || written_.line_start || starts_with_closer(text) != closer::no) return;
  insert_space(out);  // even if only the `<` of the marker has come
  pending_.space = false;
}

/// Appends what is buffered, because the following text is neither a marker nor blank.
void spacer::release(std::string& out) {
  if (!partial_.empty()) return flush(out);
  if (group_.open) end_group(out);
  write_lead(out);
}

void spacer::flush(std::string& out) {
  if (group_.open) end_group(out);
  write_lead(out);
  if (!partial_.empty()) write_partial(out);
  write_removed(no_limit);
}

/// Writes the text buffered before a marker that did not come.
void spacer::write_lead(std::string& out) {
  emit(lead_, out);
  lead_.clear();
  group_.parenthesis = false;
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
  const std::size_t taken = std::min(text.size(), longest_closer);
  partial_.append(text.substr(0, taken));
  const closer first = starts_with_closer(partial_);
  if (first == closer::cut && taken == text.size()) return;  // its next byte decides
  pending_.space = false;
  if (first == closer::no && !written_.line_start) insert_space(out);
  out += partial_;
  note_line(partial_);
  partial_.clear();
  out.append(text.substr(taken));
  note_line(text.substr(taken));
}

/// Notes whether text that was written ends at the start of a line.
void spacer::note_line(std::string_view text) noexcept {
  for (std::size_t i = text.size(); i > 0; --i) {
    if (is_blank(text[i - 1])) continue;
    written_.line_start = is_line_break(text[i - 1]);
    return;
  }
}

void spacer::reset() noexcept {
  lead_.clear();
  trail_.clear();
  partial_.clear();
  edits_.reset();
  removed_.clear();
  abandoned_ = 0;
  group_ = {};
  pending_ = {};
  written_ = {};
}

}  // namespace citestream

// How claims are found while the text streams.
//
// Text is divided into segments: sentences, headings, list items, table rows. `current_` is the segment being
// read and `last_` the one before it; the claim of a marker is one of these two. Only their positions are
// kept, never their text, so memory is constant.
//
// After a full stop and a blank, the next character decides (Unicode's UAX 29, SB8): a lower-case letter
// continues the sentence (`e.g. this`, `Inc. agreed`), and so do some words before the full stop
// (abbreviation.hpp). Until then the sentence is still the current one.
//
// A code point either continues the current segment (content()), ends it (end_sentence(), boundary()), or may
// start a block. Whether `-`, `1.`, `##` or "```" starts a block is known only some characters later. Until
// then these characters count as text, and line_progress keeps the segments as they were before them. If they
// do start a block, enter_mark() goes back to those segments.
//
// Two shortcuts make this cheap. text() only copies small deltas into a buffer, which is read when it is full
// or when the result is needed. plain_run() takes bytes that can end neither a sentence nor a line, as many
// as there are, in one step.

#include "claim.hpp"

#include <algorithm>
#include <initializer_list>

#include "abbreviation.hpp"
#include "base/ascii.hpp"
#include "base/characters.hpp"
#include "base/code_point.hpp"
#include "sentence_marks.hpp"

namespace citestream {
namespace {

/// Longest run of digits that numbers a list item (CommonMark 0.31, 5.2), and of `#` (4.2).
constexpr std::uint32_t max_item_digits = 9;
constexpr std::uint32_t max_heading_marks = 6;
constexpr std::uint32_t min_fence_marks = 3;
/// Longest text, in bytes, that only introduces a source (`As we learned from`), or only refers to one
/// (`(Source:`).
constexpr std::uint64_t max_lead_in = 24;
constexpr std::uint64_t max_reference = 10;

[[nodiscard]] constexpr bool is_digit(char32_t c) noexcept {
  return c >= U'0' && c <= U'9';
}

/// Returns true for a letter, a digit or invalid UTF-8, so that no byte is missing from a claim.
[[nodiscard]] bool is_word(char32_t c) noexcept {
  return !is_separator(c) || c == U'\uFFFD';
}

[[nodiscard]] constexpr bool opens_bracket(char32_t c) noexcept {
  return c == U'(' || c == U'[' || c == U'\uFF08' || c == U'\uFF3B';
}

/// What a byte can be in the middle of a line and of a sentence.
constexpr unsigned not_white = 1;
constexpr unsigned in_word = 2;
constexpr unsigned not_ascii = 4;
constexpr unsigned not_plain = 8;  ///< may end a line or a sentence, or the next bytes decide what it is

/// Returns true if code points that start with \p lead may be separators or an overlong encoding of ASCII.
[[nodiscard]] constexpr bool leads_to_separators(std::uint32_t lead) noexcept {
  const bool greek_or_arabic = lead == 0xCD || lead == 0xCE || lead == 0xD8 || lead == 0xDB;
  return within(lead, 0xC0, 0xC2) || greek_or_arabic || within(lead, 0xE0, 0xE3) || lead >= 0xEE;
}

constexpr std::array<std::uint8_t, 256> byte_kinds = []() {  // without () cppcheck 2.10 gives up
  std::array<std::uint8_t, 256> kinds{};
  for (std::uint32_t byte = 0; byte < kinds.size(); ++byte) {
    const bool narrow = byte < 0x80;
    const bool word = narrow ? !is_separator(byte) : !leads_to_separators(byte);
    const bool ends =
        narrow ? byte == '\n' || byte == '\r' || is_terminator(byte) : leads_to_separators(byte);
    const bool white = narrow && is_white_space(byte);
    kinds[byte] = static_cast<std::uint8_t>((white ? 0 : not_white) | (word ? in_word : 0) |
                                            (narrow ? 0 : not_ascii) | (ends ? not_plain : 0));
  }
  return kinds;
}();

[[nodiscard]] unsigned kind_of(char byte) noexcept {
  return byte_kinds[static_cast<unsigned char>(byte)];
}

[[nodiscard]] bool is_text(char byte) noexcept {
  return (kind_of(byte) & not_white) != 0;
}

/// Returns the end of the plain bytes at the front. Adds their kinds to \p seen.
[[nodiscard]] const char* skip_plain(const char* at, const char* end, unsigned& seen) noexcept {
  for (; end - at >= 8; at += 8) {
    const unsigned eight = kind_of(at[0]) | kind_of(at[1]) | kind_of(at[2]) | kind_of(at[3]) |
                           kind_of(at[4]) | kind_of(at[5]) | kind_of(at[6]) | kind_of(at[7]);
    if ((eight & not_plain) != 0) break;
    seen |= eight;
  }
  for (; at != end && (kind_of(*at) & not_plain) == 0; ++at) seen |= kind_of(*at);
  return at;
}

/// Returns the end of the code point at the front if it belongs to a word. Otherwise returns \p at:
/// separators, an incomplete code point and invalid UTF-8 must be read byte by byte.
[[nodiscard]] const char* skip_wide(const char* at, const char* end) noexcept {
  const citestream::code_point found = first_code_point({at, end});
  return found.length > 1 && is_word(found.value) ? at + found.length : at;
}

/// A mark of emphasis, or white space of ASCII.
[[nodiscard]] bool is_emphasis(char byte) noexcept {
  return byte == '*' || byte == '_' || !is_text(byte);
}

/// Returns true if \p run ends with a colon, perhaps before emphasis: `**Sources:**`.
[[nodiscard]] bool ends_with_colon(std::string_view run) noexcept {
  if (ascii::is_letter(run.back())) return false;  // nearly always
  while (!run.empty() && is_emphasis(run.back())) run.remove_suffix(1);
  return run.ends_with(':');
}

/// Adds a code point to the end of the text. One byte represents a code point that is in no abbreviation.
void add_to(text_tail& tail, char32_t c) noexcept {
  const auto add = [&tail](std::initializer_list<char32_t> bytes) {
    for (const char32_t byte : bytes) {
      const auto one = static_cast<char>(byte);
      tail.add({&one, 1});
    }
  };
  if (c < 0x80) return add({c});
  if (!is_word(c) && c != U'°') return add({U'"'});
  if (c >= 0x800) return add({0xFF});
  add({0xC0U | c >> 6U, 0x80U | (c & 0x3FU)});
}

}  // namespace

void claim_tracker::make_room(std::string_view bytes) {
  take_buffered();
  if (bytes.size() > buffer_.bytes.size()) return take(bytes);
  bytes.copy(buffer_.bytes.data(), bytes.size());
  buffer_.size = bytes.size();
}

void claim_tracker::take_buffered() {
  take({buffer_.bytes.data(), buffer_.size});
  buffer_.size = 0;
}

/// Advances the position past \p bytes.
void claim_tracker::advance(std::string_view bytes) {
  if (wide_ != nullptr) wide_->add_all(position_, bytes);
  position_.advance(bytes);
}

void claim_tracker::take(std::string_view bytes) {
  if (kept_ != nullptr) kept_->add(bytes);
  while (!bytes.empty()) {
    bytes.remove_prefix(plain_run(bytes));
    if (bytes.empty()) return;
    byte(static_cast<unsigned char>(bytes.front()));
    bytes.remove_prefix(1);
  }
}

/// Takes the bytes at the front that continue the current segment and cannot end it. \return how many
std::size_t claim_tracker::plain_run(std::string_view bytes) {
  if (line_.state != line_state::text || ending_.rule != stop_rule::none || partial_.missing != 0 ||
      line_.rule)
    return 0;
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* at = begin;
  unsigned seen = 0;
  for (;;) {
    at = skip_plain(at, end, seen);
    if (at == end) break;
    const char* const after = skip_wide(at, end);
    if (after == at) break;
    at = after;
    seen |= not_ascii | in_word;
  }
  if (at != begin) append_run({begin, at}, seen);
  return static_cast<std::size_t>(at - begin);
}

/// Appends a plain run, without the white space around it, to the current segment. \p seen: its kinds.
void claim_tracker::append_run(std::string_view run, unsigned seen) {
  const text_offset begin = position_;
  if ((seen & not_ascii) != 0) {
    advance(run);
  } else {
    position_ = begin + ascii::size_of(run.size());
  }
  ending_.tail.add(run);
  const auto last = std::find_if(run.rbegin(), run.rend(), is_text);
  if (last == run.rend()) return;
  if (!current_.any()) {
    const auto first = std::find_if(run.begin(), run.end(), is_text);
    current_.start = begin + ascii::size_of(static_cast<std::size_t>(first - run.begin()));
  }
  if (current_.one_word || !line_.any) current_.one_word = continues_word(run, begin, seen);
  line_.any = true;
  current_.word = current_.word || (seen & in_word) != 0;
  current_.end = position_ - ascii::size_of(static_cast<std::size_t>(last - run.rbegin()));
  const auto inner = std::find_if(last, run.rend(), [](char byte) {
    return is_text(byte) && !opens_bracket(static_cast<unsigned char>(byte));
  });
  if (inner != run.rend())
    inner_end_ = position_ - ascii::size_of(static_cast<std::size_t>(inner - run.rbegin()));
  const std::string_view text(run.begin(), last.base());
  current_.colon = ends_with_colon(text) || (current_.colon && std::ranges::all_of(text, is_emphasis));
}

/// Returns true if the current segment, with this run, is one word of ASCII.
bool claim_tracker::continues_word(std::string_view run, const text_offset& begin,
                                   unsigned seen) const noexcept {
  const auto first = std::ranges::find_if(run, is_text);
  const auto white = std::find_if_not(first, run.end(), is_text);
  const bool joined =
      !current_.any() || begin.utf8 + static_cast<std::size_t>(first - run.begin()) == current_.end.utf8;
  return joined && fence_.mark == 0 && (seen & not_ascii) == 0 &&
         std::find_if(white, run.end(), is_text) == run.end();
}

/// Decodes UTF-8. Invalid bytes count as words, so that no byte is missing from a claim.
void claim_tracker::byte(unsigned char value) {
  const bool continuation = is_continuation(static_cast<char>(value));
  if (!continuation || partial_.missing == 0) flush_partial();
  const text_offset begin = position_;
  if (value >= 0xC0 && wide_ != nullptr) wide_->add(begin, value);
  position_.utf8 += 1;
  position_.codepoint += continuation ? 0 : 1;
  position_.utf16 += continuation ? 0 : value >= 0xF0 ? 2 : 1;
  if (value < 0x80) return code_point(value, begin);
  if (!continuation) {
    partial_.missing = value >= 0xF0 ? 3 : value >= 0xE0 ? 2 : 1;
    partial_.value = value & (0x3FU >> partial_.missing);
    partial_.begin = begin;
    return;
  }
  if (partial_.missing == 0) return code_point(0xFFFD, begin);
  partial_.value = partial_.value << 6U | (value & 0x3FU);
  if (--partial_.missing == 0) code_point(partial_.value, partial_.begin);
}

/// Ends an incomplete code point.
void claim_tracker::flush_partial() noexcept {
  if (partial_.missing == 0) return;
  partial_.missing = 0;
  code_point(0xFFFD, partial_.begin);
}

void claim_tracker::code_point(char32_t c, const text_offset& begin) noexcept {
  if (c == U'\n' || c == U'\r') return end_line(c);
  line_.after_cr = false;
  if (line_.rule && !is_white_space(c)) {
    line_.rule = c == line_.first.mark;
    line_.first.count += line_.rule ? 1U : 0U;
  }
  if (line_.state != line_state::text && line_mark(c)) return;
  content(c, begin);
}

/// Looks for the start of a block at the start of a line. \return true if \p c belongs to a block's mark and
/// therefore to no claim
bool claim_tracker::line_mark(char32_t c) noexcept {
  const bool white = is_white_space(c);
  switch (line_.state) {
    case line_state::start:
      return white || first_of_line(c);
    case line_state::opened:
      line_.state = is_digit(c) ? line_state::digits : is_lower(c) ? line_state::letter : line_state::text;
      return false;
    case line_state::letter:
      line_.state = c == U')' ? line_state::number : line_state::text;
      return false;
    case line_state::digits:
      if (is_digit(c) && ++line_.first.count <= max_item_digits) return false;
      line_.state =
          c == U')' || (c == U'.' && line_.first.mark != U'(') ? line_state::number : line_state::text;
      return false;
    case line_state::hashes:
      if (c == U'#' && ++line_.first.count <= max_heading_marks) return false;
      line_.heading = white;
      [[fallthrough]];
    case line_state::bullet:
    case line_state::number:
      if (white) enter_mark();
      line_.item = white;
      line_.state = !white || line_.heading ? line_state::text
                                            : line_state::start;  // an item may start with another mark
      return white;
    default:
      return fence_mark(c);
  }
}

/// The first character of a line that is not white space.
bool claim_tracker::first_of_line(char32_t c) noexcept {
  if (c == U'>') {
    if (!line_.quoted && !line_.before.quoted && fence_.mark == 0) boundary();
    line_.quoted = true;
    return true;
  }
  line_.first = {.mark = c, .count = 1};
  line_.before_mark = current_;
  line_.last_before_mark = last_;
  line_.state = line_state::text;
  if (fence_.mark != 0) {
    if (c == fence_.mark) line_.state = line_state::closing;
    return false;
  }
  line_.rule = c == U'-' || c == U'*' || c == U'_' || c == U'=';
  if (is_bullet(c)) line_.state = line_state::bullet;
  if (c == U'(') line_.state = line_state::opened;
  if (is_lower(c)) line_.state = line_state::letter;
  if (is_digit(c)) line_.state = line_state::digits;
  if (c == U'#') line_.state = line_state::hashes;
  if ((c == U'`' || c == U'~') && !line_.item) line_.state = line_state::fence;
  if (c == U'|') boundary();
  return c == U'|';
}

/// Reads lines that may open or close a fence (CommonMark 0.31, 4.5). They count as text until they end. Only
/// blanks and `>` may precede a fence, not a bullet; the scanner for markers has the same rule.
bool claim_tracker::fence_mark(char32_t c) noexcept {
  const bool same = c == line_.first.mark;
  if (line_.state == line_state::closing || line_.state == line_state::closed) {
    if (line_.state == line_state::closing && same) {
      ++line_.first.count;
    } else {
      line_.state = is_white_space(c) ? line_state::closed : line_state::text;
    }
  } else if (line_.state == line_state::info) {
    if (same && c == U'`') line_.state = line_state::text;  // inline code, not a fence
  } else if (same) {
    ++line_.first.count;
  } else {
    line_.state = line_.first.count >= min_fence_marks ? line_state::info : line_state::text;
  }
  return false;
}

/// The characters since first_of_line() start a block: the block before them ends where they start.
void claim_tracker::enter_mark() noexcept {
  current_ = line_.before_mark;
  last_ = line_.last_before_mark;
  line_.rule = false;
  const bool starts_here = started_ && !current_.any();  // start_claim() was called directly before the mark
  boundary();
  started_ = starts_here;
}

void claim_tracker::end_line(char32_t c) noexcept {
  const bool second_half = c == U'\n' && line_.after_cr;
  ending_.tail.clear();
  line_.after_cr = false;
  if (second_half) return;
  const bool closes = (line_.state == line_state::closing || line_.state == line_state::closed) &&
                      line_.first.count >= fence_.count;
  if (fence_.mark != 0) {
    if (closes) {
      enter_mark();
      fence_.mark = 0;
    }
  } else if (line_.state == line_state::info ||
             (line_.state == line_state::fence && line_.first.count >= min_fence_marks)) {
    enter_mark();
    fence_ = line_.first;
  } else if (line_.state == line_state::bullet || line_.state == line_state::hashes ||
             (line_.rule && line_.first.count >= 3)) {
    enter_mark();
  } else if (line_.state == line_state::start || line_.heading) {
    boundary();
    if (line_.heading) {  // no marker below it supports a heading, and a list ends there
      last_ = {};
      listing_ = false;
    }
  } else if (ending_.rule != stop_rule::none) {
    end_sentence();
  }
  const line_before before{.quoted = line_.quoted, .blank = line_.state == line_state::start};
  if (!before.blank && line_.before.blank && !line_.marker_first) listing_ = false;
  line_ = {};
  line_.before = before;
  line_.after_cr = c == U'\r';
}

/// Takes a character of text, which continues the sentence or ends the one before.
void claim_tracker::content(char32_t c, const text_offset& begin) noexcept {
  if (is_white_space(c)) {
    if (ending_.rule == stop_rule::full_stop || ending_.rule == stop_rule::unless_lower) {
      ending_.rule = stop_rule::unless_lower;
    } else if (ending_.rule != stop_rule::none) {
      end_sentence();
    } else {
      ending_.tail.add(" ");
    }
    return;
  }
  if (ending_.rule == stop_rule::unless_lower) {
    if (!is_lower(c) && !is_abbreviation(ending_.tail.bytes(), c)) end_sentence();
    ending_ = {};
  }
  if (fence_.mark != 0) return append(c, begin);
  if (is_wide_terminator(c)) {
    ending_.rule = stop_rule::anything;
  } else if (is_terminator(c)) {
    const bool undecided = is_full_stop(c) && current_.word;  // a segment without words cannot continue
    if (ending_.rule != stop_rule::anything)
      ending_.rule = undecided ? stop_rule::full_stop : stop_rule::white_space;
  } else if (ending_.rule != stop_rule::none && !is_closer(c)) {
    if (ending_.rule == stop_rule::anything) end_sentence();
    ending_.rule = stop_rule::none;
  }
  append(c, begin);
}

/// Extends the current segment by \p c, which starts at \p begin.
void claim_tracker::append(char32_t c, const text_offset& begin) noexcept {
  const bool joined = current_.one_word && current_.end.utf8 == begin.utf8;
  current_.one_word = c < 0x80 && fence_.mark == 0 && (joined || (!current_.any() && !line_.any));
  line_.any = true;
  if (!current_.any()) current_.start = begin;
  const bool word = is_word(c);
  current_.word = current_.word || word;
  current_.colon = c == U':' || c == U'\uFF1A' || (current_.colon && (c == U'*' || c == U'_'));
  current_.end = position_;
  if (!opens_bracket(c)) inner_end_ = position_;
  add_to(ending_.tail, c);
}

void claim_tracker::boundary() noexcept {
  if (current_.word) last_ = current_;
  current_ = {};
  ending_ = {};
  started_ = false;
}

void claim_tracker::end_sentence() noexcept {
  if (!started_) return boundary();
  ending_ = {};
}

/// Advances past text that is part of no claim and does not end one.
void claim_tracker::pass(std::string_view bytes) {
  if (kept_ != nullptr) kept_->add(bytes);
  advance(bytes);
}

void claim_tracker::skip(std::string_view bytes) {
  take_buffered();
  flush_partial();
  pass(bytes);
}

void claim_tracker::begin_text() {
  take_buffered();
  flush_partial();
  boundary();
  last_ = {};
  line_ = {};
  fence_ = {};
  listing_ = false;
}

void claim_tracker::start_claim() {
  take_buffered();
  flush_partial();
  boundary();
  started_ = true;
}

/// Returns the segment that a marker at this point follows.
const claim_tracker::segment& claim_tracker::last_sentence() const noexcept {
  return !current_.word && (last_.any() || last_.cited) ? last_ : current_;
}

text_span claim_tracker::sentence() {
  take_buffered();
  flush_partial();
  const segment& last = last_sentence();
  if (!last.any()) return {position_, position_};
  return {last.start, last.end};
}

text_span claim_tracker::claim() {
  take_buffered();
  if (partial_.missing != 0) {
    claim_tracker whole = *this;
    whole.flush_partial();
    return whole.claim();
  }
  const segment& meant = last_sentence();
  if (!meant.any() || begins_entry(meant)) return {position_, position_};
  return &meant == &current_ && !started_ ? claim_of_current() : text_span{meant.start, meant.end};
}

/// Returns the claim of a marker that follows the current segment: see the exceptions in claim.hpp.
text_span claim_tracker::claim_of_current() const noexcept {
  const text_span nothing{position_, position_};
  if (inner_end_.utf8 <= current_.start.utf8) return nothing;
  // `inner_end_` may be after the end if a line mark was taken back.
  const text_span whole{current_.start, inner_end_.utf8 < current_.end.utf8 ? inner_end_ : current_.end};
  const std::uint64_t size = current_.end.utf8 - current_.start.utf8;
  const bool label = current_.one_word && current_.colon;  // on a line of its own
  if (size > max_lead_in || label) return whole;
  if (size <= max_reference && refers(ending_.tail.bytes()))
    return last_.any() && !current_.one_word ? text_span{last_.start, last_.end} : nothing;
  return leads_in(ending_.tail.bytes()) ? nothing : whole;
}

/// Returns true if nothing but the mark of a block precedes this point in its line.
bool claim_tracker::starts_line() const noexcept {
  return line_.state == line_state::start || (line_.first.mark == U'|' && !current_.any());
}

/// Returns true if a marker at this point begins an entry of a list of references. \p before: the text that
/// it would support otherwise.
bool claim_tracker::begins_entry(const segment& before) const noexcept {
  if (!starts_line() || started_) return false;
  if (line_.item || line_.first.mark == U'|') return true;
  if (before.cited) return line_.before.blank;  // on the next line, the markers are one group
  return before.colon || before.one_word || listing_;
}

void claim_tracker::marker(std::string_view rendered) {
  take_buffered();
  flush_partial();
  const text_span supported = claim();
  const bool any = supported.start.utf8 != supported.end.utf8;
  line_.marker_first = line_.marker_first || starts_line();
  listing_ = listing_ || (starts_line() && !any);
  last_ = {.start = supported.start, .end = supported.end, .word = any, .cited = true};
  current_ = {};
  ending_ = {};
  started_ = false;
  pass(rendered);
  line_.state = line_state::text;
  line_.first.mark = 0;
  line_.rule = line_.after_cr = false;
  fence_.mark = 0;  // there are no markers in code, so this was not a fence
}

text_offset claim_tracker::position() const noexcept {
  text_offset end = position_;
  end.advance({buffer_.bytes.data(), buffer_.size});
  return end;
}

void claim_tracker::reset() noexcept {
  kept_text* const kept = kept_;
  *this = {};
  kept_ = kept;
}

}  // namespace citestream

#include "claim.hpp"

namespace citestream {
namespace {

// Longest run of digits that numbers a list item (CommonMark 0.31, 5.2), and of `#` (4.2).
constexpr std::uint32_t max_item_digits = 9;
constexpr std::uint32_t max_heading_marks = 6;
constexpr std::uint32_t min_fence_marks = 3;

[[nodiscard]] constexpr bool is_digit(char32_t c) noexcept {
  return c >= U'0' && c <= U'9';
}

[[nodiscard]] constexpr bool is_ascii_word(char32_t c) noexcept {
  return is_digit(c) || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

/// Unicode's White_Space.
[[nodiscard]] constexpr bool is_white(char32_t c) noexcept {
  if (c < 0x80) return c == U' ' || (c >= U'\t' && c <= U'\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Ends a sentence before white space.
[[nodiscard]] constexpr bool is_terminator(char32_t c) noexcept {
  return c == U'.' || c == U'!' || c == U'?' || c == U'\u2026' || c == U'\uFF0E';
}

/// Ends a sentence anywhere: the ideographic full stop, also at half width, and the full-width `!` and `?`.
[[nodiscard]] bool is_wide_terminator(char32_t c) noexcept {
  return c == U'\u3002' || c == U'\uFF61' || c == U'\uFF01' || c == U'\uFF1F';
}

/// May stand between a terminator and the end of its sentence.
[[nodiscard]] bool is_closer(char32_t c) noexcept {
  switch (c) {
    case U'"':
    case U'\'':
    case U')':
    case U']':
    case U'}':
    case U'*':
    case U'_':
    case U'\u00AB':  // « closes in German
    case U'\u00BB':  // »
    case U'\u2018':  // ‘ closes in German
    case U'\u2019':  // ’
    case U'\u201C':  // “ closes in German
    case U'\u201D':  // ”
    case U'\u203A':  // ›
    case U'\u3009':  // 〉
    case U'\u300B':  // 》
    case U'\u300D':  // 」
    case U'\u300F':  // 』
    case U'\u3011':  // 】
    case U'\u3015':  // 〕
    case U'\uFF09':  // ）
    case U'\uFF3D':  // ］
    case U'\uFF5D':  // ｝
      return true;
    default:
      return false;
  }
}

/// A letter, a digit, a sign of writing: not white space and not punctuation.
[[nodiscard]] bool is_word(char32_t c) noexcept {
  if (c < 0x80) return is_ascii_word(c);
  if (c < 0xC0) {
    return !is_white(c) && c != 0xA1 && c != 0xA7 && c != 0xAB && c != 0xB6 && c != 0xB7 && c != 0xBB &&
           c != 0xBF;
  }
  const bool punctuation = (c >= 0x2000 && c <= 0x206F) || (c >= 0x3000 && c <= 0x3003) ||
                           (c >= 0x3008 && c <= 0x3020) || c == 0x30FB || c == 0xFEFF ||
                           (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) ||
                           (c >= 0xFF3B && c <= 0xFF40) || (c >= 0xFF5B && c <= 0xFF65);
  return !punctuation && !is_white(c);
}

/// What a byte can be in the middle of a line and of a sentence.
constexpr unsigned not_white = 1;
constexpr unsigned in_word = 2;
constexpr unsigned not_ascii = 4;
constexpr unsigned not_plain = 8;  ///< more than this byte is to be known of what starts here

/// Whether a code point that starts with \p lead may be anything but part of a word: white space,
/// punctuation, ASCII in too many bytes. What is no UTF-8 counts as a word, byte by byte.
[[nodiscard]] constexpr bool leads_to_any(std::size_t lead) noexcept {
  return (lead >= 0xC0 && lead <= 0xC2) || (lead >= 0xE0 && lead <= 0xE3) || lead >= 0xEF;
}

constexpr std::array<std::uint8_t, 256> byte_kinds = []() {  // without () cppcheck 2.10 gives up
  std::array<std::uint8_t, 256> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto c = static_cast<char32_t>(i);
    const bool word = i < 0x80 ? is_ascii_word(c) : !leads_to_any(i);
    const bool ends = i < 0x80 ? c == U'\n' || c == U'\r' || is_terminator(c) : leads_to_any(i);
    const bool white = i < 0x80 && is_white(c);
    kinds[i] = static_cast<std::uint8_t>((white ? 0 : not_white) | (word ? in_word : 0) |
                                         (i < 0x80 ? 0 : not_ascii) | (ends ? not_plain : 0));
  }
  return kinds;
}();

[[nodiscard]] unsigned kind_of(char byte) noexcept {
  return byte_kinds[static_cast<unsigned char>(byte)];
}

[[nodiscard]] bool is_text(char byte) noexcept {
  return (kind_of(byte) & not_white) != 0;
}

/// The end of the plain bytes at the front; \p seen gets their kinds.
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

/// The end of the code point at the front, where it neither is white space nor ends a sentence; else \p at:
/// it is to be taken byte by byte, as one that is cut or no UTF-8 is. \p seen gets its kind.
[[nodiscard]] const char* skip_wide(const char* at, const char* end, unsigned& seen) noexcept {
  const auto lead = static_cast<unsigned char>(*at);
  const std::ptrdiff_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC0 || end - at < size) return at;
  char32_t c = lead & (0x7FU >> size);
  for (std::ptrdiff_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(at[i]);
    if ((byte & 0xC0U) != 0x80U) return at;
    c = c << 6U | (byte & 0x3FU);
  }
  const bool word = is_word(c);
  if (!word && (is_white(c) || is_terminator(c) || is_wide_terminator(c) || c < 0x80)) return at;
  seen |= not_ascii | (word ? in_word : 0U);
  return at + size;
}

/// \p offset and \p bytes of ASCII, backwards where these are negative.
[[nodiscard]] text_offset moved(const text_offset& offset, std::ptrdiff_t bytes) noexcept {
  const auto steps = static_cast<std::uint64_t>(bytes);
  return {offset.utf8 + steps, offset.utf16 + steps, offset.codepoint + steps};
}

}  // namespace

/// The text that waits has no room for \p bytes.
void claim_tracker::make_room(std::string_view bytes) noexcept {
  take_waiting();
  if (bytes.size() > waiting_.size()) return take(bytes);
  std::copy(bytes.begin(), bytes.end(), waiting_.begin());
  waits_ = bytes.size();
}

void claim_tracker::take_waiting() noexcept {
  take({waiting_.data(), waits_});
  waits_ = 0;
}

void claim_tracker::take(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    bytes.remove_prefix(plain_run(bytes));
    if (bytes.empty()) return;
    byte(static_cast<unsigned char>(bytes.front()));
    bytes.remove_prefix(1);
  }
}

/// Takes what is at the front at once as far as nothing else can happen than that the claim goes on: no line
/// and no sentence ends. \return how many bytes.
std::size_t claim_tracker::plain_run(std::string_view bytes) noexcept {
  if (line_ != line::text || ending_ != ending::none || missing_ != 0 || rule_) return 0;
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* at = begin;
  unsigned seen = 0;
  for (;;) {
    at = skip_plain(at, end, seen);
    if (at == end) break;
    const char* const behind = skip_wide(at, end, seen);
    if (behind == at) break;
    at = behind;
  }
  if (at != begin) append_run({begin, at}, seen);
  return static_cast<std::size_t>(at - begin);
}

/// A plain run belongs to the current segment, but for the white space around it. \p seen: what is in it.
void claim_tracker::append_run(std::string_view run, unsigned seen) noexcept {
  const text_offset begin = position_;
  if ((seen & not_ascii) != 0) {
    position_.advance(run);
  } else {
    position_ = moved(begin, static_cast<std::ptrdiff_t>(run.size()));
  }
  const auto last = std::find_if(run.rbegin(), run.rend(), is_text);
  if (last == run.rend()) return;
  if (!current_.any) {
    current_.start = moved(begin, std::find_if(run.begin(), run.end(), is_text) - run.begin());
  }
  current_.any = true;
  current_.word = current_.word || (seen & in_word) != 0;
  current_.end = moved(position_, run.rbegin() - last);
}

/// Puts code points together. What is no UTF-8 counts as a word, so that no byte is lost to a claim.
void claim_tracker::byte(unsigned char value) noexcept {
  const bool continuation = (value & 0xC0U) == 0x80U;
  if (!continuation || missing_ == 0) flush_partial();
  const text_offset begin = position_;
  position_.utf8 += 1;
  position_.codepoint += continuation ? 0 : 1;
  position_.utf16 += continuation ? 0 : value >= 0xF0 ? 2 : 1;
  if (value < 0x80) return code_point(value, begin);
  if (!continuation) {
    missing_ = value >= 0xF0 ? 3 : value >= 0xE0 ? 2 : 1;
    partial_ = value & (0x3FU >> missing_);
    partial_begin_ = begin;
    return;
  }
  if (missing_ == 0) return code_point(0xFFFD, begin);
  partial_ = partial_ << 6U | (value & 0x3FU);
  if (--missing_ == 0) code_point(partial_, partial_begin_);
}

/// A code point whose bytes will not come.
void claim_tracker::flush_partial() noexcept {
  if (missing_ == 0) return;
  missing_ = 0;
  code_point(0xFFFD, partial_begin_);
}

void claim_tracker::code_point(char32_t c, const text_offset& begin) noexcept {
  if (c == U'\n' || c == U'\r') return end_line(c);
  carriage_return_ = false;
  if (rule_ && !is_white(c)) {
    rule_ = c == mark_;
    mark_count_ += rule_ ? 1U : 0U;
  }
  if (line_ != line::text && line_mark(c, begin)) return;
  content(c, begin);
}

/// Looks for a block's mark at the start of a line. What could become one counts as text until it has; then
/// `before_mark_` is taken up again. \return whether \p c is part of a mark and of no claim.
bool claim_tracker::line_mark(char32_t c, const text_offset& begin) noexcept {
  const bool white = is_white(c);
  switch (line_) {
    case line::start:
      return white || first_of_line(c, begin);
    case line::digits:
      if (is_digit(c) && ++mark_count_ <= max_item_digits) return false;
      line_ = c == U'.' || c == U')' ? line::number : line::text;
      return false;
    case line::hashes:
      if (c == U'#' && ++mark_count_ <= max_heading_marks) return false;
      heading_ = white;
      [[fallthrough]];
    case line::bullet:
    case line::number:
      if (white) enter_mark();
      item_ = white;
      line_ = !white || heading_ ? line::text : line::start;  // in an item another mark may follow
      return white;
    default:
      return fence_mark(c);
  }
}

/// The first character of a line that is not white space.
bool claim_tracker::first_of_line(char32_t c, const text_offset& begin) noexcept {
  if (c == U'>') {
    if (!quoted_ && !quoted_before_ && fence_ == 0) boundary();
    quoted_ = true;
    return true;
  }
  mark_ = c;
  mark_count_ = 1;
  mark_begin_ = begin;
  before_mark_ = current_;
  last_before_mark_ = last_;
  line_ = line::text;
  if (fence_ != 0) {
    if (c == fence_) line_ = line::closing;
    return false;
  }
  rule_ = c == U'-' || c == U'*' || c == U'_' || c == U'=';
  if (c == U'-' || c == U'*' || c == U'+') line_ = line::bullet;
  if (is_digit(c)) line_ = line::digits;
  if (c == U'#') line_ = line::hashes;
  if ((c == U'`' || c == U'~') && !item_) line_ = line::fence;
  if (c == U'|') boundary();
  return c == U'|';
}

/// The lines that open and close a fence (CommonMark 0.31, 4.5). They are text until they end. A fence starts
/// behind blanks and `>` only, not behind a bullet, as where markers are looked for.
bool claim_tracker::fence_mark(char32_t c) noexcept {
  const bool same = c == mark_;
  if (line_ == line::closing || line_ == line::closed) {
    if (line_ == line::closing && same) {
      ++mark_count_;
    } else {
      line_ = is_white(c) ? line::closed : line::text;
    }
  } else if (line_ == line::info) {
    if (same && c == U'`') line_ = line::text;  // inline code, not a fence
  } else if (same) {
    ++mark_count_;
  } else {
    line_ = mark_count_ >= min_fence_marks ? line::info : line::text;
  }
  return false;
}

/// What began at `mark_begin_` is a mark: the block before ends there.
void claim_tracker::enter_mark() noexcept {
  current_ = before_mark_;
  last_ = last_before_mark_;
  rule_ = false;
  const bool starts_here = started_ && !current_.any;  // the answer said so in front of the mark
  boundary();
  started_ = starts_here;
}

void claim_tracker::end_line(char32_t c) noexcept {
  const bool second_half = c == U'\n' && carriage_return_;
  carriage_return_ = c == U'\r';
  if (second_half) return;
  const bool closes = (line_ == line::closing || line_ == line::closed) && mark_count_ >= fence_count_;
  if (fence_ != 0) {
    if (closes) {
      enter_mark();
      fence_ = 0;
    }
  } else if (line_ == line::info || (line_ == line::fence && mark_count_ >= min_fence_marks)) {
    enter_mark();
    fence_ = mark_;
    fence_count_ = mark_count_;
  } else if (line_ == line::bullet || line_ == line::hashes || (rule_ && mark_count_ >= 3)) {
    enter_mark();
  } else if (line_ == line::start || heading_) {
    boundary();
  } else if (ending_ != ending::none) {
    end_sentence();
  }
  line_ = line::start;
  quoted_before_ = quoted_;
  quoted_ = item_ = rule_ = heading_ = false;
}

/// A character of text: ends the sentence before it or goes on with it.
void claim_tracker::content(char32_t c, const text_offset& begin) noexcept {
  if (is_white(c)) {
    if (ending_ != ending::none) end_sentence();
    return;
  }
  if (fence_ != 0) return append(begin, is_word(c));
  if (is_wide_terminator(c)) {
    ending_ = ending::anything;
  } else if (is_terminator(c)) {
    if (ending_ == ending::none) ending_ = ending::white_space;
  } else if (ending_ != ending::none && !is_closer(c)) {
    if (ending_ == ending::anything) end_sentence();
    ending_ = ending::none;
  }
  append(begin, is_word(c));
}

/// The text from \p begin to the position belongs to the current segment.
void claim_tracker::append(const text_offset& begin, bool word) noexcept {
  if (!current_.any) current_.start = begin;
  current_.any = true;
  current_.word = current_.word || word;
  current_.end = position_;
}

void claim_tracker::boundary() noexcept {
  if (current_.word) last_ = current_;
  current_ = {};
  ending_ = ending::none;
  started_ = false;
}

void claim_tracker::end_sentence() noexcept {
  if (!started_) return boundary();
  ending_ = ending::none;
}

void claim_tracker::skip(std::string_view bytes) noexcept {
  take_waiting();
  flush_partial();
  position_.advance(bytes);
}

void claim_tracker::start_claim() noexcept {
  take_waiting();
  flush_partial();
  boundary();
  started_ = true;
}

text_span claim_tracker::claim() noexcept {
  take_waiting();
  if (missing_ != 0) {
    claim_tracker whole = *this;
    whole.flush_partial();
    return whole.claim();
  }
  const segment& meant = !current_.word && last_.any ? last_ : current_;
  if (!meant.any) return {position_, position_};
  return {meant.start, meant.end};
}

std::array<text_offset, 8> claim_tracker::ends() noexcept {
  take_waiting();
  return {last_.start,        last_.end,        current_.start,          current_.end,
          before_mark_.start, before_mark_.end, last_before_mark_.start, last_before_mark_.end};
}

void claim_tracker::marker(std::string_view rendered) noexcept {
  take_waiting();
  flush_partial();
  const text_span supported = claim();
  const bool any = current_.any || last_.any;
  last_ = {supported.start, supported.end, any, any};
  current_ = {};
  ending_ = ending::none;
  started_ = false;
  position_.advance(rendered);
  line_ = line::text;
  rule_ = carriage_return_ = false;
  fence_ = 0;  // code holds no markers: this was none
}

text_offset claim_tracker::position() const noexcept {
  text_offset behind = position_;
  behind.advance({waiting_.data(), waits_});
  return behind;
}

void claim_tracker::reset() noexcept {
  *this = {};
}

}  // namespace citestream

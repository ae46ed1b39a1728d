// `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, full-width `［1］`, lenticular `【1】`, and `[[1]](url)`, which gives
// number and URL: Perplexity, xAI, most RAG prompts.
//
// One candidate at a time, as in candidate.hpp, with two additions. `[[1]` may become `[[1]](url)`; if it
// does not, the inner `[1]` is the marker, unless `![[1]](` starts an image. `[1]` and `[^1]` are not markers
// at the start of a line if `:` follows (a definition), or after `!` if `(` follows (an image); they are held
// back until the next byte decides.
//
// The candidate so far is in a recogniser_state, which the scanner keeps between bytes and which is the same
// for all grammars. `memory` gives its slots the names that they have here.

#include <citestream/marker/grammar.hpp>

#include <charconv>
#include <string>

#include "candidate.hpp"

namespace citestream {
namespace numeric {
namespace {

constexpr std::uint32_t max_digits = 10;      ///< of one number
constexpr std::uint32_t max_list_bytes = 64;  ///< of all numbers of one marker
constexpr std::uint64_t max_range = 64;       ///< numbers in one range
constexpr std::string_view en_dash = "\u2013";

struct bracket_pair {
  std::string_view open;
  std::string_view close;
};
constexpr bracket_pair brackets[] = {{"[", "]"}, {"\uFF3B", "\uFF3D"}, {"\u3010", "\u3011"}};

enum phase : std::uint8_t {
  opening = 1,      ///< in the opening bracket
  number,           ///< a digit must follow
  digits,           ///< in a number
  blank,            ///< after a separator
  dash,             ///< in an en dash
  closing,          ///< in the closing bracket
  decided_by_next,  ///< after a complete marker, which is not one if `forbidden_next` follows
  double_closing,   ///< `[[1]`: `]` makes it the double form
  double_open,      ///< `[[1]]`: `(` must follow
  url,              ///< in the URL
};

/// How the marker starts.
enum opening_form : std::uint32_t {
  one_bracket,
  two_brackets,  ///< `[[`
  in_image,      ///< `![[`
};

/// Names of this grammar for the slots of recogniser_state. Names that are used only in the URL (url_memory)
/// share slots with names that are used only before it.
struct memory {
  std::uint64_t& begin;       ///< of the marker
  std::uint64_t& list_begin;  ///< of the numbers, without brackets
  std::uint64_t& list_end;    ///< of the numbers, without brackets
  std::uint32_t& bracket;     ///< index of the pair of brackets
  std::uint32_t& form;        ///< an opening_form
  // Only up to the URL.
  std::uint64_t& value;           ///< of the current number
  std::uint64_t& range_first;     ///< in the second number of a range: the first number
  std::uint32_t& in_range;        ///< the current number is the second one of a range
  std::uint32_t& bytes;           ///< bytes of the current bracket or dash, or digits of the current number
  std::uint32_t& caret;           ///< the marker starts with `[^`
  std::uint32_t& forbidden_next;  ///< if not 0, the text is not a marker if this byte follows it

  explicit memory(recogniser_state& s)
      : begin(s.position[0]),
        list_begin(s.position[1]),
        list_end(s.position[2]),
        bracket(s.count[0]),
        form(s.count[2]),
        value(s.position[3]),
        range_first(s.position[4]),
        in_range(s.count[5]),
        bytes(s.count[1]),
        caret(s.count[3]),
        forbidden_next(s.count[4]) {}
};

/// The same for the slots that are used in the URL.
struct url_memory {
  std::uint64_t& begin;
  std::uint32_t& depth;          ///< open parentheses
  std::uint32_t& bracket;        ///< index of the wide bracket that the last bytes may open
  std::uint32_t& bracket_bytes;  ///< bytes of that bracket so far

  explicit url_memory(recogniser_state& s)
      : begin(s.position[3]), depth(s.count[4]), bracket(s.count[3]), bracket_bytes(s.count[1]) {}
};

/// Starts a candidate. \p bytes: how many bytes of its opening bracket have been read, the last at \p
/// position.
void start(recogniser_state& s, std::uint64_t position, std::uint32_t bracket, std::uint32_t bytes) {
  s.reset();
  memory m(s);
  s.active = true;
  s.from = m.begin = position + 1 - bytes;
  m.bracket = bracket;
  m.bytes = bytes;
  s.phase = bytes == brackets[bracket].open.size() ? number : opening;
}

/// Sets \p match to the marker between the single brackets.
void single(const memory& m, marker_match& match) {
  const std::uint64_t open = m.form == two_brackets ? m.begin + 1 : m.begin;
  match = {};
  match.marker = {open, m.list_end + brackets[m.bracket].close.size()};
  match.identifier = {m.list_begin, m.list_end};
}

/// The minimum number of digits that must follow the first `count` digits of a range's second number, so that
/// it is from `range_first` to `range_first + max_range - 1`. More than `max_digits` if that is impossible.
std::uint32_t range_needs(const memory& m, std::uint32_t count) {
  std::uint64_t least = count == 0 ? 0 : m.value;
  std::uint64_t span = 1;
  for (std::uint32_t more = 0; count + more <= max_digits; ++more) {
    const bool any = count + more > 0;
    if (any && least < m.range_first + max_range && least + span > m.range_first) return more;
    least *= 10;
    span *= 10;
  }
  return max_digits + 1;
}

/// Returns `more` if the list can still end within its limit, counting this byte and `bytes` more of a
/// separator.
verdict within_list(const recogniser_state& s, const memory& m, const lexed_byte& in,
                    std::uint32_t bytes = 0) {
  const std::uint32_t count = s.phase == digits ? m.bytes : 0;
  std::uint32_t need = bytes + (count == 0 ? 1 : 0);
  if (m.in_range != 0) {
    const std::uint32_t due = range_needs(m, count);
    if (due > max_digits) return verdict::no;
    need = bytes + due;
  }
  return in.position + 1 - m.list_begin + need <= max_list_bytes ? verdict::more : verdict::no;
}

verdict read_digit(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (s.phase == number) m.list_begin = in.position;
  if (s.phase != digits) m.bytes = 0;
  s.phase = digits;
  if (++m.bytes > max_digits) return verdict::no;
  m.value = (m.bytes == 1 ? 0 : m.value * 10) + static_cast<std::uint64_t>(in.byte - '0');
  return within_list(s, m, in);
}

verdict read_number(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (is_digit(in.byte)) return read_digit(s, m, in);
  if (s.phase == blank) return in.byte == ' ' ? within_list(s, m, in) : verdict::no;
  if (in.byte == '[' && m.form != one_bracket) {  // `[[[`: the double form starts one byte later
    m.begin = s.from = in.position - 1;
    m.form = two_brackets;
    return verdict::more;
  }
  const bool first = in.position == m.begin + 1;
  if (in.byte == '^' && m.form == two_brackets) {  // `[[^1]` has no double form: the inner marker counts
    m.begin = s.from = in.position - 1;
    m.form = one_bracket;
    m.caret = 1;
    return verdict::more;
  }
  if (in.byte == '^' && first && m.bracket == 0) {
    m.caret = 1;
    return verdict::more;
  }
  if (in.byte != '[' || !first || m.bracket != 0) return verdict::no;
  m.form = m.forbidden_next == '(' ? in_image : two_brackets;
  if (m.form == in_image) m.begin = s.from = in.position;
  m.forbidden_next = 0;
  return verdict::more;
}

verdict read_closing(recogniser_state& s, memory& m, const lexed_byte& in) {
  const bracket_pair& pair = brackets[m.bracket];
  if (in.byte != pair.close[m.bytes]) {
    // Wide opening and closing brackets differ only in their last byte.
    if (m.bytes == 0 || m.bytes + 1 < pair.open.size() || in.byte != pair.open.back()) return verdict::no;
    start(s, in.position, m.bracket, m.bytes + 1);  // another candidate
    return verdict::more;
  }
  if (++m.bytes < pair.close.size()) return verdict::more;
  if (m.form != one_bracket) {
    s.phase = double_closing;
    return verdict::more;
  }
  if (m.forbidden_next == 0) return verdict::yes;
  s.phase = decided_by_next;
  return verdict::more;
}

/// Takes `,`, `;` or the first byte of a dash. `left`: how many bytes of the dash are missing.
verdict next_number(recogniser_state& s, memory& m, const lexed_byte& in, bool range, std::uint32_t left) {
  if (m.caret != 0 || (range && m.in_range != 0)) return verdict::no;
  if (m.forbidden_next == ':') m.forbidden_next = 0;  // a definition has one number
  m.range_first = m.value;
  m.in_range = range ? 1 : 0;
  s.phase = left > 0 ? dash : blank;
  m.bytes = left > 0 ? 1 : 0;
  return within_list(s, m, in, left);
}

verdict read_digits(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (is_digit(in.byte)) return read_digit(s, m, in);
  if (m.in_range != 0 && range_needs(m, m.bytes) > 0) return verdict::no;
  if (in.byte == ',' || in.byte == ';') return next_number(s, m, in, false, 0);
  if (in.byte == '-') return next_number(s, m, in, true, 0);
  if (in.byte == en_dash[0]) return next_number(s, m, in, true, en_dash.size() - 1);
  m.bytes = 0;
  m.list_end = in.position;
  s.phase = closing;
  return read_closing(s, m, in);
}

verdict read_dash(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (in.byte != en_dash[m.bytes]) return verdict::no;
  if (++m.bytes == en_dash.size()) s.phase = blank;
  return verdict::more;
}

/// Returns true if this byte completes a wide opening bracket in the URL, which cannot contain any.
bool opens_wide(url_memory& to, char byte) {
  const std::string_view open = brackets[to.bracket].open;
  if (to.bracket_bytes > 0 && byte == open[to.bracket_bytes]) return ++to.bracket_bytes == open.size();
  to.bracket_bytes = 0;
  for (std::uint32_t one = 1; one < std::size(brackets); ++one) {
    if (byte != brackets[one].open[0]) continue;
    to.bracket = one;
    to.bracket_bytes = 1;
  }
  return false;
}

verdict open_url(recogniser_state& s, const lexed_byte& in) {
  url_memory to(s);
  s.phase = url;
  to.begin = in.position + 1;
  to.bracket = to.bracket_bytes = to.depth = 0;
  return in.byte == '(' ? verdict::more : verdict::no;
}

/// Reads the URL up to its closing parenthesis. As in links, parentheses in it are balanced.
verdict read_url(const memory& m, url_memory to, const lexed_byte& in, const limits& bounds,
                 marker_match& match) {
  if (opens_wide(to, in.byte) || is_control(in.byte) || in.byte == ' ' || in.byte == '[') return verdict::no;
  if (in.byte == '<' && in.position == to.begin) return verdict::no;  // `(<url>)` is read by `link`
  if (in.byte == '(' && ++to.depth > bounds.max_parentheses) return verdict::no;
  if (in.byte != ')' || to.depth > 0) {
    if (in.byte == ')') --to.depth;
    return in.position + 1 - to.begin + to.depth <= bounds.max_identifier_bytes ? verdict::more : verdict::no;
  }
  if (in.position == to.begin) return verdict::no;
  match = {};
  match.marker = {m.begin, in.position + 1};
  match.label = {m.list_begin, m.list_end};
  match.identifier = {to.begin, in.position};
  return verdict::yes;
}

verdict read(recogniser_state& s, memory& m, const lexed_byte& in, const limits& bounds,
             marker_match& match) {
  if (in.literal) return verdict::no;
  switch (s.phase) {
    case opening:
      if (in.byte != brackets[m.bracket].open[m.bytes]) return verdict::no;
      if (++m.bytes == brackets[m.bracket].open.size()) s.phase = number;
      return verdict::more;
    case number:
    case blank:
      return read_number(s, m, in);
    case digits:
      return read_digits(s, m, in);
    case dash:
      return read_dash(s, m, in);
    case closing:
      return read_closing(s, m, in);
    case double_closing:
      s.phase = double_open;
      return in.byte == ']' ? verdict::more : verdict::no;
    case double_open:
      return m.form == in_image ? verdict::no : open_url(s, in);
    case url:
      return read_url(m, url_memory(s), in, bounds, match);
    default:
      return verdict::no;
  }
}

/// Returns true if a candidate that failed still contains a complete marker.
bool holds_single(const recogniser_state& s, const memory& m, const lexed_byte& in) {
  if (s.phase == decided_by_next) return in.end || static_cast<unsigned char>(in.byte) != m.forbidden_next;
  if (s.phase == double_open && m.form == in_image) return in.end || in.byte != '(';
  return s.phase >= double_closing;
}

/// Ends a candidate that failed at this byte, which may start another one. Returns true if a marker in it
/// counts.
bool end_failed(recogniser_state& s, const memory& m, const lexed_byte& in, marker_match& match) {
  const bool holds = holds_single(s, m, in);
  if (holds) single(m, match);
  const url_memory url_seen(s);
  // Whether the URL ran into a bracket.
  const bool wide = s.phase == url && url_seen.bracket_bytes > 1 && !in.end && !in.literal;
  const std::uint32_t bracket = url_seen.bracket;
  const std::uint32_t bytes = url_seen.bracket_bytes;
  s.reset();
  if (wide) start(s, in.position, bracket, bytes);
  return holds;
}

step advance(const grammar& self, recogniser_state& s, const lexed_byte& in, const grammar_options& options,
             marker_match& match) {
  memory m(s);
  step done = step::none;
  if (s.active) {
    const std::uint8_t before = s.phase;
    const verdict found = in.end ? verdict::no : read(s, m, in, options.bounds, match);
    if (found == verdict::more) return step::none;
    if (found == verdict::yes) {
      if (before != url) single(m, match);
      s.reset();
      return step::complete;
    }
    s.phase = before;
    if (end_failed(s, m, in, match)) done = step::complete;
  }
  const bool starts =
      !s.active && !in.end && !in.literal && self.starts.find(in.byte) != std::string_view::npos;
  if (starts) {
    const std::uint32_t bracket = in.byte == '[' ? 0 : in.byte == brackets[1].open[0] ? 1 : 2;
    start(s, in.position, bracket, 1);
    if (bracket == 0) m.forbidden_next = in.line_start ? ':' : in.after_bang ? '(' : 0;
  }
  return done;
}

/// `1, 3-5` is 1, 3, 4 and 5. The URL of the double form, which alone has a label, is one key.
void split(const marker_fields& marker, marker_keys& out) {
  const std::string_view identifier = marker.identifier;
  if (!marker.label.empty()) return out.add(identifier);
  const char* const end = identifier.data() + identifier.size();
  std::uint64_t next = 0;  // in a range: the next number
  for (const char* at = identifier.data(); at < end;) {
    if (!is_digit(*at)) {
      if (*at == ',' || *at == ';') next = 0;
      ++at;
      continue;
    }
    std::uint64_t value = 0;
    at = std::from_chars(at, end, value).ptr;
    const bool range = next > 0 && value + 1 >= next && value + 1 - next < max_range;
    for (std::uint64_t key = range ? next : value; key <= value; ++key) {
      out.add(std::to_string(key));
    }
    next = value + 1;
  }
}

}  // namespace
}  // namespace numeric

constinit const grammar numeric_grammar{.name = "numeric",
                                        .starts = "[\xEF\xE3",
                                        .advance = &numeric::advance,
                                        .keys = &numeric::split,
                                        .may_be_prose = true};

}  // namespace citestream

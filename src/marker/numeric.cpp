// `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, full-width `［1］`, lenticular `【1】`, and `[[1]](url)`, which gives
// number and URL: Perplexity, xAI, most RAG prompts.
//
// `[[1]` may become `[[1]](url)`; should it not, the inner `[1]` is the marker. `[^1]` at the start of a line
// is a footnote's definition where `:` follows.

#include <citestream/marker/grammar.hpp>

#include <charconv>

#include "candidate.hpp"

namespace citestream {

namespace {

constexpr std::uint32_t max_digits = 10;      // of one number
constexpr std::uint32_t max_list_bytes = 64;  // of all numbers of one marker
constexpr std::uint64_t max_range = 64;       // sources that `[1-3]` stands for
constexpr std::string_view en_dash = "\u2013";

struct bracket_pair {
  std::string_view open;
  std::string_view close;
};
constexpr bracket_pair brackets[] = {{"[", "]"}, {"\uFF3B", "\uFF3D"}, {"\u3010", "\u3011"}};

enum phase : std::uint8_t {
  opening = 1,     // in the opening bracket
  number,          // a digit is due
  digits,          // in a number
  blank,           // behind a separator
  dash,            // in an en dash
  closing,         // in the closing bracket
  footnote,        // `[^1]` at the start of a line: not a definition, if no `:` follows
  double_closing,  // `[[1]`: `]` makes it the double form
  double_open,     // `[[1]]`: `(` is due
  url,             // in the URL
};

// The generic memory.
struct memory {
  std::uint64_t& begin;
  std::uint64_t& list_begin;
  std::uint64_t& list_end;
  std::uint64_t& url_begin;
  std::uint32_t& bracket;  // which pair
  std::uint32_t& at;       // bytes of a bracket or dash, or digits of a number, so far
  std::uint32_t& doubled;  // `[[`
  std::uint32_t& caret;    // `[^` at the start of a line
  std::uint32_t& depth;    // open parentheses in the URL

  explicit memory(recogniser_state& s)
      : begin(s.position[0]),
        list_begin(s.position[1]),
        list_end(s.position[2]),
        url_begin(s.position[3]),
        bracket(s.count[0]),
        at(s.count[1]),
        doubled(s.count[2]),
        caret(s.count[3]),
        depth(s.count[4]) {}
};

void start(recogniser_state& s, const lexed_byte& in) {
  s.reset();
  memory m(s);
  s.active = true;
  s.from = m.begin = in.position;
  m.at = 1;
  m.caret = in.line_start ? 1 : 0;
  if (in.byte == '[') {
    s.phase = number;
    m.at = 0;
  } else {
    s.phase = opening;
    m.bracket = in.byte == brackets[1].open[0] ? 1 : 2;
  }
}

// The marker between the brackets, without what a double form would add.
void single(const memory& m, marker_match& match) {
  const std::uint64_t open = m.doubled != 0 ? m.begin + 1 : m.begin;
  match = {};
  match.marker = {open, m.list_end + brackets[m.bracket].close.size()};
  match.identifier = {m.list_begin, m.list_end};
}

verdict read_number(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (is_digit(in.byte)) {
    if (s.phase == number) m.list_begin = in.position;
    s.phase = digits;
    m.at = 1;
    return verdict::more;
  }
  if (s.phase == blank) return in.byte == ' ' ? verdict::more : verdict::no;
  const bool first = in.position == m.begin + 1;
  if (in.byte == '^' && first && m.bracket == 0) {
    m.caret = m.caret != 0 ? 2 : 3;  // 2: a definition, perhaps; 3: not
    return verdict::more;
  }
  if (in.byte != '[' || !first || m.bracket != 0) return verdict::no;
  m.doubled = 1;
  m.begin = s.from = in.position - 1;
  return verdict::more;
}

verdict read_closing(recogniser_state& s, memory& m, const lexed_byte& in) {
  const std::string_view close = brackets[m.bracket].close;
  if (in.byte != close[m.at]) return verdict::no;
  if (++m.at < close.size()) return verdict::more;
  if (m.doubled != 0) {
    s.phase = double_closing;
    return verdict::more;
  }
  if (m.caret != 2) return verdict::yes;
  s.phase = footnote;
  return verdict::more;
}

verdict read_digits(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (is_digit(in.byte)) return ++m.at <= max_digits ? verdict::more : verdict::no;
  if (in.position - m.list_begin > max_list_bytes) return verdict::no;
  m.at = 0;
  if (in.byte == ',' || in.byte == ';' || in.byte == '-') {
    s.phase = blank;
    return m.caret >= 2 ? verdict::no : verdict::more;
  }
  if (in.byte == en_dash[0] && m.caret < 2) {
    s.phase = dash;
    m.at = 1;
    return verdict::more;
  }
  m.list_end = in.position;
  s.phase = closing;
  return read_closing(s, m, in);
}

// The URL ends at its closing parenthesis; as for links, parentheses balance.
verdict read_url(memory& m, const lexed_byte& in, const limits& bounds, marker_match& match) {
  const bool control = static_cast<unsigned char>(in.byte) <= 0x20 || in.byte == 0x7F;
  if (control || in.byte == '[') return verdict::no;
  if (in.byte == '(' && ++m.depth > bounds.max_parentheses) return verdict::no;
  if (in.byte != ')') {
    return in.position - m.url_begin < bounds.max_identifier_bytes ? verdict::more : verdict::no;
  }
  if (m.depth > 0) {
    --m.depth;
    return verdict::more;
  }
  if (in.position == m.url_begin) return verdict::no;
  match = {};
  match.marker = {m.begin, in.position + 1};
  match.label = {m.list_begin, m.list_end};
  match.identifier = {m.url_begin, in.position};
  return verdict::yes;
}

verdict read(recogniser_state& s, memory& m, const lexed_byte& in, const limits& bounds,
             marker_match& match) {
  if (in.literal) return verdict::no;
  switch (s.phase) {
    case opening:
      if (in.byte != brackets[m.bracket].open[m.at]) return verdict::no;
      if (++m.at == brackets[m.bracket].open.size()) s.phase = number;
      return verdict::more;
    case number:
    case blank:
      return read_number(s, m, in);
    case digits:
      return read_digits(s, m, in);
    case dash:
      if (in.byte != en_dash[m.at]) return verdict::no;
      if (++m.at == en_dash.size()) s.phase = blank;
      return verdict::more;
    case closing:
      return read_closing(s, m, in);
    case double_closing:
      s.phase = double_open;
      return in.byte == ']' ? verdict::more : verdict::no;
    case double_open:
      s.phase = url;
      m.url_begin = in.position + 1;
      return in.byte == '(' ? verdict::more : verdict::no;
    case url:
      return read_url(m, in, bounds, match);
    default:
      return verdict::no;
  }
}

// Whether the candidate holds a whole marker although it came to nothing more.
bool holds_single(const recogniser_state& s, const lexed_byte& in) {
  if (s.phase == footnote) return in.end || in.byte != ':';
  return s.phase >= double_closing;
}

step advance(const grammar& self, recogniser_state& s, const lexed_byte& in, const grammar_options& options,
             marker_match& match) {
  memory m(s);
  step done = step::none;
  if (s.active) {
    // A `[` behind `[[` starts the double form anew, one byte later.
    const bool again = m.doubled != 0 && s.phase == number && in.byte == '[' && !in.literal && !in.end;
    if (again) {
      m.begin = s.from = in.position - 1;
      return step::none;
    }
    const std::uint8_t before = s.phase;
    const verdict found = in.end ? verdict::no : read(s, m, in, options.bounds, match);
    if (found == verdict::more) return step::none;
    if (found == verdict::yes) {
      if (before != url) single(m, match);
      s.reset();
      return step::complete;
    }
    s.phase = before;
    if (holds_single(s, in)) {
      single(m, match);
      done = step::complete;
    }
    s.reset();
  }
  if (!in.end && !in.literal && self.starts.find(in.byte) != std::string_view::npos) start(s, in);
  return done;
}

// `1, 3-5` is 1, 3, 4 and 5.
void split(std::string_view identifier, marker_keys& out) {
  const char* const end = identifier.data() + identifier.size();
  std::uint64_t last = 0;
  bool range = false;
  for (const char* at = identifier.data(); at < end;) {
    if (!is_digit(*at)) {
      range = range || *at == '-' || *at == en_dash[0];
      ++at;
      continue;
    }
    std::uint64_t value = 0;
    at = std::from_chars(at, end, value).ptr;
    std::uint64_t from = value;
    if (range && value > last && value - last <= max_range) from = last + 1;
    for (std::uint64_t key = from; key <= value; ++key) {
      char text[20];
      out.add({text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, key).ptr - text)});
    }
    last = value;
    range = false;
  }
}

// A URL is one key.
void keys(std::string_view identifier, marker_keys& out) {
  const bool list = identifier.find_first_not_of("0123456789 ,;-\xE2\x80\x93") == std::string_view::npos;
  list ? split(identifier, out) : out.add(identifier);
}

}  // namespace

constinit const grammar numeric_grammar{"numeric", "[\xEF\xE3", &advance, &keys};

}  // namespace citestream

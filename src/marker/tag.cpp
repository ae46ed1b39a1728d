// `<co>text</co: 0,1>`: Cohere's templates, also with the keys in front, `<co: 0>text</co: 0>`, and with tool
// and results, `</co: 0:[1,2]>`, which means `0:1` and `0:2`. And `<citation>key</citation>`: agent prompts.
//
// The text between the `co` tags is the cited text, which is kept. It cannot contain a line break. A complete
// opening tag inside it starts a new candidate. A closing tag without keys makes the candidate fail. Tags in
// code and after `\` are text.
//
// There is one candidate. While its tag is read, `left` has one bit for each tag that it may still be. Only
// the tag itself can be removed, so `cited` tells the scanner where the cited text starts, and later stages
// can prepare it while the marker is incomplete.

#include <citestream/marker/grammar.hpp>

#include <iterator>
#include <string>

#include "base/ascii.hpp"
#include "candidate.hpp"

namespace citestream {
namespace tag {
namespace {

/// Some sentences in any script; half of the limit on held text.
constexpr std::uint32_t max_cited_bytes = 2048;
constexpr std::uint32_t max_list_bytes = 512;  ///< size of all keys of one marker
constexpr std::string_view closing_citation = "</citation>";

constexpr std::string_view tags[] = {"<co>", "<co:", "<citation>", "</co:", "</co>"};
constexpr std::uint32_t opening_tags = 0b00111;
constexpr std::uint32_t closing_tags = 0b11000;
constexpr std::uint32_t open_citation = 2;  ///< index in `tags`
constexpr std::uint32_t close_keyed = 3;    ///< index in `tags`

enum phase : std::uint8_t {
  opening = 1,  ///< in the first tag
  cited,        ///< after it; another tag may be incomplete
  keys,         ///< between `<citation>` and `</citation>`
  closing,      ///< in `</citation>`
};

/// The position inside the keys of a `co` tag.
enum part : std::uint32_t {
  none,     ///< not in the keys
  item,     ///< a key must follow
  key,      ///< in a key
  bracket,  ///< after `0:`: `[` must follow
  result,   ///< in `[`: a key must follow
  number,   ///< in a number
  closed,   ///< after `]`
};

/// Names of this grammar for the slots of recogniser_state.
struct memory {
  std::uint64_t& begin;
  std::uint64_t& cited_begin;
  std::uint64_t& tag_begin;  ///< position of the incomplete tag, where the cited text ends
  std::uint64_t& list_begin;
  std::uint64_t& list_end;
  std::uint32_t& left;    ///< one bit for each tag that the incomplete one may be
  std::uint32_t& size;    ///< bytes of that tag so far
  std::uint32_t& list;    ///< the position inside its keys
  std::uint32_t& filled;  ///< between `<citation>` tags: the current key has a byte

  explicit memory(recogniser_state& s)
      : begin(s.position[0]),
        cited_begin(s.position[1]),
        tag_begin(s.position[2]),
        list_begin(s.position[3]),
        list_end(s.position[4]),
        left(s.count[0]),
        size(s.count[1]),
        list(s.count[2]),
        filled(s.count[3]) {}
};

bool is_key(char byte) {
  return is_alphanumeric(byte) || byte == '_' || byte == '-' || byte == '.';
}

void start_tag(memory& m, std::uint64_t position, std::uint32_t which) {
  m.tag_begin = position;
  m.left = which;
  m.size = 1;
  m.list = none;
}

void start(recogniser_state& s, std::uint64_t position) {
  s.reset();
  memory m(s);
  s.active = true;
  s.phase = opening;
  s.from = m.begin = position;
  start_tag(m, position, opening_tags);
}

/// The part of a list that follows after a byte; `none` if the byte is not allowed.
std::uint32_t next_part(std::uint32_t from, char byte) {
  switch (from) {
    case item:
      return byte == ' ' ? item : is_key(byte) ? key : none;
    case key:
      return is_key(byte) ? key : byte == ',' ? item : byte == ':' ? bracket : none;
    case bracket:
      return byte == '[' ? result : none;
    case result:
      return byte == ' ' ? result : is_key(byte) ? number : none;
    case number:
      return is_key(byte) ? number : byte == ',' ? result : byte == ']' ? closed : none;
    default:
      return byte == ',' ? item : none;
  }
}

/// The minimum number of bytes that complete the list.
std::uint32_t list_needs(std::uint32_t at) {
  constexpr std::uint32_t bytes[] = {0, 1, 0, 3, 2, 1, 0};
  return bytes[at];
}

/// Reads a byte of the incomplete tag. `yes`: it is complete, and `m.left` is its bit.
verdict read_tag(memory& m, const lexed_byte& in) {
  if (m.list != none) {
    if (in.byte == '>' && (m.list == key || m.list == closed)) {
      m.list_end = in.position;
      return verdict::yes;
    }
    m.list = next_part(m.list, in.byte);
    const bool fits = in.position + 1 - m.list_begin + list_needs(m.list) <= max_list_bytes;
    return m.list != none && fits ? verdict::more : verdict::no;
  }
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < std::size(tags); ++i) {
    if ((m.left >> i & 1U) != 0 && tags[i][m.size] == in.byte) left |= 1U << i;
  }
  if (left == 0) return verdict::no;
  m.left = left;
  ++m.size;
  if (in.byte == '>') return verdict::yes;
  if (in.byte == ':') {
    m.list = item;
    m.list_begin = in.position + 1;
  }
  return verdict::more;
}

/// Called when a tag that is complete with this byte opens a marker.
verdict open(recogniser_state& s, memory& m, const lexed_byte& in) {
  s.from = m.begin = m.tag_begin;
  s.cited = no_position;
  const bool citation = m.left == 1U << open_citation;
  m.left = m.list = m.filled = 0;
  s.phase = citation ? keys : cited;
  (citation ? m.list_begin : m.cited_begin) = in.position + 1;
  return verdict::more;
}

/// Returns `no` if the cited text is too long for a marker, otherwise `more`. If only the tag that is being
/// read can still start a marker, it becomes the candidate.
verdict check_length(recogniser_state& s, memory& m, const lexed_byte& in) {
  const bool closes = m.left != 0 && (m.left & closing_tags) != 0;
  const std::uint64_t bytes =
      closes ? m.tag_begin - m.cited_begin
             : in.position + 1 - m.cited_begin + (m.left == 0 ? in.bytes_before_close : 0);
  if (bytes <= max_cited_bytes) {
    if (!closes || m.tag_begin > m.cited_begin) s.cited = m.cited_begin;
    return verdict::more;
  }
  if (m.left == 0) return verdict::no;
  s.from = m.begin = m.tag_begin;  // the new candidate may become a marker
  s.phase = opening;
  s.cited = no_position;
  return verdict::more;
}

verdict read_cited(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (ascii::is_line_break(in.byte)) return verdict::no;
  if (m.left != 0) {
    const bool closes = (m.left & opening_tags) == 0;
    const verdict found = in.literal ? verdict::no : read_tag(m, in);
    if (found == verdict::yes && (m.left & opening_tags) != 0) return open(s, m, in);
    if (found == verdict::yes) return m.left == 1U << close_keyed ? verdict::yes : verdict::no;
    if (found == verdict::no && closes && m.size == tags[close_keyed].size()) return found;
    if (found == verdict::no) m.left = 0;
  }
  if (m.left == 0 && in.byte == '<' && !in.literal) start_tag(m, in.position, opening_tags | closing_tags);
  return check_length(s, m, in);
}

verdict read_keys(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (is_control(in.byte)) return verdict::no;
  if (in.byte == '<') {
    if (m.filled == 0) return verdict::no;
    s.phase = closing;
    m.list_end = in.position;
    m.size = 1;
    return verdict::more;
  }
  if (in.byte == ',' && m.filled == 0) return verdict::no;
  if (in.byte != ' ') m.filled = in.byte == ',' ? 0 : 1;
  const std::uint64_t bytes = in.position + 1 - m.list_begin + (m.filled == 0 ? 1 : 0);
  return bytes <= max_list_bytes ? verdict::more : verdict::no;
}

verdict read_closing(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (in.byte == closing_citation[m.size]) {
    return ++m.size == closing_citation.size() ? verdict::yes : verdict::more;
  }
  if (m.size > 1) return verdict::no;
  start(s, in.position - 1);  // the `<` before may start another one
  return read_tag(m, in);
}

verdict read(recogniser_state& s, memory& m, const lexed_byte& in) {
  if (s.phase == cited) return read_cited(s, m, in);
  if (in.literal) return verdict::no;
  if (s.phase == keys) return read_keys(s, m, in);
  if (s.phase == closing) return read_closing(s, m, in);
  const verdict found = read_tag(m, in);
  return found == verdict::yes ? open(s, m, in) : found;
}

step advance(const grammar&, recogniser_state& s, const lexed_byte& in, const grammar_options&,
             marker_match& match) {
  if (in.end) {
    s.reset();
    return step::none;
  }
  if (s.active) {
    memory m(s);
    const verdict found = read(s, m, in);
    if (found == verdict::more) return step::none;
    if (found == verdict::yes) {
      match = {};
      match.marker = {m.begin, in.position + 1};
      match.identifier = {m.list_begin, m.list_end};
      if (s.phase == cited) match.cited = {m.cited_begin, m.tag_begin};
      s.reset();
      return step::complete;
    }
    s.reset();
  }
  if (!in.literal && in.byte == '<') start(s, in.position);
  return step::none;
}

/// Splits `0, 1:[2,3]` into `0`, `1:2` and `1:3`.
void split(const marker_fields& marker, marker_keys& out) {
  std::string_view list = marker.identifier;
  marker_keys results;
  std::string pair;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::size_t open = list.find(":[");
    const std::size_t close = open < comma ? list.find(']', open) : std::string_view::npos;
    if (close == std::string_view::npos || (close + 1 < list.size() && list[close + 1] != ',')) {
      out.add_list(list.substr(0, comma));
      list.remove_prefix(comma < list.size() ? comma + 1 : list.size());
      continue;
    }
    const std::string_view tool = list.substr(0, open);
    results.clear();
    results.add_list(list.substr(open + 2, close - open - 2));
    for (std::size_t i = 0; i < results.size(); ++i) {
      pair.assign(tool.substr(std::min(tool.find_first_not_of(' '), tool.size())));
      out.add(pair.append(1, ':').append(results[i]));
    }
    list.remove_prefix(std::min(close + 2, list.size()));
  }
}

/// Cohere's `<co>` tags count documents from 0.
std::int64_t first_place(std::string_view marker) noexcept {
  return marker.starts_with("<co") ? 0 : 1;
}

}  // namespace
}  // namespace tag

constinit const grammar tag_grammar{.name = "tag",
                                    .starts = "<",
                                    .advance = &tag::advance,
                                    .keys = &tag::split,
                                    .first_place = &tag::first_place};

}  // namespace citestream

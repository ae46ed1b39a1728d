// `[cite_start]The claim[cite: 4, 5].`, as written by Gemini; also `[cite: 230-234]` alone.
//
// There are three markers. `[cite: …]` cites the numbers in it. `[cite_start]` marks the start of the claim
// of the next citation; it cites nothing, and is removed even if no `[cite: …]` follows, so no claim is ever
// held back. `[cite_end]` is rare and is removed too.
//
// A number has at most nine digits. The whole marker has at most `max_candidate_bytes`. In code and after
// `\`, all three are text.
#include <citestream/marker/grammar.hpp>

#include <charconv>
#include <string>

#include "candidate.hpp"

namespace citestream {
namespace cite {
namespace {

constexpr std::string_view opening = "[cite";
constexpr std::string_view keywords[] = {"start]", "end]"};
constexpr std::uint32_t max_digits = 9;
constexpr std::int64_t max_range = 64;  ///< maximum of numbers in one range

enum phase : std::uint8_t {
  prefix = 1,  ///< in `[cite`
  colon,       ///< after `[cite`
  keyword,     ///< after `[cite_`; `c.index`: which keyword, `c.size`: its bytes so far
  item,        ///< a number must follow; `c.index` is 1 after the dash of a range
  digits,      ///< in a number; `c.size`: its digits so far
};

verdict read_keyword(candidate& c, const lexed_byte& in) {
  if (c.size == 0) c.index = in.byte == keywords[0][0] ? 0 : 1;
  const std::string_view word = keywords[c.index];
  if (in.byte != word[c.size]) return verdict::no;
  return ++c.size == word.size() ? verdict::yes : verdict::more;
}

verdict read_item(recogniser_state& s, candidate& c, const lexed_byte& in) {
  if (in.byte == ' ') return verdict::more;
  if (!is_digit(in.byte)) return verdict::no;
  if (c.identifier_begin == 0) c.identifier_begin = in.position;
  s.phase = digits;
  c.size = 1;
  return verdict::more;
}

verdict read_digits(recogniser_state& s, candidate& c, const lexed_byte& in) {
  if (is_digit(in.byte)) return ++c.size <= max_digits ? verdict::more : verdict::no;
  if (in.byte == ']') {
    c.identifier_end = in.position;
    return verdict::yes;
  }
  const bool ranges = in.byte == '-' && c.index == 0;
  c.index = ranges ? 1 : 0;
  s.phase = item;
  return ranges || in.byte == ',' ? verdict::more : verdict::no;
}

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  switch (s.phase) {
    case prefix:
      if (in.byte != opening[c.length]) return verdict::no;
      if (c.length + 1 == opening.size()) s.phase = colon;
      return verdict::more;
    case colon:
      s.phase = in.byte == ':' ? item : keyword;
      return in.byte == ':' || in.byte == '_' ? verdict::more : verdict::no;
    case keyword:
      return read_keyword(c, in);
    case item:
      return read_item(s, c, in);
    default:
      return read_digits(s, c, in);
  }
}

/// The minimum number of bytes that complete a marker. Before the numbers, the limit is far away.
std::uint32_t needed(const recogniser_state& s, const candidate&) {
  return s.phase == item ? 2 : s.phase == digits ? 1 : 0;
}

step advance(const grammar& self, recogniser_state& s, const lexed_byte& in, const grammar_options& options,
             marker_match& match) {
  const step done = advance_candidate<&read, &needed>(self, s, in, options, match);
  if (done != step::complete || match.identifier.end != 0) return done;
  const bool starts = match.marker.end - match.marker.begin == opening.size() + 1 + keywords[0].size();
  match.role = starts ? marker_role::claim_start : marker_role::silent;
  return done;
}

/// A range that is too long or descending is one key, which cannot be resolved.
void add_item(std::string_view text, marker_keys& out) {
  const char* const end = text.data() + text.size();
  std::int64_t first = 0;
  std::int64_t last = 0;
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return out.add(text);
  std::from_chars(text.data(), end, first);
  std::from_chars(text.data() + text.find_first_not_of(' ', dash + 1), end, last);
  if (last < first || last - first >= max_range) return out.add(text);
  for (; first <= last; ++first) out.add(std::to_string(first));
}

void split(const marker_fields& marker, marker_keys& out) {
  std::string_view identifier = marker.identifier;
  for (;;) {
    const std::size_t end = identifier.find(',');
    add_item(identifier.substr(0, end), out);
    if (end == std::string_view::npos) return;
    identifier.remove_prefix(identifier.find_first_not_of(' ', end + 1));
  }
}

}  // namespace
}  // namespace cite

constinit const grammar cite_grammar{
    .name = "cite", .starts = "[", .advance = &cite::advance, .keys = &cite::split};

}  // namespace citestream

// `[REF|d_1]`, `[REF|d_1|a_2]`: provenance keys, `d_` for data read, `a_` for another agent's output.

#include <citestream/marker/grammar.hpp>

#include "candidate.hpp"

namespace citestream {

namespace {

constexpr std::string_view opening = "[REF|";
constexpr std::uint32_t max_digits = 9;

enum phase : std::uint8_t { prefix = 1, kind, underscore, number };

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  switch (s.phase) {
    case prefix:
      if (in.byte != opening[c.length]) return verdict::no;
      if (c.length + 1 == opening.size()) {
        s.phase = kind;
        c.identifier_begin = in.position + 1;
      }
      return verdict::more;
    case kind:
      s.phase = underscore;
      return in.byte == 'd' || in.byte == 'a' ? verdict::more : verdict::no;
    case underscore:
      s.phase = number;
      c.size = 0;
      return in.byte == '_' ? verdict::more : verdict::no;
    default:
      if (is_digit(in.byte)) return ++c.size <= max_digits ? verdict::more : verdict::no;
      if (c.size == 0) return verdict::no;
      if (in.byte == '|') {
        s.phase = kind;
        return verdict::more;
      }
      c.identifier_end = in.position;
      return in.byte == ']' ? verdict::yes : verdict::no;
  }
}

// The fewest bytes that complete a marker: `d_1]`.
std::uint32_t needed(const recogniser_state& s, const candidate& c) {
  if (s.phase == kind) return 4;
  if (s.phase == underscore) return 3;
  return s.phase == number && c.size == 0 ? 2 : 1;
}

void split(std::string_view identifier, marker_keys& out) {
  out.add_list(identifier, '|');
}

}  // namespace

constinit const grammar ref_grammar{.name = "ref",
                                    .starts = "[",
                                    .advance = &advance_candidate<&read, &needed>,
                                    .keys = &split,
                                    .keyed_by_request = true};

}  // namespace citestream

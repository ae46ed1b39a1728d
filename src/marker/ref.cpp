// `[REF|d_1]`, `[REF|d_1|a_2]`: provenance keys, `d_` for data that a tool read, `a_` for another agent's
// output.

#include <citestream/marker/grammar.hpp>

#include "base/provenance_key.hpp"
#include "candidate.hpp"

namespace citestream {

namespace {

using namespace provenance_key;

static_assert(max_tag_bytes == max_candidate_bytes,
              "a tag that is removed from a request is one that is read");

bool is_key_digit(char byte) noexcept {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f');
}

enum phase : std::uint8_t { prefix = 1, kind_of_key, underscore, number };

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  switch (s.phase) {
    case prefix:
      if (in.byte != opening[c.length]) return verdict::no;
      if (c.length + 1 == opening.size()) {
        s.phase = kind_of_key;
        c.identifier_begin = in.position + 1;
      }
      return verdict::more;
    case kind_of_key:
      s.phase = underscore;
      return is_kind(in.byte) ? verdict::more : verdict::no;
    case underscore:
      s.phase = number;
      c.size = 0;
      return in.byte == after_kind ? verdict::more : verdict::no;
    default:
      if (is_key_digit(in.byte)) return ++c.size <= max_key_digits ? verdict::more : verdict::no;
      if (c.size == 0) return verdict::no;
      if (in.byte == separator) {
        s.phase = kind_of_key;
        return verdict::more;
      }
      c.identifier_end = in.position;
      return in.byte == closing ? verdict::yes : verdict::no;
  }
}

/// The minimum number of bytes that complete a marker: `d_1]`.
std::uint32_t needed(const recogniser_state& s, const candidate& c) {
  if (s.phase == kind_of_key) return 4;
  if (s.phase == underscore) return 3;
  return s.phase == number && c.size == 0 ? 2 : 1;
}

void split(std::string_view identifier, marker_keys& out) {
  out.add_list(identifier, separator);
}

}  // namespace

constinit const grammar ref_grammar{.name = "ref",
                                    .starts = "[",
                                    .advance = &advance_candidate<&read, &needed>,
                                    .keys = &split,
                                    .keyed_by_request = true};

}  // namespace citestream

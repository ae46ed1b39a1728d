// `[REF|d_1]`, `[REF|d_1|a_2]`: provenance keys, `d_` for data that a tool read, `a_` for another agent's
// output. Models escape bars in the rows of Markdown tables, so `\|` is a bar, too.

#include <citestream/marker/grammar.hpp>

#include "base/provenance_key.hpp"
#include "candidate.hpp"

namespace citestream {
namespace ref {
namespace {

using namespace provenance_key;

static_assert(max_tag_bytes == max_candidate_bytes,
              "a tag that is removed from a request is one that is read");

bool is_key_digit(char byte) noexcept {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f');
}

enum phase : std::uint8_t { prefix = 1, kind_of_key, underscore, number };

/// Bits of candidate::index: the bar of the opening is escaped; the last byte was the escape.
constexpr std::uint32_t escaped_opening = 1;
constexpr std::uint32_t after_escape = 2;

/// Returns true if a bar may follow.
bool bar_follows(const recogniser_state& s, const candidate& c) noexcept {
  return s.phase == prefix ? c.length + 1 == opening.size() : s.phase == number && c.size > 0;
}

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  const bool escaped = (c.index & after_escape) != 0;
  if (escaped && in.byte != separator) return verdict::no;
  if (in.literal && !escaped) return verdict::no;
  if (in.byte == '\\' && bar_follows(s, c)) {
    c.index |= after_escape | (s.phase == prefix ? escaped_opening : 0);
    return verdict::more;
  }
  c.index &= ~after_escape;
  switch (s.phase) {
    case prefix: {
      const std::size_t at = c.length - (c.index & escaped_opening);
      if (in.byte != opening[at]) return verdict::no;
      if (at + 1 == opening.size()) {
        s.phase = kind_of_key;
        c.identifier_begin = in.position + 1;
      }
      return verdict::more;
    }
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
  if ((c.index & after_escape) != 0) return 5;
  if (s.phase == kind_of_key) return 4;
  if (s.phase == underscore) return 3;
  return s.phase == number && c.size == 0 ? 2 : 1;
}

void split(const marker_fields& marker, marker_keys& out) {
  std::string_view identifier = marker.identifier;
  for (;;) {
    const std::size_t end = identifier.find(separator);
    std::string_view key = identifier.substr(0, end);
    if (key.ends_with('\\')) key.remove_suffix(1);
    out.add(key);
    if (end == std::string_view::npos) return;
    identifier.remove_prefix(end + 1);
  }
}

}  // namespace
}  // namespace ref

constinit const grammar ref_grammar{.name = "ref",
                                    .starts = "[",
                                    .advance = &advance_candidate<&ref::read, &ref::needed, true>,
                                    .keys = &ref::split,
                                    .keyed_by_request = true};

}  // namespace citestream

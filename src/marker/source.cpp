// `[src_1]`, `[doc1]`, `[doc:0]`, `[Source 1]`, as used by MariaDB AI RAG, Azure On Your Data, Cohere and RAG
// prompts; also lists: `[doc1, doc2]`, `[doc1; doc2]`.

#include <citestream/marker/grammar.hpp>

#include "candidate.hpp"

namespace citestream {
namespace source {
namespace {

constexpr std::string_view prefixes[] = {"src_", "doc", "Source ", "source "};
constexpr std::uint32_t all_prefixes = 0b1111;
constexpr std::uint32_t named = 0b0001;   ///< bit of `src_`, after which a name may follow
constexpr std::uint32_t doc = 0b0010;     ///< bit of `doc`, after which a colon may follow
constexpr std::uint32_t colon = 0b10000;  ///< `doc:` has been read
constexpr std::uint32_t max_name_bytes = 64;

enum phase : std::uint8_t { start = 1, prefix, name, gap };

/// `c.index` has one bit for each prefix that is still possible. `c.size` counts bytes of the prefix, then of
/// the name.
verdict read_prefix(recogniser_state& s, candidate& c, const lexed_byte& in) {
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < std::size(prefixes); ++i) {
    if ((c.index >> i & 1U) != 0 && prefixes[i][c.size] == in.byte) left |= 1U << i;
  }
  c.index = left;
  ++c.size;
  for (std::uint32_t i = 0; i < std::size(prefixes); ++i) {
    if (left == 1U << i && prefixes[i].size() == c.size) {
      s.phase = name;
      c.size = 0;
    }
  }
  return left != 0 ? verdict::more : verdict::no;
}

verdict read_name(recogniser_state& s, candidate& c, const lexed_byte& in) {
  if (in.byte == ':' && c.index == doc && c.size == 0) {
    c.index = colon;
    return verdict::more;
  }
  const bool part = is_digit(in.byte) ||
                    (c.index == named && (is_alphanumeric(in.byte) || in.byte == '_' || in.byte == '-'));
  if (part) return ++c.size <= max_name_bytes ? verdict::more : verdict::no;
  if (c.size == 0) return verdict::no;
  c.identifier_end = in.position;
  if (in.byte == ']') return verdict::yes;
  s.phase = gap;
  return in.byte == ',' || in.byte == ';' ? verdict::more : verdict::no;
}

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  if (s.phase == name) return read_name(s, c, in);
  if (s.phase == gap && in.byte == ' ') return verdict::more;
  if (s.phase != prefix) {
    if (s.phase == start) c.identifier_begin = in.position;
    s.phase = prefix;
    c.index = all_prefixes;
    c.size = 0;
  }
  return read_prefix(s, c, in);
}

/// The minimum number of bytes that complete a marker.
std::uint32_t needed(const recogniser_state& s, const candidate& c) {
  if (s.phase == name) return c.size == 0 ? 2 : 1;
  const bool inside = s.phase == prefix;
  std::uint32_t least = max_candidate_bytes;
  for (std::uint32_t i = 0; i < std::size(prefixes); ++i) {
    if (inside && (c.index >> i & 1U) == 0) continue;
    const auto left = static_cast<std::uint32_t>(prefixes[i].size()) - (inside ? c.size : 0);
    if (left < least) least = left;
  }
  return least + 2;
}

void split(const marker_fields& marker, marker_keys& out) {
  out.add_list(marker.identifier, ",;");
}

}  // namespace
}  // namespace source

constinit const grammar source_grammar{.name = "source",
                                       .starts = "[",
                                       .advance = &advance_candidate<&source::read, &source::needed>,
                                       .keys = &source::split,
                                       .may_be_prose = true};

}  // namespace citestream

// Grammars whose markers never hold the start of another one of theirs: one candidate at a time, read byte by
// byte by a small machine of the grammar's own.
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstdint>
#include <string_view>

namespace citestream {

enum class verdict : std::uint8_t {
  no,    // the candidate comes to nothing
  more,  // it may still become a marker
  yes,   // a marker ends with this byte
};

// Names for the generic memory of a candidate. `state.phase` is the machine's, from 1.
struct candidate {
  std::uint64_t& begin;
  std::uint64_t& identifier_begin;
  std::uint64_t& identifier_end;
  std::uint64_t& label_begin;
  std::uint64_t& label_end;
  std::uint32_t& length;  // bytes before this one
  std::uint32_t& index;   // the machine's own
  std::uint32_t& size;    // the machine's own

  explicit candidate(recogniser_state& s)
      : begin(s.position[0]),
        identifier_begin(s.position[1]),
        identifier_end(s.position[2]),
        label_begin(s.position[3]),
        label_end(s.position[4]),
        length(s.count[0]),
        index(s.count[1]),
        size(s.count[2]) {}
};

// Bytes of a marker at most; far more than any such marker has, far less than what may be withheld.
constexpr std::uint32_t max_candidate_bytes = 512;

// `machine(state, candidate, in)` reads the bytes behind the first one.
template <verdict (*machine)(recogniser_state&, candidate&, const lexed_byte&)>
step advance_candidate(const grammar& self, recogniser_state& s, const lexed_byte& in, const grammar_options&,
                       marker_match& match) {
  candidate c(s);
  if (in.end) {
    s.reset();
    return step::none;
  }
  if (s.active) {
    ++c.length;
    const verdict found = in.literal || c.length >= max_candidate_bytes ? verdict::no : machine(s, c, in);
    if (found == verdict::more) return step::none;
    if (found == verdict::yes) {
      match = {};
      match.marker = {c.begin, in.position + 1};
      match.identifier = {c.identifier_begin, c.identifier_end};
      match.label = {c.label_begin, c.label_end};
      s.reset();
      return step::complete;
    }
    s.reset();
  }
  if (!in.literal && self.starts.find(in.byte) != std::string_view::npos) {  // this byte may start another
    s.active = true;
    s.phase = 1;
    s.from = c.begin = in.position;
  }
  return step::none;
}

inline bool is_digit(char byte) noexcept {
  return byte >= '0' && byte <= '9';
}
inline bool is_alphanumeric(char byte) noexcept {
  return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

}  // namespace citestream

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
  std::uint32_t& first;   // the candidate's first byte
  std::uint32_t& image;   // it is `[` behind `!`: an image's description where `(` follows
  std::uint32_t& whole;   // such a one is a marker unless `(` follows

  explicit candidate(recogniser_state& s)
      : begin(s.position[0]),
        identifier_begin(s.position[1]),
        identifier_end(s.position[2]),
        label_begin(s.position[3]),
        label_end(s.position[4]),
        length(s.count[0]),
        index(s.count[1]),
        size(s.count[2]),
        first(s.count[3]),
        image(s.count[4]),
        whole(s.count[5]) {}
};

// Bytes of a marker at most; far more than any such marker has, far less than what may be withheld.
constexpr std::uint32_t max_candidate_bytes = 512;

// Where nothing can be so long that the bound matters.
inline std::uint32_t nothing_needed(const recogniser_state&, const candidate&) noexcept {
  return 0;
}

// A marker of the same grammar opens inside the candidate, which comes to nothing: its opening's last byte is
// the one at `position`, and `bytes` of it have been seen.
inline void restart(recogniser_state& s, candidate& c, std::uint64_t position, std::uint32_t bytes) noexcept {
  const std::uint32_t first = c.first;
  s.reset();
  s.active = true;
  s.from = c.begin = position + 1 - bytes;
  c.length = bytes - 1;
  c.first = first;
}

inline void set_match(const candidate& c, std::uint64_t end, marker_match& match) noexcept {
  match = {};
  match.marker = {c.begin, end};
  match.identifier = {c.identifier_begin, c.identifier_end};
  match.label = {c.label_begin, c.label_end};
}

// `machine(state, candidate, in)` reads the bytes behind the first one; `needed(state, candidate)` says how
// many must come at least before a marker is complete.
template <verdict (*machine)(recogniser_state&, candidate&, const lexed_byte&),
          std::uint32_t (*needed)(const recogniser_state&, const candidate&) = &nothing_needed>
step advance_candidate(const grammar& self, recogniser_state& s, const lexed_byte& in, const grammar_options&,
                       marker_match& match) {
  candidate c(s);
  step done = step::none;
  if (s.active && c.whole != 0) {
    if (in.end || in.byte != '(') {
      set_match(c, in.position, match);
      done = step::complete;
    }
    s.reset();
  }
  if (in.end) {
    s.reset();
    return done;
  }
  if (s.active) {
    ++c.length;
    const verdict found = in.literal ? verdict::no : machine(s, c, in);
    const bool fits = c.length + 1 + (found == verdict::more ? needed(s, c) : 0) <= max_candidate_bytes;
    if (found == verdict::more && fits) return step::none;
    if (found == verdict::yes && fits) {
      if (c.image != 0) {
        c.whole = 1;
        return step::none;
      }
      set_match(c, in.position + 1, match);
      s.reset();
      return step::complete;
    }
    s.reset();
  }
  if (!in.literal && self.starts.find(in.byte) != std::string_view::npos) {  // this byte may start another
    s.active = true;
    s.phase = 1;
    s.from = c.begin = in.position;
    c.first = static_cast<unsigned char>(in.byte);
    c.image = in.byte == '[' && in.after_bang ? 1 : 0;
  }
  return done;
}

inline bool is_digit(char byte) noexcept {
  return byte >= '0' && byte <= '9';
}
inline bool is_alphanumeric(char byte) noexcept {
  return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

}  // namespace citestream

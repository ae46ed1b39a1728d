/// \file
/// A framework for simple grammars, whose markers never contain the start of another marker of the same
/// grammar.
///
/// There is at most one candidate. Its first byte is one of `grammar::starts`; every further byte goes to a
/// state machine of the grammar, which answers `more`, `yes` (complete) or `no` (not a marker). After `no`,
/// the byte may start the next candidate. A candidate longer than max_candidate_bytes fails as soon as that
/// is certain, so hold-back is bounded. The cost of a byte is constant.
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstdint>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream {

using ascii::is_alphanumeric;
using ascii::is_control;
using ascii::is_digit;

/// The answer of a state machine to one byte.
enum class verdict : std::uint8_t {
  no,    ///< the candidate is not a marker
  more,  ///< it may still become one
  yes,   ///< it is complete with this byte
};

/// Whether a candidate may be the description of an image: it starts with `![`, and `(` follows it.
struct image_state {
  enum : std::uint32_t {
    none,
    possible,
    decided_by_next_byte,  ///< the candidate is complete, and a marker unless `(` follows
  };
};

/// Names for the slots of recogniser_state that a candidate uses. `state.phase` belongs to the state machine
/// and starts at 1.
struct candidate {
  std::uint64_t& begin;
  std::uint64_t& identifier_begin;
  std::uint64_t& identifier_end;
  std::uint64_t& label_begin;
  std::uint64_t& label_end;
  std::uint32_t& length;  ///< bytes before this one
  std::uint32_t& index;   ///< private to the state machine
  std::uint32_t& size;    ///< private to the state machine
  std::uint32_t& first;   ///< the candidate's first byte
  std::uint32_t& image;   ///< \ref image_state

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
        image(s.count[4]) {}
};

/// The longest marker in bytes: far longer than real markers, far below the limit on held text.
constexpr std::uint32_t max_candidate_bytes = 512;

/// For grammars whose markers cannot be long enough for the limit to matter.
inline std::uint32_t nothing_needed(const recogniser_state&, const candidate&) noexcept {
  return 0;
}

/// Replaces a failed candidate by one that starts inside it. The first \p bytes bytes of the new one have
/// been read; the last of them is at \p position.
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

/// Ends a complete candidate that may describe an image. \p in: the byte after it.
inline step decide_image(recogniser_state& s, const candidate& c, const lexed_byte& in,
                         marker_match& match) noexcept {
  const bool is_marker = in.end || in.byte != '(';
  if (is_marker) set_match(c, in.position, match);
  s.reset();
  return is_marker ? step::complete : step::none;
}

/// The recogniser. `machine(state, candidate, in)` reads the bytes after the first one;
/// `needed(state, candidate)` returns how many more bytes a complete marker needs at least. `escapes`: the
/// machine reads literal bytes, too; inside a candidate these are escaped with `\`.
template <verdict (*machine)(recogniser_state&, candidate&, const lexed_byte&),
          std::uint32_t (*needed)(const recogniser_state&, const candidate&) = &nothing_needed,
          bool escapes = false>
step advance_candidate(const grammar& self, recogniser_state& s, const lexed_byte& in, const grammar_options&,
                       marker_match& match) {
  candidate c(s);
  const bool decides = s.active && c.image == image_state::decided_by_next_byte;
  const step done = decides ? decide_image(s, c, in, match) : step::none;
  if (in.end) {
    s.reset();
    return done;
  }
  if (s.active) {
    ++c.length;
    const verdict found = in.literal && !escapes ? verdict::no : machine(s, c, in);
    const bool fits = c.length + 1 + (found == verdict::more ? needed(s, c) : 0) <= max_candidate_bytes;
    if (found == verdict::more && fits) return step::none;
    if (found == verdict::yes && fits) {
      if (c.image == image_state::possible) {
        c.image = image_state::decided_by_next_byte;
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
    c.image = in.byte == '[' && in.after_bang ? image_state::possible : image_state::none;
  }
  return done;
}

}  // namespace citestream

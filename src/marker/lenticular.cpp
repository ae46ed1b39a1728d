// `【4:0†source】`, `【4†source】`: OpenAI Assistants, Azure Agents. The identifier is `4:0`, the label
// `source`.

#include <citestream/marker/grammar.hpp>

#include "candidate.hpp"

namespace citestream {
namespace lenticular {
namespace {

constexpr std::string_view opening = "\u3010";  ///< 【
constexpr std::string_view dagger = "\u2020";   ///< †
constexpr std::string_view closing = "\u3011";  ///< 】
constexpr std::uint32_t max_digits = 9;
constexpr std::uint32_t max_label_bytes = 256;

enum phase : std::uint8_t { prefix = 1, message, index, mark, label };

verdict read_number(recogniser_state& s, candidate& c, const lexed_byte& in) {
  if (is_digit(in.byte)) return ++c.size <= max_digits ? verdict::more : verdict::no;
  if (c.size == 0) return verdict::no;
  c.size = 0;
  if (in.byte == ':' && s.phase == message) {
    s.phase = index;
    return verdict::more;
  }
  c.identifier_end = in.position;
  s.phase = mark;
  c.index = 1;
  return in.byte == dagger[0] ? verdict::more : verdict::no;
}

/// The label ends at the closing bracket. `c.index` bytes of that have been read. An opening bracket,
/// which differs only in its last byte, starts another candidate.
verdict read_label(recogniser_state& s, candidate& c, const lexed_byte& in) {
  const bool last = c.index + 1 == closing.size();
  if (last && in.byte == opening.back()) {
    restart(s, c, in.position, opening.size());
    s.phase = message;
    c.identifier_begin = in.position + 1;
    return verdict::more;
  }
  if (in.byte == closing[c.index]) {
    ++c.index;
  } else {
    c.index = in.byte == closing[0] ? 1 : 0;
  }
  c.label_end = in.position + 1 - c.index;
  if (c.index == closing.size()) return verdict::yes;
  return is_control(in.byte) || c.label_end - c.label_begin > max_label_bytes ? verdict::no : verdict::more;
}

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  switch (s.phase) {
    case prefix:
      if (in.byte != opening[c.length]) return verdict::no;
      if (c.length + 1 == opening.size()) {
        s.phase = message;
        c.identifier_begin = in.position + 1;
      }
      return verdict::more;
    case message:
    case index:
      return read_number(s, c, in);
    case mark:
      if (in.byte != dagger[c.index]) return verdict::no;
      if (++c.index == dagger.size()) {
        s.phase = label;
        c.index = 0;
        c.label_begin = c.label_end = in.position + 1;
      }
      return verdict::more;
    default:
      return read_label(s, c, in);
  }
}

}  // namespace
}  // namespace lenticular

constinit const grammar lenticular_grammar{
    .name = "lenticular", .starts = "\xE3", .advance = &advance_candidate<&lenticular::read>};

}  // namespace citestream

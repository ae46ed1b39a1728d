// `[label](identifier)`, `[label](<identifier>)`, `[label](identifier "title")`.
//
// Brackets pair as in CommonMark: `]` belongs to the innermost open `[`. The open brackets are a stack. After
// `](`, the bytes are raw: code and escapes have no meaning in a destination. The phases below are its parts.
//
// An identifier cannot contain `[`, so a failed one cannot hide a marker and is not read again. A title can
// contain one; while it is incomplete, the scanner reads the text both ways (scanner.cpp).
//
// `from` is the lowest bracket on the stack that can still become a marker. Brackets whose label is too long,
// or whose line has ended, are removed from the bottom of the stack. Each bracket is pushed and popped once,
// so the cost is linear.
//
// The brackets and the phase are in a recogniser_state, which the scanner keeps between bytes and which is
// the same for all grammars. `memory` gives its slots the names that they have here.

#include <citestream/base/limits.hpp>
#include <citestream/marker/grammar.hpp>

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "base/web_url.hpp"

namespace citestream {
namespace link {
namespace {

enum phase : std::uint8_t {
  label,       ///< outside a destination. This phase and `closed` are not raw
  closed,      ///< the previous byte closed a pair of brackets: `(` must follow
  opened,      ///< after `(`
  plain,       ///< in an identifier
  angle,       ///< in `<…>`
  angle_done,  ///< after `>`
  blanks,      ///< after an identifier and spaces: `"` must follow
  title,
  title_escape,
  title_done,  ///< after the closing quote: `)` must follow
};

/// Names of this grammar for the slots of recogniser_state.
struct memory {
  std::uint64_t& label_open;   ///< position of the label's `[`
  std::uint64_t& label_close;  ///< position of its `]`
  std::uint64_t& identifier_begin;
  std::uint32_t& identifier_bytes;  ///< so far
  std::uint32_t& title_bytes;       ///< so far
  std::uint32_t& citable;           ///< may be a marker: not an image, and the identifier fits so far
  std::uint32_t& depth;             ///< open parentheses in the identifier
  std::uint32_t& schemes;           ///< bits of the URL schemes that the identifier may still have
  std::uint32_t& first_live;        ///< index of the first opener that may still become a marker

  explicit memory(recogniser_state& s)
      : label_open(s.position[0]),
        label_close(s.position[1]),
        identifier_begin(s.position[2]),
        identifier_bytes(s.count[2]),
        title_bytes(s.count[3]),
        citable(s.count[0]),
        depth(s.count[1]),
        schemes(s.count[4]),
        first_live(s.count[5]) {}
};

constexpr std::uint32_t uuid_length = 36;  ///< RFC 9562, 4

using ascii::is_control;
using ascii::is_line_break;
using ascii::lower;

/// Returns true if `byte` can be byte number `index` of an identifier of this kind.
bool fits_kind(memory& m, std::uint32_t index, char byte, identifier_kind kind) {
  if (kind == identifier_kind::uuid) {
    if (index >= uuid_length) return false;
    const bool dash = index == 8 || index == 13 || index == 18 || index == 23;
    return dash ? byte == '-' : ascii::is_hex_digit(byte);
  }
  if (kind == identifier_kind::url) {
    for (std::uint32_t s = 0; s < 2; ++s) {
      if (index < web_schemes[s].size() && lower(byte) != web_schemes[s][index]) m.schemes &= ~(1U << s);
    }
    return m.schemes != 0;
  }
  return true;
}

bool complete_kind(const memory& m, identifier_kind kind) {
  if (kind == identifier_kind::uuid) return m.identifier_bytes == uuid_length;
  if (kind == identifier_kind::url) {
    return ((m.schemes & 1U) != 0 && m.identifier_bytes > web_schemes[0].size()) ||
           ((m.schemes & 2U) != 0 && m.identifier_bytes > web_schemes[1].size());
  }
  return true;
}

/// The minimum number of further bytes before a `]` can close a bracket again: first, the destination must
/// fail or, in an image, end.
std::uint32_t bytes_before_end(std::uint8_t at) {
  switch (at) {
    case opened:
    case plain:
    case angle:
    case title_done:
      return 1;  // a byte that no destination can contain
    case title:
      return 2;  // `")`; the other reading follows a title that fails
    case title_escape:
      return 3;
    default:
      return 0;
  }
}

bool pair_may_complete(const memory& m, std::uint8_t at, const limits& bounds) {
  if (at == label || m.citable == 0) return false;
  if (at == title || at == title_escape) {
    return m.title_bytes + (at == title_escape ? 1U : 0U) <= bounds.max_title_bytes;
  }
  return m.identifier_bytes + m.depth <= bounds.max_identifier_bytes;
}

/// Finds the earliest opener that may still become a marker. Its label so far, plus the minimum number of
/// bytes before its `]`, must be within the limit. This sum never decreases, so an opener over the limit
/// stays over it.
void update_from(recogniser_state& s, memory& m, const lexed_byte& in, const limits& bounds) {
  const auto count = static_cast<std::uint32_t>(s.openers.size());
  const bool titled = s.phase == title || s.phase == title_escape || s.phase == title_done;
  // At the byte that opens a title, the other reading does not exist yet, so this one must report the
  // openers.
  const bool fresh = s.phase == title && m.title_bytes == 0;
  const std::uint64_t cost = !s.raw ? in.bytes_before_close : fresh ? 1 : bytes_before_end(s.phase);
  std::uint32_t live = m.first_live < count ? m.first_live : count;
  for (; live < count; ++live) {
    const auto& one = s.openers[live];
    const std::uint64_t need = in.position - one.position + (count - 1 - live) + cost;
    if (!one.image && need <= bounds.max_label_bytes) break;
  }
  // If the title is valid, the brackets around the marker are dropped. If not, the reading as text still has
  // them.
  const bool hidden = titled && !fresh && m.citable != 0;
  if (!titled) m.first_live = live;
  if (live < count && !hidden) {
    s.from = s.openers[live].position;
  } else {
    s.from = pair_may_complete(m, s.phase, bounds) ? m.label_open : no_position;
  }
  s.active = count != 0 || s.phase != label;
}

void push(recogniser_state& s, memory& m, const lexed_byte& in, const limits& bounds) {
  // Openers over the limit cannot become markers. They are removed to keep the stack short.
  std::size_t old = 0;
  while (old < s.openers.size() && in.position - s.openers[old].position - 1 > bounds.max_label_bytes) ++old;
  if (old > 0) {
    s.openers.erase(s.openers.begin(), s.openers.begin() + static_cast<std::ptrdiff_t>(old));
    m.first_live -= m.first_live < old ? m.first_live : static_cast<std::uint32_t>(old);
  }
  s.openers.push_back({in.position, in.after_bang});
}

void close(recogniser_state& s, memory& m, const lexed_byte& in, const limits& bounds) {
  if (s.openers.empty()) return;
  const auto top = s.openers.back();
  const std::uint64_t bytes = in.position - top.position - 1;
  if (bytes > bounds.max_label_bytes) {  // so are all openers below it
    s.openers.clear();
    return;
  }
  s.openers.pop_back();
  if (bytes == 0 && !top.image) return;
  s.phase = closed;
  m.label_open = top.position;
  m.label_close = in.position;
  m.citable = top.image ? 0 : 1;
  m.depth = m.identifier_bytes = m.title_bytes = 0;
  m.schemes = 3;
}

void read_label(recogniser_state& s, memory& m, const lexed_byte& in, const limits& bounds) {
  s.phase = label;
  if (is_line_break(in.byte)) {
    s.openers.clear();
  } else if (in.literal) {
    return;
  } else if (in.byte == '[') {
    push(s, m, in, bounds);
  } else if (in.byte == ']') {
    close(s, m, in, bounds);
  }
}

/// Called when the destination ends with this byte.
step finish(recogniser_state& s, memory& m, const lexed_byte& in, const grammar_options& options,
            marker_match& match) {
  s.phase = label;
  s.raw = s.reread = false;
  if (m.citable == 0 || !complete_kind(m, options.identifiers)) return step::none;
  match.marker = {m.label_open, in.position + 1};
  match.label = {m.label_open + 1, m.label_close};
  match.identifier = {m.identifier_begin, m.identifier_begin + m.identifier_bytes};
  s.openers.clear();
  return step::complete;
}

step fail(recogniser_state& s) {
  const bool again = s.reread;
  s.phase = label;
  s.raw = s.reread = false;
  return again ? step::rewind : step::retry;
}

step extend(recogniser_state& s, memory& m, const lexed_byte& in, const grammar_options& options) {
  if (m.identifier_bytes >= options.bounds.max_identifier_bytes) return fail(s);
  if (!fits_kind(m, m.identifier_bytes, in.byte, options.identifiers)) m.citable = 0;
  ++m.identifier_bytes;
  return step::none;
}

/// Called when the identifier has ended and the destination may continue.
step end_identifier(recogniser_state& s, memory& m, phase next, identifier_kind kind) {
  s.phase = next;
  if (!complete_kind(m, kind)) m.citable = 0;
  return step::none;
}

step read_opened(recogniser_state& s, memory& m, const lexed_byte& in, const grammar_options& options) {
  if (in.byte == '<') {
    s.phase = angle;
    m.identifier_begin = in.position + 1;
    return step::none;
  }
  if (in.byte == ')' || in.byte == ' ' || in.byte == '[' || is_control(in.byte)) return fail(s);
  s.phase = plain;
  m.depth = in.byte == '(' ? 1 : 0;
  return m.depth > options.bounds.max_parentheses ? fail(s) : extend(s, m, in, options);
}

step read_plain(recogniser_state& s, memory& m, const lexed_byte& in, const grammar_options& options,
                marker_match& match) {
  if (in.byte == ')' && m.depth == 0) return finish(s, m, in, options, match);
  if (in.byte == ' ' && m.depth == 0) return end_identifier(s, m, blanks, options.identifiers);
  if (in.byte == ' ' || in.byte == '[' || is_control(in.byte)) return fail(s);
  if (in.byte == ')') --m.depth;
  if (in.byte == '(' && ++m.depth > options.bounds.max_parentheses) return fail(s);
  return extend(s, m, in, options);
}

step read_angle(recogniser_state& s, memory& m, const lexed_byte& in, const grammar_options& options) {
  if (in.byte == '>') {
    return m.identifier_bytes == 0 ? fail(s) : end_identifier(s, m, angle_done, options.identifiers);
  }
  const bool forbidden = in.byte == '[' || in.byte == '<' || (is_control(in.byte) && in.byte != '\t');
  return forbidden ? fail(s) : extend(s, m, in, options);
}

step read_title(recogniser_state& s, memory& m, const lexed_byte& in, const limits& bounds) {
  if (in.byte == '"' && s.phase == title) {
    s.phase = title_done;
    return step::none;
  }
  if (is_line_break(in.byte) || m.title_bytes >= bounds.max_title_bytes) return fail(s);
  s.phase = in.byte == '\\' && s.phase == title ? title_escape : title;
  ++m.title_bytes;
  return step::none;
}

/// Takes a byte of a destination.
step read_raw(recogniser_state& s, memory& m, const lexed_byte& in, const grammar_options& options,
              marker_match& match) {
  switch (s.phase) {
    case opened:
      return read_opened(s, m, in, options);
    case plain:
      return read_plain(s, m, in, options, match);
    case angle:
      return read_angle(s, m, in, options);
    case title:
    case title_escape:
      return read_title(s, m, in, options.bounds);
    case blanks:
      if (in.byte == ' ') return step::none;
      if (in.byte != '"') return fail(s);
      s.phase = title;
      s.reread = true;
      m.title_bytes = 0;
      return step::none;
    default:  // angle_done, title_done
      if (in.byte == ')') return finish(s, m, in, options, match);
      if (in.byte != ' ' || s.phase != angle_done) return fail(s);
      s.phase = blanks;
      return step::none;
  }
}

step advance(const grammar&, recogniser_state& s, const lexed_byte& in, const grammar_options& options,
             marker_match& match) {
  if (in.end) {
    s.reset();
    return step::none;
  }
  memory m(s);
  step done = step::none;
  if (s.raw) {
    done = read_raw(s, m, in, options, match);
    if (done == step::retry || done == step::rewind) return done;  // the byte will be passed again
  } else if (s.phase == closed && in.byte == '(') {
    s.phase = opened;
    s.raw = true;
    m.identifier_begin = in.position + 1;
  } else {
    read_label(s, m, in, options.bounds);
  }
  update_from(s, m, in, options.bounds);
  return done;
}

using byte_table = std::span<const std::uint8_t, 256>;

bool is_set(byte_table table, char byte) {
  return table[static_cast<unsigned char>(byte)] != 0;
}

/// Skips bytes that only make a label longer.
std::size_t skip_label(const recogniser_state& s, const memory& m, std::string_view bytes,
                       std::uint64_t position, byte_table special, const limits& bounds) {
  const std::size_t count = s.openers.size();
  if (m.first_live >= count || s.from != s.openers[m.first_live].position) return 0;
  const std::uint64_t need = position - s.from + (count - 1 - m.first_live);  // for the byte at `position`
  if (need > bounds.max_label_bytes) return 0;
  bytes = bytes.substr(0, bounds.max_label_bytes - need + 1);
  std::size_t taken = 0;
  while (taken < bytes.size() && bytes[taken] != ']' && !is_set(special, bytes[taken])) ++taken;
  return taken;
}

/// Skips bytes that only make an identifier longer. No bracket may be open around it.
std::size_t skip_identifier(const recogniser_state& s, memory& m, std::string_view bytes, byte_table special,
                            const grammar_options& options) {
  if (!s.openers.empty()) return 0;
  const std::uint32_t size = m.identifier_bytes + m.depth;
  if (size >= options.bounds.max_identifier_bytes) return 0;
  bytes = bytes.substr(0, options.bounds.max_identifier_bytes - size);
  std::size_t taken = 0;
  for (const char byte : bytes) {
    if (byte == ')' || byte == '(' || byte == ' ' || is_set(special, byte) || is_control(byte)) break;
    if (!fits_kind(m, m.identifier_bytes, byte, options.identifiers)) break;
    ++m.identifier_bytes;
    ++taken;
  }
  return taken;
}

std::size_t skip(recogniser_state& s, std::string_view bytes, std::uint64_t position, byte_table special,
                 const grammar_options& options) {
  memory m(s);
  if (s.raw) return s.phase == plain ? skip_identifier(s, m, bytes, special, options) : 0;
  return s.phase == label ? skip_label(s, m, bytes, position, special, options.bounds) : 0;
}

/// Called when a marker of another grammar took the text before `position`. Removes the brackets in it.
void forget(recogniser_state& s, std::uint64_t position) {
  memory m(s);
  std::erase_if(s.openers, [&](const auto& one) { return one.position < position; });
  m.first_live = 0;
  if (s.phase != label && m.label_open < position) {
    s.phase = label;
    s.raw = s.reread = false;
  }
  if (s.from < position) {  // what is left may be too long; the next byte decides
    s.from = s.phase != label && m.citable != 0 ? m.label_open : no_position;
    const auto is_image = [](const auto& one) { return one.image; };
    const auto around = std::find_if_not(s.openers.begin(), s.openers.end(), is_image);
    if (around != s.openers.end()) s.from = around->position;
  }
  s.active = !s.openers.empty() || s.phase != label;
}

/// A link to a file in the sandbox of a tool is for the reader. It cites nothing.
bool cites(std::string_view identifier) noexcept {
  return !identifier.starts_with("sandbox:");
}

}  // namespace
}  // namespace link

constinit const grammar link_grammar{.name = "link",
                                     .starts = "[",
                                     .advance = &link::advance,
                                     .cites = &link::cites,
                                     .forget = &link::forget,
                                     .skip = &link::skip,
                                     .may_be_prose = true};

}  // namespace citestream

// U+E200 `cite` U+E202 key (U+E202 key)* U+E201: OpenAI ChatGPT models, in private-use characters; also typed
// as the six literal characters `\ue200`. For files the word is `filecite`.

#include <citestream/marker/grammar.hpp>

#include "candidate.hpp"

namespace citestream {
namespace private_use {  // `private` is a keyword
namespace {

/// The three characters in UTF-8 and as typed. They differ only in the last byte.
constexpr std::string_view encoded = "\xEE\x88";
constexpr std::string_view typed = "\\ue20";
constexpr std::string_view words[] = {"cite", "filecite"};
constexpr std::uint32_t max_key_bytes = 128;

enum phase : std::uint8_t { opening = 1, name, after_name, key };

/// An incomplete special character: `c.index` is the number of its bytes so far, plus `typed_flag` if it is
/// typed.
constexpr std::uint32_t typed_flag = 16;

enum class special : std::uint8_t { none, more, open, close, separator };

/// Reads the next byte of a special character. `c.index` is 0 before its first byte.
special read_special(candidate& c, char byte) {
  if (c.index == 0) c.index = byte == typed[0] ? typed_flag : 0;
  const bool is_typed = (c.index & typed_flag) != 0;
  const std::string_view lead = is_typed ? typed : encoded;
  const std::uint32_t at = c.index & ~typed_flag;
  if (at < lead.size()) {
    if (byte != lead[at]) return special::none;
    ++c.index;
    return special::more;
  }
  c.index = 0;
  switch (is_typed ? byte - '0' : byte - '\x80') {
    case 0:
      return special::open;
    case 1:
      return special::close;
    case 2:
      return special::separator;
    default:
      return special::none;
  }
}

/// Called if \p found is not the special character expected. An opening one starts another candidate.
verdict unexpected(recogniser_state& s, candidate& c, const lexed_byte& in, special found) {
  if (found != special::open) return verdict::no;
  const bool is_typed = in.byte == '0';
  c.first = static_cast<unsigned char>(is_typed ? typed[0] : encoded[0]);
  restart(s, c, in.position, static_cast<std::uint32_t>(is_typed ? typed.size() : encoded.size()) + 1);
  s.phase = name;
  return verdict::more;
}

verdict read_key(recogniser_state& s, candidate& c, const lexed_byte& in) {
  const bool starts = in.byte == encoded[0] || in.byte == typed[0];
  if (c.index == 0 && !starts) {
    return is_control(in.byte) || ++c.size > max_key_bytes ? verdict::no : verdict::more;
  }
  if (c.index == 0) {
    if (c.size == 0) return verdict::no;
    c.identifier_end = in.position;
  }
  const special found = read_special(c, in.byte);
  switch (found) {
    case special::more:
      return verdict::more;
    case special::separator:
      c.size = 0;
      return verdict::more;
    case special::close:
      return verdict::yes;
    default:
      return unexpected(s, c, in, found);
  }
}

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  switch (s.phase) {
    case opening: {
      if (c.length == 1) read_special(c, static_cast<char>(static_cast<unsigned char>(c.first)));
      const special found = read_special(c, in.byte);
      if (found == special::open) s.phase = name;
      return found == special::open || found == special::more ? verdict::more : verdict::no;
    }
    case name:
      if (c.size == 0) c.index = in.byte == words[0][0] ? 0 : 1;
      if (in.byte != words[c.index][c.size]) return verdict::no;
      if (++c.size == words[c.index].size()) {
        s.phase = after_name;
        c.size = c.index = 0;
      }
      return verdict::more;
    case after_name: {
      const special found = read_special(c, in.byte);
      if (found == special::separator) {
        s.phase = key;
        c.identifier_begin = in.position + 1;
      }
      return found == special::separator || found == special::more ? verdict::more
                                                                   : unexpected(s, c, in, found);
    }
    default:
      return read_key(s, c, in);
  }
}

/// The minimum number of bytes that complete a marker. Before the keys, the limit is far away.
std::uint32_t needed(const recogniser_state& s, const candidate& c) {
  if (s.phase != key) return 0;
  const auto encoded_size = static_cast<std::uint32_t>(encoded.size()) + 1;
  if (c.index == 0) return encoded_size + (c.size == 0 ? 1 : 0);
  const bool is_typed = (c.index & typed_flag) != 0;
  const auto size = is_typed ? static_cast<std::uint32_t>(typed.size()) + 1 : encoded_size;
  return size - (c.index & ~typed_flag);
}

/// Returns true if \p key is a range of lines in the source named before it: `L8`, `L8-L13`.
bool is_locator(std::string_view key) noexcept {
  const auto is_line = [](std::string_view text) {
    return text.size() > 1 && text[0] == 'L' &&
           text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  };
  const std::size_t dash = key.find('-');
  return is_line(key.substr(0, dash)) && (dash == std::string_view::npos || is_line(key.substr(dash + 1)));
}

/// Splits the identifier at separators of either spelling. The lines of a source are not a key.
void split(const marker_fields& marker, marker_keys& out) {
  std::string_view identifier = marker.identifier;
  constexpr std::string_view separators[] = {"\xEE\x88\x82", "\\ue202"};
  while (!identifier.empty()) {
    std::size_t end = identifier.size();
    std::size_t skip = 0;
    for (const std::string_view one : separators) {
      const std::size_t at = identifier.find(one);
      if (at >= end) continue;
      end = at;
      skip = one.size();
    }
    const std::string_view key = identifier.substr(0, end);
    if (out.size() == 0 || !is_locator(key)) out.add(key);
    identifier.remove_prefix(end + skip);
  }
}

}  // namespace
}  // namespace private_use

constinit const grammar private_grammar{
    .name = "private",
    .starts = "\xEE\\",
    .advance = &advance_candidate<&private_use::read, &private_use::needed>,
    .keys = &private_use::split};

}  // namespace citestream

// `<|file-123|>` and `<|file-123>`: OpenAI file search prompts. The key is `file-123`.

#include <citestream/marker/grammar.hpp>

#include "candidate.hpp"

namespace citestream {
namespace file {
namespace {

constexpr std::string_view opening = "<|file-";
constexpr std::uint32_t key_at = 2;           ///< the key starts after `<|`
constexpr std::uint32_t max_key_bytes = 128;  ///< OpenAI's ids have 29

enum phase : std::uint8_t { prefix = 1, key, closing };

verdict read(recogniser_state& s, candidate& c, const lexed_byte& in) {
  switch (s.phase) {
    case prefix:
      if (in.byte != opening[c.length]) return verdict::no;
      if (c.length == key_at) c.identifier_begin = in.position;
      if (c.length + 1 == opening.size()) s.phase = key;
      return verdict::more;
    case key:
      if (is_alphanumeric(in.byte) || in.byte == '-' || in.byte == '_') {
        return ++c.size <= max_key_bytes ? verdict::more : verdict::no;
      }
      if (c.size == 0 || (in.byte != '|' && in.byte != '>')) return verdict::no;
      c.identifier_end = in.position;
      s.phase = closing;
      return in.byte == '>' ? verdict::yes : verdict::more;
    default:
      return in.byte == '>' ? verdict::yes : verdict::no;
  }
}

}  // namespace
}  // namespace file

constinit const grammar file_grammar{
    .name = "file", .starts = "<", .advance = &advance_candidate<&file::read>};

}  // namespace citestream

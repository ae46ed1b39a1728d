// How characters are classified and folded.
//
// Ranges of code points decide, because the score needs only four classes; a table of all of Unicode would be
// a hundred times larger. Latin letters lose their accents (`Café` and `cafe` are equal), Greek and Cyrillic
// ones become lower case without accents, and full-width forms become ASCII. Other letters are unchanged.
#include "check/unicode_letters.hpp"

#include "base/characters.hpp"
#include "base/code_point.hpp"

namespace citestream::check_detail {
namespace {

/// U+00C0 to U+017F without their accents, in lower case. `*` marks characters that are not folded this way.
constexpr std::string_view plain_latin =
    "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo*ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrsssssssstttttt"
    "uuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(plain_latin.size() == 0x180 - 0xC0);

[[nodiscard]] bool is_capital_latin(std::uint32_t c) noexcept {
  if (c < 0x100) return c < 0xDF;
  const bool odd_first = within(c, 0x139, 0x148) || within(c, 0x179, 0x17E);
  return (c % 2 == 1) == odd_first;
}

/// U+0386 to U+03CE in lower case without accents. A final sigma becomes an ordinary one.
constexpr std::u16string_view plain_greek =
    u"α\u0387εηι\u038Bο\u038DυωΐαβγδεζηθικλμνξοπρςστυφχψωΪΫαεηιΰαβγδεζηθικλμνξοπρσστυφχψωιυουω";
static_assert(plain_greek.size() == 0x3CF - 0x386);

/// Folds Greek and Cyrillic capitals and accents. Returns other code points unchanged.
[[nodiscard]] std::uint32_t lower_case(std::uint32_t c) noexcept {
  if (within(c, 0x386, 0x3CE)) return plain_greek[c - 0x386];
  if (within(c, 0x410, 0x42F)) return c + 0x20;
  if (within(c, 0x400, 0x40F) && c != 0x401) return c + 0x50;
  return c == 0x401 || c == 0x451 ? 0x435 : c;  // Cyrillic io is often written without its dots
}

[[nodiscard]] bool is_ignored(std::uint32_t c) noexcept {
  return c == 0xAD || within(c, 0x300, 0x36F) || within(c, 0x200B, 0x200F) || within(c, 0x2060, 0x2064) ||
         within(c, 0xFE00, 0xFE0F) || c == 0xFEFF || within(c, 0xE0000, 0x10FFFF);
}

/// Returns true for scripts without spaces between words (Thai to Khmer, Kana, Han), and for Hangul, which
/// attaches particles to words.
[[nodiscard]] bool is_ideograph(std::uint32_t c) noexcept {
  return within(c, 0xE01, 0xEDF) || within(c, 0x1000, 0x11FF) || within(c, 0x1780, 0x17D3) ||
         within(c, 0x3005, 0x3007) || (within(c, 0x3041, 0x318F) && c != 0x30FB) ||
         within(c, 0x3400, 0x4DBF) || within(c, 0x4E00, 0x9FFF) || within(c, 0xAC00, 0xD7AF) ||
         within(c, 0xF900, 0xFAFF) || within(c, 0xFF66, 0xFF9D) || within(c, 0x20000, 0x3FFFF);
}

void set_folded(std::uint32_t c, letter& out) noexcept {
  const auto put = [&](std::uint32_t byte) { out.folded[out.size++] = static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0U | c >> 6U);
  } else if (c < 0x10000) {
    put(0xE0U | c >> 12U);
    put(0x80U | (c >> 6U & 0x3FU));
  } else {
    put(0xF0U | c >> 18U);
    put(0x80U | (c >> 12U & 0x3FU));
    put(0x80U | (c >> 6U & 0x3FU));
  }
  put(0x80U | (c & 0x3FU));
}

/// Classifies an ASCII character, or the ASCII equivalent of a full-width form.
void read_ascii(std::uint32_t c, letter& out) noexcept {
  out.capital = within(c, 'A', 'Z');
  if (!out.capital && !within(c, 'a', 'z') && !within(c, '0', '9')) return;
  out.kind = letter_kind::letter;
  set_folded(out.capital ? c + ('a' - 'A') : c, out);
}

}  // namespace

letter first_letter(std::string_view bytes) noexcept {
  letter out;
  const code_point found = first_code_point(bytes);
  if (found.length == 0) return out;
  out.length = static_cast<std::uint8_t>(found.length);
  const std::uint32_t c = found.value;
  if (c < 0x80) {
    read_ascii(c, out);
  } else if (within(c, 0xFF10, 0xFF5A)) {
    read_ascii(c - 0xFEE0, out);
  } else if (is_ignored(c)) {
    out.kind = letter_kind::ignored;
  } else if (is_ideograph(c)) {
    out.kind = letter_kind::ideograph;
    set_folded(c, out);
  } else if (within(c, 0xC0, 0x17F) && plain_latin[c - 0xC0] != '*') {
    out.kind = letter_kind::letter;
    out.capital = is_capital_latin(c);
    out.folded[out.size++] = plain_latin[c - 0xC0];
  } else if (!is_separator(c) && c != 0xD7 && c != 0xF7) {
    out.kind = letter_kind::letter;
    const std::uint32_t folded = lower_case(c);
    out.capital = folded != c && (within(c, 0x386, 0x3AB) || within(c, 0x400, 0x42F));
    set_folded(folded, out);
  }
  return out;
}

}  // namespace citestream::check_detail

// How positions are counted.
//
// A code point starts at every byte that is not a continuation byte (10xxxxxx). It takes two UTF-16 code
// units if its first byte is 0xF0 or higher, else one. advance() counts both kinds of bytes, eight at a time,
// and skips ASCII.
#include <citestream/base/offsets.hpp>

#include <cstring>

#include "code_point.hpp"
#include "enum_text.hpp"

namespace citestream {

namespace {

constexpr std::string_view unit_names[] = {"utf8", "utf16", "codepoint"};

/// One bit in each of eight bytes.
constexpr std::uint64_t ones = 0x0101010101010101;
constexpr std::uint64_t tops = ones << 7U;

std::uint64_t count(std::uint64_t top_bits) noexcept {
  return (top_bits >> 7U) * ones >> 56U;
}

}  // namespace

std::string_view name(offset_unit unit) noexcept {
  return enum_text<offset_unit::codepoint>(unit_names, unit);
}

std::optional<offset_unit> offset_unit_from_name(std::string_view name) noexcept {
  return enum_named<offset_unit>(unit_names, name);
}

void text_offset::advance(std::string_view text) noexcept {
  std::uint64_t continuations = 0;
  std::uint64_t outside_bmp = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; end - at >= 8; at += 8) {
    std::uint64_t eight{};
    std::memcpy(&eight, at, sizeof eight);
    const std::uint64_t wide = eight & tops;
    if (wide == 0) continue;  // ASCII
    continuations += count(wide & ~(eight << 1U));
    outside_bmp += count(wide & eight << 1U & eight << 2U & eight << 3U);
  }
  for (; at != end; ++at) {
    continuations += is_continuation(*at) ? 1U : 0U;
    outside_bmp += static_cast<unsigned char>(*at) >= 0xF0U ? 1U : 0U;
  }
  const std::uint64_t leads = text.size() - continuations;
  utf8 += text.size();
  codepoint += leads;
  utf16 += leads + outside_bmp;
}

std::string_view name(citation_anchor anchor) noexcept {
  static constexpr std::string_view names[] = {"marker", "claim", "point", "block", "none"};
  return enum_text<citation_anchor::none>(names, anchor);
}

}  // namespace citestream

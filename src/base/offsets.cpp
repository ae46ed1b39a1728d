#include <citestream/base/offsets.hpp>

namespace citestream {

std::string_view name(offset_unit unit) noexcept {
  switch (unit) {
    case offset_unit::utf8:
      return "utf8";
    case offset_unit::utf16:
      return "utf16";
    case offset_unit::codepoint:
      return "codepoint";
  }
  return {};
}

std::optional<offset_unit> offset_unit_from_name(std::string_view text) noexcept {
  for (const offset_unit unit : {offset_unit::utf8, offset_unit::utf16, offset_unit::codepoint}) {
    if (name(unit) == text) return unit;
  }
  return std::nullopt;
}

void text_offset::advance(std::string_view text) noexcept {
  std::uint64_t leads = 0;
  std::uint64_t outside_bmp = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    leads += (byte & 0xC0U) != 0x80U ? 1U : 0U;
    outside_bmp += byte >= 0xF0U ? 1U : 0U;
  }
  utf8 += text.size();
  codepoint += leads;
  utf16 += leads + outside_bmp;
}

}  // namespace citestream

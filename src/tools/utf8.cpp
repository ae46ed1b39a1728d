#include "utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace citestream::tools {

namespace {

/// What may follow a lead byte: how many bytes, and the bounds of the first of them.
struct sequence {
  std::size_t more{};
  std::uint8_t lower{0x80};
  std::uint8_t upper{0xBF};
};

sequence after_lead(std::uint8_t lead) noexcept {
  if (lead >= 0xC2 && lead <= 0xDF) return {1};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};  // no overlong forms
  if (lead == 0xED) return {2, 0x80, 0x9F};  // no surrogates
  if (lead >= 0xE1 && lead <= 0xEF) return {2};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead == 0xF4) return {3, 0x80, 0x8F};  // not above U+10FFFF
  if (lead >= 0xF1 && lead <= 0xF3) return {3};
  return {};
}

}  // namespace

void append_replacing_invalid_utf8(std::string_view bytes, std::string& out) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto lead = static_cast<std::uint8_t>(bytes[at]);
    sequence expected = after_lead(lead);
    std::size_t length = 1;
    bool valid = lead < 0x80 || expected.more > 0;
    for (; valid && length <= expected.more; ++length) {
      const auto byte = at + length < bytes.size() ? static_cast<std::uint8_t>(bytes[at + length]) : 0U;
      valid = byte >= expected.lower && byte <= expected.upper;
      if (!valid) break;  // this byte is looked at again, as the start of something
      expected.lower = 0x80;
      expected.upper = 0xBF;
    }
    out += valid ? bytes.substr(at, length) : std::string_view("\xEF\xBF\xBD");
    at += length;
  }
}

}  // namespace citestream::tools

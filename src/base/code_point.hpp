/// \file
/// Decodes and cuts UTF-8 (Unicode 15, table 3-7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream {

/// A code point and the number of bytes that encode it; 0 bytes if they are invalid or incomplete.
struct code_point {
  std::uint32_t value{};  ///< 0 if the bytes are invalid
  std::size_t length{};   ///< in bytes
};

/// Returns true for the second and later bytes of an encoded code point, 0x80 to 0xBF.
[[nodiscard]] constexpr bool is_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns at most the first \p max_bytes of \p text, without cutting a code point in two.
[[nodiscard]] constexpr std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) noexcept {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && is_continuation(text[max_bytes])) --max_bytes;
  return text.substr(0, max_bytes);
}

/// Decodes the code point at the start of \p text, which must not be empty.
[[nodiscard]] constexpr code_point first_code_point(std::string_view text) noexcept {
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t value = lead & (0x7FU >> length);
  for (std::size_t at = 1; at < length; ++at) {
    if (!is_continuation(text[at])) return {};
    value = value << 6U | (byte(at) & 0x3FU);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {value, length};
}

}  // namespace citestream

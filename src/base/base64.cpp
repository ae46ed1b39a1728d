#include "base64.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace citestream {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

constexpr std::array<std::uint8_t, 256> make_digits() noexcept {
  std::array<std::uint8_t, 256> out{};
  out.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    out[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return out;
}

/// The value of each letter.
constexpr std::array<std::uint8_t, 256> digits = make_digits();

}  // namespace

void append_base64(std::string_view bytes, std::string& out) {
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= group.size() ? alphabet[bits >> (18U - 6U * i) & 63U] : '=';
    }
  }
}

bool append_decoded_base64(std::string_view text, std::string& out) {
  if (text.size() % 4 != 0) return false;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  text.remove_suffix(padding);
  const std::size_t before = out.size();
  std::uint32_t bits = 0;
  unsigned held = 0;
  std::uint8_t worst = 0;
  for (const char letter : text) {
    const std::uint8_t value = digits[static_cast<unsigned char>(letter)];
    worst |= value;
    bits = bits << 6U | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 255U);
  }
  // No encoder sets unused bits.
  const bool valid = (worst & no_digit) == 0 && (bits & ((1U << held) - 1U)) == 0;
  if (!valid) out.resize(before);
  return valid;
}

}  // namespace citestream

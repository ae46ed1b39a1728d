/// \file
/// Parses an input: the first bytes select how it is read, the rest is the data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

class fuzz_input {
 public:
  explicit fuzz_input(std::string_view bytes) noexcept : left_(bytes) {}

  /// A number below \p bound from the next byte, or 0 at the end. Letters and digits in files written by hand
  /// count up from 0.
  std::size_t choice(std::size_t bound) noexcept {
    if (left_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    const bool digit = byte >= '0' && byte <= '9';
    const bool letter = byte >= 'a' && byte <= 'z';
    return (digit ? byte - std::size_t{'0'} : letter ? byte - std::size_t{'a'} + 10 : byte) % bound;
  }

  /// Takes the text up to the next \p separator and the separator, or all of it if there is none.
  std::string_view until(char separator) noexcept {
    const std::string_view part = left_.substr(0, left_.find(separator));
    left_.remove_prefix(std::min(left_.size(), part.size() + 1));
    return part;
  }

  [[nodiscard]] std::string_view rest() const noexcept { return left_; }

 private:
  std::string_view left_;
};

/// Separates two texts of one input. It does not occur in JSON, patterns or prose.
inline constexpr char part_end = '\x1E';

/// Divides \p bytes into pieces of at most \p longest bytes, some empty. \p seed determines the sizes.
inline std::vector<std::string_view> cut_by(std::string_view bytes, std::size_t seed, std::size_t longest) {
  std::vector<std::string_view> out;
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761U + 1;
  for (std::size_t at = 0; at < bytes.size();) {
    state = state * 1664525U + 1013904223U;  // Numerical Recipes
    const std::size_t size = (state >> 16U) % (longest + 1);
    out.push_back(bytes.substr(at, size));
    at += size;
  }
  return out;
}

/// \p text for messages: bytes outside printable ASCII as `\xNN`, at most 400 bytes.
inline std::string shown(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, 400)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out.append("\\x") += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

}  // namespace citestream_tests

/// \file
/// FNV-1a, a hash of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv). It has no key, so it is only for
/// texts whose author gains nothing from a collision.
#pragma once

#include <cstdint>
#include <string_view>

namespace citestream::fnv1a {

/// The hash of an empty text.
inline constexpr std::uint64_t start = 14695981039346656037U;

/// The hash of a text whose bytes before \p byte have the hash \p hash.
[[nodiscard]] constexpr std::uint64_t extend(std::uint64_t hash, char byte) noexcept {
  return (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
}

/// The hash of \p text.
[[nodiscard]] constexpr std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = start;
  for (const char byte : text) hash = extend(hash, byte);
  return hash;
}

}  // namespace citestream::fnv1a

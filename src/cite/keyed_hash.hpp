/// \file
/// SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012). The key differs per object,
/// so that text from a model or provider cannot choose colliding keys.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace citestream::cite_detail {

/// A hash function with a key of 128 bits.
class keyed_hash {
 public:
  explicit keyed_hash(std::uint64_t key0, std::uint64_t key1) noexcept : key0_(key0), key1_(key1) {}

  [[nodiscard]] std::uint64_t operator()(std::string_view text) const noexcept {
    state s{key0_ ^ 0x736f6d6570736575U, key1_ ^ 0x646f72616e646f6dU, key0_ ^ 0x6c7967656e657261U,
            key1_ ^ 0x7465646279746573U};
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) s.absorb(word(text.substr(at, 8)));
    s.absorb(word(text.substr(at)) | static_cast<std::uint64_t>(text.size()) << 56U);
    s.v2 ^= 0xFFU;
    s.round();
    s.round();
    s.round();
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
  }

 private:
  struct state {
    std::uint64_t v0, v1, v2, v3;

    void round() noexcept {
      v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
      v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
    }
    void absorb(std::uint64_t m) noexcept {
      v3 ^= m;
      round();
      v0 ^= m;
    }
  };

  /// Up to eight bytes, little-endian.
  [[nodiscard]] static std::uint64_t word(std::string_view bytes) noexcept {
    std::uint64_t value = 0;
    if (std::endian::native == std::endian::little && bytes.size() == sizeof value) {
      std::memcpy(&value, bytes.data(), sizeof value);
      return value;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return value;
  }

  std::uint64_t key0_;
  std::uint64_t key1_;
};

}  // namespace citestream::cite_detail

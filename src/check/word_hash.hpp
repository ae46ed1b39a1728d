/// \file
/// Hashes of words and numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "check/number.hpp"

namespace citestream::check_detail {

/// Hashes words by their bytes and numbers by their value. The key differs between objects, so an attacker
/// cannot choose collisions; a copy has the same key.
class word_hash {
 public:
  /// Hashes of this key are the same in all programs.
  explicit constexpr word_hash(std::uint64_t key) noexcept : key_(key) {}
  word_hash() noexcept : key_(mixed(reinterpret_cast<std::uintptr_t>(this) ^ 0x243F6A8885A308D3U)) {}

  [[nodiscard]] std::uint64_t operator()(std::string_view bytes) const noexcept {
    std::uint64_t hash = key_ ^ bytes.size();
    for (; bytes.size() > 8; bytes.remove_prefix(8)) hash = mixed(hash ^ part<std::uint64_t>(bytes, 0));
    return mixed(mixed(hash ^ rest(bytes)));
  }
  [[nodiscard]] std::uint64_t operator()(const number& value) const noexcept {
    return mixed(mixed(~key_ ^ value.digits) ^ static_cast<std::uint64_t>(value.exponent));
  }

 private:
  template <class T>
  [[nodiscard]] static std::uint64_t part(std::string_view bytes, std::size_t at) noexcept {
    T out{};
    std::memcpy(&out, bytes.data() + at, sizeof out);
    return out;
  }
  /// Returns up to eight bytes as one number, which differs for different bytes of the same size. The first
  /// and the last half overlap unless they have four bytes each.
  [[nodiscard]] static std::uint64_t rest(std::string_view bytes) noexcept {
    const std::size_t size = bytes.size();
    if (size >= 4) return part<std::uint32_t>(bytes, 0) | part<std::uint32_t>(bytes, size - 4) << 32U;
    if (size >= 2) return part<std::uint16_t>(bytes, 0) | part<std::uint16_t>(bytes, size - 2) << 16U;
    return size == 0 ? 0 : part<std::uint8_t>(bytes, 0);
  }
  [[nodiscard]] static std::uint64_t mixed(std::uint64_t value) noexcept {
    value *= 0x9E3779B97F4A7C15U;
    return value ^ value >> 32U;
  }

  std::uint64_t key_;
};

}  // namespace citestream::check_detail

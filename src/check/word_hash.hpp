/// \file
/// Hashes of words and numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "check/number.hpp"

namespace citestream::check_detail {

/// Hashes words by their bytes and numbers by their value. The key differs between objects, so an attacker
/// cannot choose collisions; a copy has the same key.
class word_hash {
 public:
  word_hash() noexcept : key_(mixed(reinterpret_cast<std::uintptr_t>(this) ^ 0x243F6A8885A308D3U)) {}

  [[nodiscard]] std::uint64_t operator()(std::string_view bytes) const noexcept {
    std::uint64_t hash = key_ ^ bytes.size();
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
      std::uint64_t part = 0;
      std::memcpy(&part, bytes.data(), 8);
      hash = mixed(hash ^ part);
    }
    std::uint64_t part = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      part |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return mixed(mixed(hash ^ part));
  }
  [[nodiscard]] std::uint64_t operator()(const number& value) const noexcept {
    return mixed(mixed(~key_ ^ value.digits) ^ static_cast<std::uint64_t>(value.exponent));
  }

 private:
  [[nodiscard]] static std::uint64_t mixed(std::uint64_t value) noexcept {
    value *= 0x9E3779B97F4A7C15U;
    return value ^ value >> 32U;
  }

  std::uint64_t key_;
};

}  // namespace citestream::check_detail

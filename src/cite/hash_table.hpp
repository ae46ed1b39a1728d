/// \file
/// Containers that keep their memory when they are cleared. The standard ones free their nodes
/// (unordered_map) or the strings inside their elements (vector::clear).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace citestream::cite_detail {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// Elements whose buffers survive clear(). take() returns an old element with its old value, to be
/// overwritten.
template <typename T>
class recycled {
 public:
  [[nodiscard]] T& take() {
    if (used_ == items_.size()) items_.emplace_back();
    return items_[used_++];
  }
  void clear() noexcept { used_ = 0; }
  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return items_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  [[nodiscard]] std::span<T> all() noexcept { return {items_.data(), used_}; }
  [[nodiscard]] std::span<const T> all() const noexcept { return {items_.data(), used_}; }

 private:
  std::vector<T> items_;
  std::size_t used_{};
};

/// Open addressing with linear probing, from 64-bit hashes to 32-bit values. The keys are stored elsewhere.
class hash_table {
 public:
  /// The value with \p hash that \p equal accepts, or `none`.
  template <typename Equal>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Equal equal) const noexcept {
    if (used_ == 0) return none;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask; slots_[i].epoch == epoch_; i = (i + 1) & mask) {
      if (slots_[i].hash == hash && equal(slots_[i].value)) return slots_[i].value;
    }
    return none;
  }

  /// Replaces \p value, which find() has found, by \p now.
  void replace(std::uint64_t hash, std::uint32_t value, std::uint32_t now) noexcept {
    const auto same = [&](const slot& one) { return one.hash == hash && one.value == value; };
    std::size_t i = hash & (slots_.size() - 1);
    while (!same(slots_[i])) i = (i + 1) & (slots_.size() - 1);
    slots_[i].value = now;
  }

  /// Adds a value that find() did not find.
  void insert(std::uint64_t hash, std::uint32_t value) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    place(slots_, {hash, value, epoch_});
    ++used_;
  }

  /// Constant time: slots of an earlier epoch count as empty.
  void clear() noexcept {
    used_ = 0;
    if (++epoch_ != 0) return;
    for (slot& s : slots_) s.epoch = 0;
    epoch_ = 1;
  }

 private:
  struct slot {
    std::uint64_t hash{};
    std::uint32_t value{};
    std::uint32_t epoch{};
  };

  void place(std::vector<slot>& slots, const slot& item) const noexcept {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = item.hash & mask;
    while (slots[i].epoch == epoch_) i = (i + 1) & mask;
    slots[i] = item;
  }

  void grow() {
    std::vector<slot> larger(slots_.empty() ? 16 : slots_.size() * 2);
    for (const slot& s : slots_) {
      if (s.epoch == epoch_) place(larger, s);
    }
    slots_ = std::move(larger);
  }

  std::vector<slot> slots_;  ///< size is a power of two; at most half full
  std::size_t used_{};
  std::uint32_t epoch_{1};
};

}  // namespace citestream::cite_detail

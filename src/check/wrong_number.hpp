/// \file
/// Numbers of a reference that are where the claim has another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "check/claim_words.hpp"
#include "check/reference_scan.hpp"
#include "check/reference_words.hpp"

namespace citestream::check_detail {

/// Compares the numbers in and near a window of a reference with those of the claim, by the words around
/// both.
class wrong_number_finder {
 public:
  /// \p hits and \p numbers are those of the reference, ordered by place; \p best are the hits of the window.
  /// All must stay valid.
  wrong_number_finder(const claim_words& claim, std::span<const hit> hits, std::span<const hit> best,
                      std::span<const reference_number> numbers) noexcept;

  /// The numbers in the window and within 8 words of it.
  [[nodiscard]] std::span<const reference_number> numbers() const noexcept { return numbers_; }

  /// Returns the number that contradicts the number \p word of the claim and corresponds to it best, among
  /// those that are \p comparable. Returns null if none does.
  template <typename Comparable>
  [[nodiscard]] const reference_number* find(std::uint32_t word, const Comparable& comparable) const {
    const reference_number* found = nullptr;
    std::size_t least = ~std::size_t{0};
    for (const reference_number& each : numbers_) {
      if (!contradicts(word, each) || !comparable(each)) continue;
      const std::size_t distance = distance_of(word, each);
      if (distance >= least) continue;
      least = distance;
      found = &each;
    }
    return found;
  }

 private:
  [[nodiscard]] std::size_t hits_before(const reference_number& other) const noexcept;
  [[nodiscard]] bool contradicts(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] bool has_other_noun(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] bool shares_neighbours(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] bool is_beside(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] std::size_t distance_of(std::uint32_t word, const reference_number& other) const noexcept;

  const claim_words& claim_;
  std::span<const hit> hits_;
  std::span<const hit> best_;
  std::span<const reference_number> numbers_;
};

}  // namespace citestream::check_detail

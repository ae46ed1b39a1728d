/// \file
/// Finds the number of a reference that contradicts a number of the claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "check/claim_words.hpp"
#include "check/reference_scan.hpp"
#include "check/reference_words.hpp"
#include "check/text_pair.hpp"

namespace citestream::check_detail {

/// Returns the numbers of \p all in the window \p best, which are the hits in it, and within 8 words of it.
[[nodiscard]] std::span<const reference_number> numbers_around(
    std::span<const hit> best, std::span<const reference_number> all) noexcept;

/// Compares the numbers in and near a window of a reference with those of the claim, by the words around
/// both.
class wrong_number_finder {
 public:
  /// \p hits are those of the reference and \p best those of its window; \p numbers: see numbers_around().
  /// \p texts are the words of \p claim_text and of the excerpt, which starts at byte \p excerpt_begin of
  /// the reference. All must stay valid.
  wrong_number_finder(const claim_words& claim, std::string_view claim_text, std::span<const hit> hits,
                      std::span<const hit> best, std::span<const reference_number> numbers,
                      const text_pair& texts, std::size_t excerpt_begin) noexcept;

  /// Returns the number that contradicts the number \p word of the claim, which is in no reference, and
  /// corresponds to it best. Returns null if none does.
  [[nodiscard]] const reference_number* find(std::uint32_t word) const noexcept;

 private:
  [[nodiscard]] std::size_t hits_before(const reference_number& other) const noexcept;
  [[nodiscard]] bool is_difference(const number& change) const noexcept;
  [[nodiscard]] bool contradicts(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] bool is_counterpart(std::size_t i, const reference_number& other) const noexcept;
  [[nodiscard]] bool has_other_noun(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] bool shares_neighbours(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] bool is_beside(std::uint32_t word, const reference_number& other) const noexcept;
  [[nodiscard]] std::size_t distance_of(std::uint32_t word, const reference_number& other) const noexcept;

  const claim_words& claim_;
  std::string_view claim_text_;
  std::span<const hit> hits_;
  std::span<const hit> best_;
  std::span<const reference_number> numbers_;
  const text_pair& texts_;
  std::size_t excerpt_begin_;
};

}  // namespace citestream::check_detail

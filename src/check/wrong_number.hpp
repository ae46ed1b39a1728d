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

/// A claim, and what is compared with its numbers.
struct number_search {
  const claim_words& claim;
  std::string_view claim_text;
  std::span<const hit> hits;                  ///< of the reference
  std::span<const hit> best;                  ///< of its best window
  std::span<const reference_number> numbers;  ///< see numbers_around()
  const text_pair& texts;                     ///< the words of the claim and of the excerpt
  std::size_t excerpt_begin;                  ///< in bytes of the reference
};

/// Returns the number that contradicts the number \p word of the claim, which is in no reference, and
/// corresponds to it best. Returns null if none does.
[[nodiscard]] const reference_number* find_wrong_number(const number_search& in, std::uint32_t word) noexcept;

}  // namespace citestream::check_detail

/// \file
/// Words at the start of a claim that say where it comes from: "According to our FAQ, ".
#pragma once

#include <cstddef>
#include <string_view>

namespace citestream::check_detail {

/// Words that precede a claim.
struct lead_in {
  std::size_t size{};  ///< in bytes, with the blank after it; 0: there are none
  /// How many content words must follow. With fewer, the words are part of the claim.
  std::size_t least_words{};
};

/// Returns the lead-in of \p claim, in English, German, French or Spanish. Constant time.
[[nodiscard]] lead_in find_lead_in(std::string_view claim) noexcept;

}  // namespace citestream::check_detail

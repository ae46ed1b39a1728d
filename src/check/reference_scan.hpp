// One pass over a reference: where the claim's words stand, and the best window of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "check/claim_words.hpp"

namespace citestream::check_detail {

/// Words of a reference that count as standing together: in the middle of the 60 to 100 within which the
/// measure is known to work.
inline constexpr std::size_t window_words = 80;

/// A word of the claim, seen in a reference.
struct hit {
  std::size_t place{};  ///< among all words of the reference, from 0
  std::size_t begin{};  ///< bytes of the reference
  std::size_t end{};
  std::uint32_t word{};            ///< index in claim_words
  std::uint32_t pair_of{no_word};  ///< the word that stands before it here and in the claim
};

/// A number of a reference, whether the claim has it or not.
struct seen_number {
  std::size_t place{};
  std::size_t begin{};
  std::size_t end{};
  std::size_t hits_before{};  ///< how many hits came before it, in scan::hits
  std::uint32_t word{no_word};
  number value;
};

/// The best window of one reference: hits `[first, last)`.
struct window {
  std::size_t first{};
  std::size_t last{};
  std::size_t words{};  ///< distinct words of the claim in it
  std::size_t pairs{};  ///< distinct pairs of neighbours
};

/// All that was seen in the references of one claim. Warm, it allocates only for more than before.
struct scan {
  std::vector<hit> hits;  ///< of all references, one behind the other
  std::vector<seen_number> numbers;
  std::vector<std::uint32_t> in_window;  ///< for each word of the claim: how often it stands in the window
  std::vector<std::uint32_t> pairs_in_window;
};

/// Whether \p seen, in \p reference, has the same sign as \p claimed, in words (`fell by 5%`) or as a minus.
[[nodiscard]] bool same_sign(const claim_words& claim, const number& claimed, std::string_view reference,
                             const number& seen, std::size_t place) noexcept;

/// Reads \p reference and appends what is in it to \p out. \return its best window: most words, then most
/// pairs, then the fewest words of the reference, then the first
[[nodiscard]] window scan_reference(const claim_words& claim, std::string_view reference, scan& out);

}  // namespace citestream::check_detail

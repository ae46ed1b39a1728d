/// \file
/// Finds the words of a claim in a reference, the window with most of them, and the sentences that are
/// compared with the claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "check/claim_words.hpp"
#include "check/reference_words.hpp"

namespace citestream::check_detail {

/// An occurrence of a word of the claim in a reference.
struct hit {
  std::size_t place{};  ///< index among all words of the reference
  std::size_t begin{};  ///< in bytes of the reference
  std::size_t end{};
  std::uint32_t word{};            ///< index in claim_words
  std::uint32_t pair_of{no_word};  ///< the word that precedes it both here and in the claim
};

/// A window of one reference: the hits `[first, last)`.
struct window {
  std::size_t first{};
  std::size_t last{};
  std::size_t words{};  ///< distinct words of the claim in it
  std::size_t pairs{};  ///< distinct pairs of neighbours
};

/// The hits of one reference, `[begin, end)` of scan::hits, and its best window.
struct reference_hits {
  std::size_t begin{};
  std::size_t end{};
  window best;
};

/// The hits in the references of one claim, and what scan_reference() needs to find those of the next one. A
/// warm object allocates only if there is more than before.
struct scan {
  std::vector<hit> hits;                       ///< of all references, in their order
  std::vector<std::uint64_t> found;            ///< a bit for each word of the reference that is scanned
  std::vector<std::uint32_t> found_as;         ///< for each of these bits: which word of the claim
  std::vector<std::uint32_t> in_window;        ///< occurrences in the window, for each word of the claim
  std::vector<std::uint32_t> pairs_in_window;  ///< the same for pairs, by their first word
};

/// Returns true if \p seen, at byte \p place of \p reference, has the same sign as \p claimed. A minus may
/// also be expressed in words (`fell by 5%`).
[[nodiscard]] bool same_sign(const claim_words& claim, const number& claimed, std::string_view reference,
                             const number& seen, std::size_t place) noexcept;

/// Appends the hits of \p reference to \p out. The best window has the most words of the claim; if equal, the
/// most pairs; if equal, it is the shortest; if equal, the first.
[[nodiscard]] reference_hits scan_reference(const claim_words& claim, const reference_words& reference,
                                            scan& out);

/// The largest range that excerpt_of() returns.
inline constexpr std::size_t max_excerpt_bytes = 4096;

/// Returns the sentence of \p reference with most distinct words of the claim, the shortest of several, with
/// one sentence on either side; for a row of a table, the whole table. A longer range is cut to
/// max_excerpt_bytes around byte \p best_begin. \p hits are those of the reference; \p seen_in has one
/// element for each word of the claim, and is overwritten. Linear in the hits and in the table.
[[nodiscard]] byte_range excerpt_of(const reference_words& reference, std::span<const hit> hits,
                                    std::size_t best_begin, std::span<std::size_t> seen_in);

}  // namespace citestream::check_detail

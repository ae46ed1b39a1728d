/// \file
/// The sentences of a reference that are compared with a claim.
#pragma once

#include <cstddef>
#include <span>

#include "check/reference_scan.hpp"

namespace citestream::check_detail {

/// The largest range that evidence_of() returns.
inline constexpr std::size_t max_evidence_bytes = 4096;

/// Returns the sentence of \p reference with most distinct words of the claim, the shortest of several, with
/// one sentence on either side; for a row of a table, the whole table. A longer range is cut to
/// max_evidence_bytes around the first hit of \p best. \p hits are those of the reference; \p seen_in has one
/// element for each word of the claim, and is overwritten. Linear in the hits and
/// in the table.
[[nodiscard]] byte_range evidence_of(const reference_words& reference, std::span<const hit> hits,
                                     std::size_t best_begin, std::span<std::size_t> seen_in);

}  // namespace citestream::check_detail

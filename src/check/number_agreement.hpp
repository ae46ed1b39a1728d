/// \file
/// Whether a number of a claim may be right although the excerpt has another one.
#pragma once

#include <cstddef>

#include "check/text_pair.hpp"

namespace citestream::check_detail {

/// Returns where the range ends that starts with number \p k: `1–5 kg`, `1 to 5 kg`. Returns the size of \p
/// text if no range starts there. A change is not a range: "rose from 10 to 50".
[[nodiscard]] std::size_t end_of_range(word_list text, std::size_t k) noexcept;

/// Returns true if different things are counted: "two tablets" and "twelve years", or "62" and "41 more". A
/// day of a date counts nothing, and money has no noun.
[[nodiscard]] bool counts_different(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if number \p i may have the scale of the number after it: "4 of the 11.4 million". The letter
/// of `7B` may be a scale, too.
[[nodiscard]] bool is_shortened(word_list text, std::size_t i) noexcept;

/// Returns true if number \p j of the excerpt may be number \p i of the claim: it is in a table, and a
/// header or a note may have its scale, such as thousands, or it is like `7B`.
[[nodiscard]] bool is_below_scale(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if both numbers are one amount in different units: `500 mg` and `0.5 g`, `14 days` and `2
/// weeks`, `135 minutes` and `2 hours and 15 minutes`.
[[nodiscard]] bool is_same_amount(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if a limit makes both numbers possible: number \p j of the excerpt is within the bound of
/// number \p i ("more than 100" and "120"), or number \p i is in a range of the same noun, or within a bound
/// in the sentence of \p j. Within a condition, bounds of all sentences count: "below 5 °C" and "at 3 °C".
[[nodiscard]] bool keeps_bound(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if number \p j of the excerpt is not a counterpart of number \p i of the claim: different
/// things are counted, one of them is a difference, their clauses say the opposite or have nothing in common,
/// or \p i is within a limit or a range.
[[nodiscard]] bool may_differ(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if number \p i of the claim follows from numbers of the excerpt: it is one of them in
/// another unit, for a longer time or with the scale of its table, the year before or after one, a
/// share, a sum, a difference or a multiple.
[[nodiscard]] bool is_derived(const text_pair& texts, std::size_t i) noexcept;

}  // namespace citestream::check_detail

/// \file
/// Whether a number of a claim may be right although the evidence has another one.
#pragma once

#include <cstddef>

#include "check/text_pair.hpp"

namespace citestream::check_detail {

/// Returns true if different things are counted: "two tablets" and "twelve years". A day of a date counts
/// nothing, and money has no noun.
[[nodiscard]] bool counts_other(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

/// Returns true if number \p i may have the scale of the number after it: "4 of the 11.4 million".
[[nodiscard]] bool is_shortened(word_list text, std::size_t i) noexcept;

/// Returns true if number \p i of the claim may be right although the evidence has number \p j in its place:
/// their clauses say the opposite, or number \p i follows from numbers of the evidence ("half an hour").
[[nodiscard]] bool may_differ(const text_pair& texts, std::size_t i, std::size_t j) noexcept;

}  // namespace citestream::check_detail

/// \file
/// Compares numbers: rounding, differences, multiples.
#pragma once

#include <cstdint>

#include "check/number.hpp"

namespace citestream::check_detail {

/// What a text says about a number that need not be exact.
enum class rounding : std::uint8_t {
  none,
  about,   ///< `about 500`
  beyond,  ///< `more than 500`
  below,   ///< `nearly 500`
};

/// Returns true if \p exact rounds to \p rounded and rounding changes it by at most 5 %. If the text says (\p
/// how) that the number is not exact, the last digit that is not 0 counts, and \p exact must be on the right
/// side. Otherwise only a percentage or a number with a scale may be rounded, to its last digit as written.
[[nodiscard]] bool rounds_to(const number& exact, const number& rounded, rounding how) noexcept;

/// Returns true if the values of \p a and \p b are \p change apart.
[[nodiscard]] bool differ_by(const number& a, const number& b, const number& change) noexcept;

/// Returns the value without its sign.
[[nodiscard]] double value_of(const number& of) noexcept;

/// Returns true if the value of \p a is less than that of \p b. Signs do not count.
[[nodiscard]] inline bool is_less(const number& a, const number& b) noexcept {
  return value_of(a) < value_of(b);
}

/// Returns true if \p larger is \p factor, which is below 2^32, times \p smaller.
[[nodiscard]] bool is_multiple(const number& larger, const number& smaller, std::uint64_t factor) noexcept;

/// Returns true if the orders of magnitude of \p a and \p b differ by at most one.
[[nodiscard]] bool similar_size(const number& a, const number& b) noexcept;

/// Returns true if \p year is in \p decade, which is a century if its year ends in `00`.
[[nodiscard]] bool in_decade(const number& year, const number& decade) noexcept;

}  // namespace citestream::check_detail

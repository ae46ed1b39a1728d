/// \file
/// Numbers as people write them: `$1,499`, `1499.0`, `1 499 €`, `1.5 million`, `-5%`, `25 percent`, `1990s`,
/// `21st`, `twelve`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check/vocabulary.hpp"

namespace citestream::check_detail {

enum class number_kind : std::uint8_t { plain, year, percent, money };

/// The value is `digits` times ten to the power of `exponent`. `digits` has no trailing zeros, so equal
/// values have equal members. Digits after the 18th are dropped.
struct number {
  std::uint64_t digits{};
  std::int32_t exponent{};
  number_kind kind{};
  char currency{};      ///< of money: `$`, `e` (€), `p` (£), `y` (¥) or `r` (₹); 0 if unknown
  bool negative{};      ///< follows a minus sign, which `digits` does not include
  bool decade{};        ///< `1990s`: any year of the decade
  bool scaled{};        ///< with a word for its scale: `1.5 million`
  std::int32_t last{};  ///< exponent of the last digit as written: -2 in `3.10`, 5 in `1.5 million`

  /// Returns true if both may have the same unit. A number without a unit agrees with any, because lists and
  /// tables omit it. A percentage never agrees with money, nor do two different currencies.
  [[nodiscard]] bool agrees(const number& other) const noexcept {
    const auto bare = [](number_kind each) {
      return each == number_kind::plain || each == number_kind::year;
    };
    if (bare(kind) || bare(other.kind)) return true;
    return kind == other.kind && (currency == other.currency || currency == 0 || other.currency == 0);
  }
};

/// Returns true for `¼`, `½` and `¾`.
[[nodiscard]] inline bool is_fraction_sign(std::string_view text, std::size_t at) noexcept {
  return at + 1 < text.size() && text[at] == '\xC2' && text[at + 1] >= '\xBC' && text[at + 1] <= '\xBE';
}

/// Reads the number that starts with the digit or fraction at \p at, and advances \p at past everything that
/// belongs to it: digit groups, decimals, a fraction (`1 1/2`), scale, percent sign or currency, the `s` of
/// decades and the letters of ordinals. The hour of a time of day is from 0 to 24 (`8 pm`, `20:00`). In
/// German, French and Spanish a dot or a blank separates groups of three digits, and a comma starts decimals
/// (`1.499`, `12 500`, `1,5`).
[[nodiscard]] number read_number(std::string_view text, std::size_t& at, language in) noexcept;

/// A currency sign, and where it starts.
struct currency_sign {
  char currency{};  ///< see number::currency; 0: there is no sign
  std::size_t begin{};
};

/// Returns the currency sign that ends before \p at. Without one, `begin` is \p at.
[[nodiscard]] currency_sign sign_before(std::string_view text, std::size_t at) noexcept;

/// Returns the start of the minus sign (`-`, U+2212) before the number at \p at, or \p at without one.
/// Hyphens, dashes and ranges (`10-15`) are not minus signs.
[[nodiscard]] std::size_t minus_before(std::string_view text, std::size_t at) noexcept;

/// Returns true if \p year is in \p decade, which is a century if its year ends in `00`.
[[nodiscard]] bool in_decade(const number& year, const number& decade) noexcept;

/// Returns true if \p text has a word for a decline or a negative amount: a `loss of 5%` is `-5%`.
[[nodiscard]] bool mentions_decline(std::string_view text, language in) noexcept;

/// Returns the value of a numeral in lower case without accents: `one` to `twenty`, or a multiple of ten up
/// to `ninety` in English; two to twelve, and a few more, in German, French and Spanish. Returns 0 for other
/// words.
[[nodiscard]] std::uint32_t spelled_value(std::string_view word, language in) noexcept;

/// Returns true if `hundred`, `thousand` or another scale follows at \p at, after `one`.
[[nodiscard]] bool scale_follows(std::string_view text, std::size_t at) noexcept;

/// Reads the rest of a number whose first word has the value \p value and ends at \p at (`twenty-five`,
/// `one hundred and five`, `two million`, `five percent`), and advances \p at past it.
[[nodiscard]] number read_spelled(std::string_view text, std::uint32_t value, std::size_t& at) noexcept;

/// What a text says about a number that need not be exact.
enum class rounding : std::uint8_t {
  none,
  about,   ///< `about 500`
  beyond,  ///< `more than 500`
  below,   ///< `nearly 500`
};

/// Returns true if \p exact rounds to \p rounded and rounding changes it by at most 5 %. If the text says
/// (\p how) that the number is not exact, the last digit that is not 0 counts, and \p exact must be on the
/// right side. Otherwise only a percentage or a number with a scale may be rounded, to its last digit as
/// written.
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

}  // namespace citestream::check_detail

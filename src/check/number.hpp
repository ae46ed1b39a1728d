/// \file
/// Numbers as people write them: `$1,499`, `1499.0`, `1 499 €`, `1.5 million`, `-5%`, `25 percent`, `1990s`,
/// `21st`, `twelve`.
#pragma once

#include <array>
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

/// Moves trailing zeros of `digits` into `exponent`.
void normalize(number& out) noexcept;

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

/// The letters with which the numerals of a language start, and those after them: a bit for each.
struct numeral_letters {
  std::uint32_t first{};
  std::uint32_t second{};
  [[nodiscard]] static constexpr std::uint32_t bit(char c) noexcept { return 1U << (c & 31); }
};
extern const std::array<numeral_letters, 5> letters_of_numerals;
/// For spelled_value() only: looks a word up that may be a numeral.
[[nodiscard]] std::uint32_t find_numeral(std::string_view word, language in) noexcept;

/// Returns the value of a numeral in lower case without accents: `one` to `twenty`, or a multiple of ten up
/// to `ninety` in English; two to twelve, and a few more, in German, French (without `neuf`, "new") and
/// Spanish. Returns 0 for other words, for most of them without a look at the numerals.
[[nodiscard]] inline std::uint32_t spelled_value(std::string_view word, language in) noexcept {
  const numeral_letters& letters = letters_of_numerals[static_cast<std::size_t>(in)];
  const bool may_be = word.size() > 2 && (letters.first & numeral_letters::bit(word[0])) != 0 &&
                      (letters.second & numeral_letters::bit(word[1])) != 0;
  return may_be ? find_numeral(word, in) : 0;
}

/// Returns true if `hundred`, `thousand` or another scale follows at \p at, after `one`.
[[nodiscard]] bool scale_follows(std::string_view text, std::size_t at) noexcept;

/// Reads the rest of a number whose first word has the value \p value and ends at \p at (`twenty-five`,
/// `one hundred and five`, `two million`, `five percent`), and advances \p at past it.
[[nodiscard]] number read_spelled(std::string_view text, std::uint32_t value, std::size_t& at) noexcept;

}  // namespace citestream::check_detail

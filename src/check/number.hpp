// Numbers as people write them: `$1,499`, `1499.0`, `1 499 €`, `1.5 million`, `-5%`, `25 percent`, `1990s`,
// `21st`, `twelve`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream::check_detail {

enum class number_kind : std::uint8_t { plain, year, percent, money };

/// `digits` times ten to the power of `exponent`; no zero at the end of `digits`, so that equal numbers have
/// equal members. More than 18 digits are cut.
struct number {
  std::uint64_t digits{};
  std::int32_t exponent{};
  number_kind kind{};
  char currency{};  ///< of money: `$`, `e` (€), `p` (£), `y` (¥) or `r` (₹); 0: not known
  bool negative{};  ///< a minus stands before it; its value is then the opposite of what the digits say
  bool decade{};    ///< `1990s`: each of those years

  /// Whether one may be meant by the other as far as what they count goes: lists and tables leave the signs
  /// out, but no percentage is money, and no dollar is a euro.
  [[nodiscard]] bool agrees(const number& other) const noexcept {
    const auto bare = [](number_kind each) {
      return each == number_kind::plain || each == number_kind::year;
    };
    if (bare(kind) || bare(other.kind)) return true;
    return kind == other.kind && (currency == other.currency || currency == 0 || other.currency == 0);
  }
};

/// The number that starts at \p at, where a digit stands; \p at moves behind all that belongs to it: groups,
/// decimals, scale, percent sign, the `s` of decades and the letters of ordinals.
[[nodiscard]] number read_number(std::string_view text, std::size_t& at) noexcept;

/// Where the minus before \p at starts (`-`, U+2212), where it is no hyphen, dash or range; \p at: none does.
[[nodiscard]] std::size_t minus_before(std::string_view text, std::size_t at) noexcept;

/// Whether \p year is one of the years of \p decade: a hundred where it ends in `00s`.
[[nodiscard]] bool in_decade(const number& year, const number& decade) noexcept;

/// Whether \p text says that something became less or is below nothing: a `loss of 5%` is `-5%`. English.
[[nodiscard]] bool says_decline(std::string_view text) noexcept;

/// The value of `two` to `nineteen`, or of a multiple of ten to `ninety`; 0 for others. Lower case.
[[nodiscard]] std::uint32_t spelled_value(std::string_view word) noexcept;

/// Goes on behind a spelled number: `twenty-five`, `two million`, `five percent`.
[[nodiscard]] number read_spelled(std::string_view text, std::uint32_t value, std::size_t& at) noexcept;

/// Whether \p exact, rounded to as many digits as \p rounded has, is that number; no change of more than a
/// twentieth counts.
[[nodiscard]] bool rounds_to(const number& exact, const number& rounded) noexcept;

/// Whether \p a is within ten times \p b, and \p b within ten times \p a.
[[nodiscard]] bool similar_size(const number& a, const number& b) noexcept;

}  // namespace citestream::check_detail

// How numbers are compared.
//
// A number is `digits` times ten to the power of `exponent`, so most comparisons are exact: they bring both
// numbers to one exponent, or count digits. They return false for numbers that are too large for that. Only
// value_of() computes with floating point. Constant time.
#include "check/number_comparison.hpp"

#include <algorithm>
#include <cmath>

namespace citestream::check_detail {

namespace {

/// Returns the number of decimal digits.
[[nodiscard]] std::int32_t length_of(std::uint64_t digits) noexcept {
  std::int32_t count = 0;
  for (; digits != 0; digits /= 10) ++count;
  return count;
}

/// Returns the value if it is an integer of at most four digits, otherwise 0.
[[nodiscard]] std::uint64_t year_of(const number& value) noexcept {
  if (value.exponent < 0 || value.exponent > 3) return 0;
  std::uint64_t out = value.digits;
  for (std::int32_t i = 0; i < value.exponent; ++i) out *= 10;
  return out <= 9999 ? out : 0;
}

}  // namespace

bool rounds_to(const number& exact, const number& rounded, rounding how) noexcept {
  if (how == rounding::none && !rounded.scaled && rounded.kind != number_kind::percent) return false;
  const std::int32_t last = how == rounding::none ? rounded.last : rounded.exponent;
  std::uint64_t digits = exact.digits;
  std::int32_t exponent = exact.exponent;
  if (rounded.digits == 0 || exponent >= last) return false;
  const std::uint64_t whole = digits;
  std::uint64_t unit = 1;
  while (exponent < last && digits != 0) {
    digits = digits / 10 + (exponent + 1 == last && digits % 10 >= 5 ? 1 : 0);
    unit = unit > 1'000'000'000'000'000'000 / 10 ? unit : unit * 10;
    ++exponent;
  }
  const std::uint64_t back = digits * unit;
  for (; exponent < rounded.exponent && digits % 10 == 0 && digits != 0; ++exponent) digits /= 10;
  if (exponent != rounded.exponent || digits != rounded.digits) return false;
  if ((how == rounding::beyond && back > whole) || (how == rounding::below && back < whole)) return false;
  const std::uint64_t change = back > whole ? back - whole : whole - back;
  return change <= whole / 20;
}

bool differ_by(const number& a, const number& b, const number& change) noexcept {
  const std::int32_t least = std::min({a.exponent, b.exponent, change.exponent});
  // A number that is too large for the common exponent has the value 0, and then nothing is true.
  const auto value = [least](const number& each) -> std::uint64_t {
    constexpr std::int32_t most = 18;  // digits
    const std::int32_t zeros = each.exponent - least;
    if (zeros > most || length_of(each.digits) + zeros > most) return 0;
    std::uint64_t out = each.digits;
    for (std::int32_t i = 0; i < zeros; ++i) out *= 10;
    return out;
  };
  const std::uint64_t first = value(a);
  const std::uint64_t second = value(b);
  const std::uint64_t wanted = value(change);
  if (first == 0 || second == 0 || wanted == 0) return false;
  return (first > second ? first - second : second - first) == wanted;
}

double value_of(const number& of) noexcept {
  return static_cast<double>(of.digits) * std::pow(10.0, of.exponent);
}

bool is_multiple(const number& larger, const number& smaller, std::uint64_t factor) noexcept {
  constexpr std::uint64_t most = 1'000'000'000;
  if (smaller.digits > most) return false;
  number product = smaller;
  product.digits *= factor;
  normalize(product);
  return product.digits == larger.digits && product.exponent == larger.exponent;
}

bool similar_size(const number& a, const number& b) noexcept {
  const std::int32_t difference = length_of(a.digits) + a.exponent - length_of(b.digits) - b.exponent;
  return difference >= -1 && difference <= 1;
}

bool in_decade(const number& year, const number& decade) noexcept {
  if (!decade.decade || year.kind != number_kind::year) return false;
  const std::uint64_t first = year_of(decade);
  const std::uint64_t value = year_of(year);
  return value >= first && value < first + (first % 100 == 0 ? 100 : 10);
}

}  // namespace citestream::check_detail

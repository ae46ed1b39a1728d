// Decimal numbers in WebAssembly: JavaScript reads and writes them.
//
// JavaScript finds the digits, which are the shortest that are read as the same number. The form is that of
// std::to_chars(): the shorter one of `0.0001` and `1e-04`, or the first if they have the same size. So the
// output is that of other platforms.
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/decimal.hpp"

/// Imports of the module. read_number() returns NaN for what is not a number and infinity for what is out of
/// range; write_number() writes a finite number as `1.25e+2` and returns its size, at most 26.
extern "C" {
[[clang::import_module("citestream"), clang::import_name("read_number")]] double citestream_read_number(
    const char* text, std::size_t size);
[[clang::import_module("citestream"), clang::import_name("write_number")]] std::size_t
citestream_write_number(double value, char* to);
}

namespace citestream {
namespace {

void append_scientific(std::string_view digits, int exponent, std::string& out) {
  out.append(digits.substr(0, 1));
  if (digits.size() > 1) out.append(".").append(digits.substr(1));
  out.append(exponent < 0 ? "e-" : "e+");
  if (std::abs(exponent) < 10) out.push_back('0');
  out.append(std::to_string(std::abs(exponent)));
}

void append_fixed(std::string_view digits, int exponent, std::string& out) {
  if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  out.append(digits.substr(0, whole));
  if (whole > digits.size()) out.append(whole - digits.size(), '0');
  if (whole < digits.size()) out.append(".").append(digits.substr(whole));
}

}  // namespace

std::errc read_decimal(std::string_view text, double& out) noexcept {
  const double read = citestream_read_number(text.data(), text.size());
  if (std::isnan(read)) return std::errc::invalid_argument;
  if (std::isinf(read)) return std::errc::result_out_of_range;
  out = read;
  return {};
}

void append_decimal(double value, std::string& out) {
  if (std::isnan(value) || std::isinf(value)) {
    out.append(std::signbit(value) ? "-" : "").append(std::isnan(value) ? "nan" : "inf");
    return;
  }
  std::array<char, 32> written{};
  const std::string_view text(written.data(), citestream_write_number(std::abs(value), written.data()));
  if (std::signbit(value)) out.push_back('-');
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(text.data() + e + 1);
  std::string digits(text.substr(0, e));
  if (digits.size() > 1) digits.erase(1, 1);
  std::string fixed;
  std::string scientific;
  append_fixed(digits, exponent, fixed);
  append_scientific(digits, exponent, scientific);
  out.append(fixed.size() <= scientific.size() ? fixed : scientific);
}

}  // namespace citestream

/// \file
/// Classes of bytes in URLs and Markdown.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream::egress_detail {

using ascii::is_alphanumeric;
using ascii::is_digit;
using ascii::is_letter;
using ascii::is_line_break;
using ascii::is_punctuation;
using ascii::is_space;  // white space that ends a URL for every renderer; a form feed ends it only for some
using ascii::lower;

inline std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), &lower);
  return out;
}
/// A byte of a character that is not ASCII.
constexpr bool is_wide(char c) noexcept {
  return static_cast<unsigned char>(c) >= 0x80;
}
/// A byte that can continue a host.
constexpr bool is_host_byte(char c) noexcept {
  return is_alphanumeric(c) || is_wide(c) || c == '-' || c == '_' || c == '%';
}
constexpr bool is_scheme_byte(char c) noexcept {
  return is_alphanumeric(c) || c == '+' || c == '-' || c == '.';
}
/// Returns true if \p text ends in `www`, in any case.
constexpr bool ends_in_www(std::string_view text) noexcept {
  const auto is_w = [](char c) { return lower(c) == 'w'; };
  return text.size() >= 3 && is_w(text[text.size() - 1]) && is_w(text[text.size() - 2]) &&
         is_w(text[text.size() - 3]);
}

}  // namespace citestream::egress_detail

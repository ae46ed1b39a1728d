// The standard library of clang for WebAssembly lacks std::from_chars for double. There is only the locale
// "C" in WebAssembly, so strtod() is the same.
#include "decimal.hpp"

#include <charconv>
#include <version>

#ifndef __cpp_lib_to_chars
#include <cerrno>
#include <cstdlib>
#include <string>
#endif

namespace citestream {

#ifdef __cpp_lib_to_chars

std::errc read_decimal(std::string_view text, double& out) noexcept {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc{} && stop != end ? std::errc::invalid_argument : error;
}

#else

std::errc read_decimal(std::string_view text, double& out) noexcept {
  const std::string copy(text);
  char* stop = nullptr;
  errno = 0;
  const double read = std::strtod(copy.c_str(), &stop);
  if (copy.empty() || stop != copy.c_str() + copy.size()) return std::errc::invalid_argument;
  if (errno == ERANGE) return std::errc::result_out_of_range;
  out = read;
  return {};
}

#endif

}  // namespace citestream

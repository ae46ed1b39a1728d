// With the standard library. WebAssembly has src/js/host_numbers.cpp instead: its library cannot read
// numbers, and has 100 KB of tables to write them.
#include "decimal.hpp"

#ifndef __wasm__

#include <array>
#include <charconv>

namespace citestream {

std::errc read_decimal(std::string_view text, double& out) noexcept {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc{} && stop != end ? std::errc::invalid_argument : error;
}

void append_decimal(double value, std::string& out) {
  std::array<char, 32> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

}  // namespace citestream

#endif

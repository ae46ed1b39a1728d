/// \file
/// Lines of a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

/// The lines of \p text without their line feeds.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

}  // namespace citestream_tests

// The payloads of recorded streams, each of which is one `data` line.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/data.hpp"

namespace citestream_tests {

/// The payloads of one recording, `[DONE]` left out.
inline std::vector<std::string> payloads_of(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  std::vector<std::string> found;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.substr(0, 5) != "data:") continue;
    line.remove_prefix(line.substr(0, 6) == "data: " ? 6 : 5);
    if (line != "[DONE]") found.emplace_back(line);
  }
  return found;
}

/// Every recorded stream, the synthetic ones included, in the order of their names.
inline std::vector<std::filesystem::path> recordings() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_dir() / "recordings")) {
    if (entry.path().extension() == ".sse") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace citestream_tests

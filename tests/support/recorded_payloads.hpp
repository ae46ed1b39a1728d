// The payloads of recorded streams, each of which is one `data` line.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/data.hpp"
#include "support/lines.hpp"

namespace citestream_tests {

/// The payloads of one recording, `[DONE]` left out.
inline std::vector<std::string> payloads_of(const std::filesystem::path& file) {
  std::vector<std::string> found;
  for (std::string& line : lines_of(read_file(file))) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.starts_with("data:")) continue;
    line.erase(0, line.starts_with("data: ") ? 6 : 5);
    if (line != "[DONE]") found.push_back(std::move(line));
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

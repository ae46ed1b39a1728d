// Recorded streams that are not part of the project. Tests are skipped if they are missing.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace citestream_tests {

/// The folder of recorded streams: the environment's CITESTREAM_DATA, else the one chosen at configuration.
inline std::filesystem::path data_dir() {
  const char* set = std::getenv("CITESTREAM_DATA");
  return set != nullptr && *set != '\0' ? std::filesystem::path(set)
                                        : std::filesystem::path(CITESTREAM_DATA_DIR);
}

/// Whether \p name exists. If not, prints the line that marks a test as skipped.
inline bool have_data(const std::filesystem::path& name) {
  if (std::filesystem::exists(data_dir() / name)) return true;
  std::cout << "SKIPPED: no recorded data at " << (data_dir() / name).string() << " (set CITESTREAM_DATA)\n";
  return false;
}

/// The folder of the streams that real clients read in tests/clients.
inline std::filesystem::path client_streams() {
  return std::filesystem::path(CITESTREAM_SOURCE_DIR) / "tests/clients/streams";
}

/// All bytes of a file. Throws if it cannot be read, so that no test passes without its input.
inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  in.exceptions(std::ios::badbit);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace citestream_tests

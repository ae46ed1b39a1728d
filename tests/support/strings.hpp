/// \file
/// Repeats, joins, cuts and searches strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

/// \p part \p count times, with \p separator between them.
inline std::string repeated(std::string_view part, std::size_t count, std::string_view separator = {}) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out.append(i == 0 ? "" : separator).append(part);
  return out;
}

/// \p part as often as needed for \p bytes.
inline std::string repeated_to(std::size_t bytes, std::string_view part) {
  return repeated(part, (bytes + part.size() - 1) / part.size());
}

inline std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text;
  return out;
}

/// How often \p what is in \p text.
inline std::size_t occurrences(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

using pieces = std::vector<std::string_view>;

/// Cuts \p bytes into pieces of \p size.
inline pieces cut_every(std::string_view bytes, std::size_t size) {
  pieces parts;
  for (std::size_t at = 0; at < bytes.size(); at += size) parts.push_back(bytes.substr(at, size));
  return parts;
}

}  // namespace citestream_tests

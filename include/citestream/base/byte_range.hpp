/// \file
/// Ranges of bytes: in a text in memory, and in an answer that may be only partly in memory.
#pragma once

#include <citestream/base/version.hpp>

#include <cstddef>
#include <cstdint>

namespace citestream {

/// Bytes `[begin, end)` of a text in memory, such as a payload.
struct byte_range {
  std::size_t begin{};  ///< first byte, from 0
  std::size_t end{};    ///< after the last byte
  /// Number of bytes.
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  friend bool operator==(const byte_range&, const byte_range&) = default;  ///< member by member
};

/// Bytes `[begin, end)` of the received text of an answer.
struct text_range {
  std::uint64_t begin{};  ///< from the start of the answer
  std::uint64_t end{};    ///< exclusive

  friend bool operator==(const text_range&, const text_range&) = default;  ///< member by member
};

}  // namespace citestream

/// \file
/// Finds the end of a head in bytes that arrive in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream::http {

enum class head_state : std::uint8_t {
  more,       ///< the empty line has not come yet
  found,      ///< size() is the head's length, empty line included
  malformed,  ///< LF without CR, or NUL: known at the byte that shows it, not only at the end
  too_long,
};

/// Looks at every byte once. The buffer may move and grow between calls; what was scanned must stay.
class head_finder {
 public:
  explicit head_finder(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

  /// \p buffer starts where the head starts. Trips at the same byte however the input was cut.
  [[nodiscard]] head_state scan(std::string_view buffer) noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return scanned_; }
  void reset() noexcept { *this = head_finder(max_bytes_); }

 private:
  std::size_t max_bytes_;
  std::size_t scanned_{};
  std::size_t line_{};  ///< bytes of the line so far, CR included
  bool after_cr_{};
};

}  // namespace citestream::http

/// \file
/// The start of a text, kept to be read later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// Keeps the first bytes of a text.
class kept_text {
 public:
  explicit kept_text(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

  /// Takes the next part of the text.
  void add(std::string_view bytes) { bytes_.append(bytes.substr(0, max_bytes_ - bytes_.size())); }
  /// The bytes from \p begin to \p end of the text. Nothing if not all of them were kept, or there are none.
  [[nodiscard]] std::optional<std::string_view> find(std::uint64_t begin, std::uint64_t end) const noexcept {
    if (begin >= end || end > bytes_.size()) return std::nullopt;
    return std::string_view(bytes_).substr(begin, end - begin);
  }
  void clear() noexcept { bytes_.clear(); }

 private:
  std::size_t max_bytes_;
  std::string bytes_;
};

}  // namespace citestream

/// \file
/// The end of a text that streams.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace citestream {

/// Keeps the last bytes of a text.
class text_tail {
 public:
  /// Takes the next part of the text.
  void add(std::string_view text) noexcept {
    if (text.size() > bytes_.size()) text.remove_prefix(text.size() - bytes_.size());
    const std::size_t kept = std::min(size_, bytes_.size() - text.size());
    std::copy(bytes_.data() + size_ - kept, bytes_.data() + size_, bytes_.data());
    std::copy(text.begin(), text.end(), bytes_.data() + kept);
    size_ = kept + text.size();
  }
  /// The last bytes so far, at most 16. The first character may be incomplete.
  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.data(), size_}; }
  void clear() noexcept { size_ = 0; }

 private:
  std::array<char, 16> bytes_{};
  std::size_t size_{};
};

}  // namespace citestream

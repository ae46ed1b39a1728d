/// \file
/// Typed events of one answer in the order of its text.
///
/// Released text is split where citations end, so that a citation follows exactly the text up to its end. A
/// citation whose text was released by an earlier call is reported first: a style that leaves the text
/// unchanged releases the text of a marker before the marker is recognised.
#pragma once

#include <citestream/cite/citation.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace citestream {

/// Splits the released text of one answer at its citations.
class text_order {
 public:
  /// Calls `on_text(part)` for each part of `released` and `on_citation(index)` for each citation of `all`
  /// whose end has been reached and that was not reported before.
  template <typename Text, typename Citation>
  void split(std::string_view released, std::span<const citation> all, const Text& on_text,
             const Citation& on_citation) {
    for (; reported_ < all.size(); ++reported_) {
      const std::uint64_t end = all[reported_].end.utf8;
      const std::uint64_t missing = end > given_ ? end - given_ : 0;
      if (missing > released.size()) break;
      take(released, static_cast<std::size_t>(missing), on_text);
      on_citation(reported_);
    }
    take(released, released.size(), on_text);
  }

 private:
  template <typename Text>
  void take(std::string_view& released, std::size_t size, const Text& on_text) {
    if (size == 0) return;
    on_text(released.substr(0, size));
    released.remove_prefix(size);
    given_ += size;
  }

  std::uint64_t given_{};   ///< bytes of text
  std::size_t reported_{};  ///< citations
};

}  // namespace citestream

/// \file
/// Finds the reference that a corrupted identifier means.
#pragma once

#include <citestream/base/reference.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hash_table.hpp"

namespace citestream::cite_detail {

/// The references with one title.
struct title_match {
  std::uint32_t first{none};  ///< the first of them; `none`: there are none
  bool ambiguous{};           ///< they are of several documents: neither `id` nor `url` is the same
};

/// Compares what models wrote with references. The number of comparisons in one answer is bounded; after
/// that, nothing is found.
class reference_repair {
 public:
  /// Returns the `cite` or `id` of at least 8 characters that is at most two edits away from \p identifier,
  /// if there is exactly one. An edit inserts, removes or replaces a character.
  [[nodiscard]] std::string_view by_identifier(std::string_view identifier,
                                               std::span<const reference> references);
  /// Looks for the references with this title.
  [[nodiscard]] title_match by_title(std::string_view title, std::span<const reference> references) noexcept;
  /// Prepares for another answer.
  void clear() noexcept { steps_ = 0; }

 private:
  [[nodiscard]] bool is_near(std::string_view a, std::string_view b);

  std::size_t steps_{};    ///< bytes compared
  std::u32string wide_a_;  ///< reused
  std::u32string wide_b_;  ///< the same
};

}  // namespace citestream::cite_detail

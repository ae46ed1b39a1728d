/// \file
/// Finds the reference that a corrupted identifier means.
#pragma once

#include <citestream/base/reference.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace citestream::cite_detail {

/// Compares what models wrote with references. The work for one answer is bounded; after that, nothing is
/// found.
class reference_repair {
 public:
  /// Returns the `cite` or `id` of at least 8 characters that is at most two edits away from \p identifier,
  /// if there is exactly one. An edit inserts, removes or replaces a character.
  [[nodiscard]] std::string_view by_identifier(std::string_view identifier,
                                               std::span<const reference> references);
  /// Returns the index of the first reference with this title, if all that have it are of one document: their
  /// `id` or `url` is the same.
  [[nodiscard]] std::optional<std::uint32_t> by_title(std::string_view title,
                                                      std::span<const reference> references) noexcept;
  /// Prepares for another answer.
  void clear() noexcept { steps_ = 0; }

 private:
  [[nodiscard]] bool is_near(std::string_view a, std::string_view b);

  std::size_t steps_{};    ///< bytes compared
  std::u32string wide_a_;  ///< reused
  std::u32string wide_b_;  ///< reused
};

}  // namespace citestream::cite_detail

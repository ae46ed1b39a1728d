/// \file
/// Compares the claims of one answer with the references that its citations cite.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/cite/claim_check.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cite/kept_text.hpp"
#include "sent_text.hpp"

namespace citestream {

/// The checks of one answer. The results are in its citations.
class claim_checks {
 public:
  /// \p sent: makes inert what a result quotes from the text
  claim_checks(const claim_check& with, const verdict_thresholds& thresholds, const limits& bounds,
               const sent_text& sent) noexcept
      : sent_(&sent),
        with_(&with),
        thresholds_(thresholds),
        max_compared_(bounds.max_compared_bytes),
        text_(bounds.max_checked_bytes) {}

  /// Keeps the received text of the answer.
  [[nodiscard]] kept_text& text() noexcept { return text_; }
  /// Keeps the claim of citation \p index, which was added to \p cites. \p early: compares it now if its
  /// references are known.
  void added(citations& cites, std::size_t index, const text_range& claim, bool early);
  /// Compares the claims of the citations that have been resolved since the last call. The result of a
  /// citation that was already compared with the same references does not change.
  void resolved(citations& cites);
  /// Compares the claims of these citations, which were unresolved in resolved().
  void resolved_late(citations& cites, std::span<const std::uint32_t> late);
  /// Compares the claim of the last one of citations::native(). \p words: the claim; empty: not known.
  void added_native(citations& cites, std::string_view words);
  /// Prepares for another answer; keeps capacity.
  void reset() noexcept;

 private:
  struct checked_claim {
    text_range place;
    /// Compared with these references, it is an entry of a list and has no finding.
    std::vector<std::uint32_t> entry_of;
  };

  void check(citations& cites, std::size_t index, std::span<const std::uint32_t> references);
  [[nodiscard]] std::shared_ptr<const claim_finding> compare(const citations& cites, std::string_view claim,
                                                             std::span<const std::uint32_t> references);

  const sent_text* sent_;
  const claim_check* with_;
  verdict_thresholds thresholds_;
  std::size_t max_compared_;
  std::unique_ptr<claim_checker> checker_;  ///< until the citations are resolved
  kept_text text_;                          ///< the start of the received text
  std::vector<checked_claim> claims_;       ///< by citation
  std::vector<std::string_view> texts_;     ///< of the references; reused
  std::size_t next_{};                      ///< the first citation that resolved() has not seen
  std::size_t compared_{};                  ///< bytes
  /// The last result, because citations in a row often have the same claim and references.
  std::shared_ptr<const claim_finding> last_;
};

}  // namespace citestream

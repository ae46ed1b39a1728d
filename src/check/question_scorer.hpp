/// \file
/// Scores a claim that is a bare answer (`30 days.`) together with its question.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/check/support.hpp>

#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// Scores claims. A claim with fewer than four content words may mean nothing without its question, which is
/// then read before it. `No.` and `No, they did not.` deny the question: what the references contradict is
/// then supported, and the reverse. Reusable, not movable; one thread at a time.
class question_scorer {
 public:
  /// \param thresholds  when a claim is supported and when it is not found
  explicit question_scorer(const verdict_thresholds& thresholds = {});
  question_scorer(const question_scorer&) = delete;
  question_scorer& operator=(const question_scorer&) = delete;
  ~question_scorer() = default;

  /// Returns the support for \p claim, which answers \p question, by \p references: see
  /// support_scorer::score(). Without a question (it is empty), the claim is scored alone. The texts must
  /// stay valid as long as the result is used, which is until the next call.
  [[nodiscard]] const support& score(std::string_view claim, std::string_view question,
                                     std::span<const std::string_view> references);

  /// The text that was compared last: the claim, or the question and the claim. Positions are in it.
  [[nodiscard]] std::string_view compared() const noexcept { return compared_; }

  /// Appends \p found, which is the last result or a copy of it, as append_support_json() does. Its first
  /// member is `"compared":"…"` if the question was read.
  void append_json(const support& found, std::span<const std::string_view> references, offset_unit unit,
                   std::string& out) const;

 private:
  [[nodiscard]] const support& denied(const support& affirmed);

  verdict_thresholds thresholds_;
  support_scorer scorer_;
  std::string with_question_;   ///< a question and the claim that answers it
  std::string_view compared_;   ///< a view of the claim or of `with_question_`
  support denied_result_;       ///< the result if the answer is `No.`
  contradiction denied_claim_;  ///< reported if the references support what `No.` denies
};

}  // namespace citestream

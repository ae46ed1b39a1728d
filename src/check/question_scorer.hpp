/// \file
/// Scores a claim that is a bare answer (`30 days.`) together with its question.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/check/support.hpp>

#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// The support of a claim that answers a question.
struct answer_support {
  support found;
  std::string_view compared;  ///< the claim, or the question and the claim. Positions are in it.
  bool has_question{};        ///< `compared` has the question
  bool judged{};              ///< a judge decided: the caller has set the verdict
};

/// Scores claims. A claim with fewer than four content words is compared together with its question. `No.`
/// and `No, they did not.` deny the question: what the references contradict is then supported, and the
/// reverse. Reusable, not movable; one thread at a time.
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
  [[nodiscard]] answer_support score(std::string_view claim, std::string_view question,
                                     std::span<const std::string_view> references);

 private:
  [[nodiscard]] support denied(support affirmed);

  verdict_thresholds thresholds_;
  support_scorer scorer_;
  std::string with_question_;   ///< a question and the claim that answers it
  contradiction denied_claim_;  ///< reported if the references support what `No.` denies
};

/// Appends one object, without line breaks:
/// \code{.json}
///   {"compared":"Did sales rise? Yes, by 25%.","support":0.23,"verdict":"unsure",
///    "evidence":{"reference":0,"start":12,"end":80,"offsets":"utf16"},
///    "matched_words":["sales"],"missing_numbers":["25%"],"missing_names":[],"missing_words":["rise"],
///    "contradicted_numbers":[]}
/// \endcode
/// `compared` is there if the question was read, with `"judged":true` before it if a judge decided. The other
/// members are those of append_finding_members(). \p references are those that were passed to the scorer. The
/// texts must be UTF-8.
void append_answer_support(const answer_support& of, std::span<const std::string_view> references,
                           offset_unit unit, std::string& out);

}  // namespace citestream

/// \file
/// How much of a claim is found in the text that it cites.
///
/// The score compares words: which of the claim's content words (without stop words, with light stemming,
/// numbers by value: `$1,499` is `1499.0`, not `€1,499`) occur together within 80 words of a reference. It
/// has no inference and few synonyms. It finds only the kinds of contradiction listed at contradiction::rule.
/// High support means that the reference has much the same words as the claim, not
/// that the claim is true. Low support may be a good paraphrase. Use it to sort claims for a reader and to
/// find invented ones. It is made for English, and knows stop words and endings of German, French and
/// Spanish, too. In other languages it compares whole words, and pairs of characters in scripts without
/// spaces.
///
/// The same claim and references give the same result everywhere. Time is linear in the bytes given. A reused
/// scorer does not allocate.
///
/// \code
///   citestream::support_scorer scorer;
///   const std::string_view cited[] = {"Sales rose to $1.5 million in 2023."};
///   const citestream::support& found = scorer.score("In 2023 sales rose to $1,700,000.", cited);
///   // found.value is below 0.5, found.contradicted_numbers is {"$1,700,000"}
/// \endcode
#pragma once

#include <citestream/base/version.hpp>
#include <citestream/cite/claim_check.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace citestream {

/// A number of the claim, and the different number that the cited text has next to the same words.
struct number_conflict {
  std::string_view claimed;  ///< in the claim: `25%`
  std::string_view found;    ///< in the evidence's reference: `20%`

  friend bool operator==(const number_conflict&, const number_conflict&) = default;  ///< member by member
};

/// The support of one claim. Spans are valid until the scorer's next call, and their views as long as the
/// claim and the references.
struct support {
  /// From 0 (not supported) to 1 (fully supported). For ordinary prose, 0.5 is the best threshold.
  double value{};
  claim_verdict verdict{claim_verdict::unsure};  ///< from `value` and `contradictions`
  /// Words at the start of the claim that name its source (`According to our FAQ, `). They are not
  /// compared. Recognised in English, German, French and Spanish.
  std::string_view attributed_to;
  /// The share of content words found, before calibration, without regard to conflicts.
  double coverage{};
  std::size_t content_words{};  ///< distinct content words of the claim; with 0 there is nothing to compare
  std::optional<support_evidence> evidence;         ///< none if no word was found
  std::span<const std::string_view> matched_words;  ///< content words that are in the evidence, also numbers
  std::span<const std::string_view> missing_numbers;  ///< numbers of the claim that are in no reference
  /// Capitalised words of the claim that are in no reference. The first word of a sentence counts only if all
  /// other words of the claim are in one.
  std::span<const std::string_view> missing_names;
  std::span<const std::string_view> missing_words;  ///< other content words that are not in the evidence
  /// Numbers that differ. The claimed ones are in `missing_numbers` too.
  std::span<const number_conflict> contradicted_numbers;
  /// Places at which the claim contradicts the evidence. Contradicted numbers are here, too.
  std::span<const contradiction> contradictions;
};

/// Scores claims. Reusable, movable; one thread at a time.
class support_scorer {
 public:
  /// \param thresholds  when a claim is supported and when it is not found
  explicit support_scorer(const verdict_thresholds& thresholds = {});
  ~support_scorer();
  support_scorer(support_scorer&&) noexcept;  ///< the moved-from object can only be assigned to or destroyed
  support_scorer& operator=(support_scorer&&) noexcept;  ///< the same

  /// Returns the support for \p claim by \p references, which together are the text that it cites. The best
  /// window of one reference counts fully, and what the best window of another one adds counts half. The
  /// order of the references affects only the index in `evidence`. Any bytes are accepted; invalid UTF-8
  /// separates words. Citation marks (`[1]`) and web addresses in the claim are ignored.
  [[nodiscard]] const support& score(std::string_view claim, std::span<const std::string_view> references);

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

/// Copies what a scorer returned. `claim` and `references` of the result are empty.
[[nodiscard]] claim_finding finding_of(const support& found);

/// The same comparison for \ref session_options::checker, with the thresholds of the session.
extern const claim_check word_check;

}  // namespace citestream

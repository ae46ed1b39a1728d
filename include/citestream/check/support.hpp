/// \file
/// How much of a claim stands in the text that it cites.
///
/// The score looks at words: which of the claim's content words (stop words left out, light English stemming,
/// numbers by value: `$1,499` is `1499.0`, not `€1,499`) stand together within 80 words of a reference. It
/// knows no meaning: no synonyms to speak of, no inference, no word order, no negation. High support says
/// that the reference talks about what the claim says in much the same words, not that the claim is true; low
/// support may be a good paraphrase. It is there to sort claims for a reader, and to catch what was made up.
/// It is made for English; in other languages it compares whole words, in scripts without spaces pairs of
/// characters.
///
/// Nothing is learned or looked up: the same claim and references give the same result everywhere. Time is
/// linear in the bytes given, and a warm scorer allocates nothing.
///
/// \code
///   citestream::support_scorer scorer;
///   const std::string_view cited[] = {"Sales rose to $1.5 million in 2023."};
///   const citestream::support& found = scorer.score("In 2023 sales rose to $1,700,000.", cited);
///   // found.value is below 0.5, found.contradicted_numbers is {"$1,700,000"}
/// \endcode
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace citestream {

/// Where a claim's words were found together.
struct support_evidence {
  std::size_t reference{};  ///< index in the list given
  std::size_t begin{};      ///< bytes of that reference
  std::size_t end{};        ///< exclusive

  friend bool operator==(const support_evidence&, const support_evidence&) = default;  ///< member by member
};

/// A number of the claim where the cited text has another one about the same words.
struct number_conflict {
  std::string_view claimed;  ///< in the claim: `25%`
  std::string_view found;    ///< in the evidence's reference: `20%`

  friend bool operator==(const number_conflict&, const number_conflict&) = default;  ///< member by member
};

/// What was found about one claim. Spans die at the scorer's next call, their views with the claim and the
/// references.
struct support {
  /// 0 (nothing of it is there) to 1 (all of it is). 0.5 parts best what ordinary prose supports from what it
  /// does not.
  double value{};
  /// The share of the content words found, before calibration and before conflicts count.
  double coverage{};
  std::size_t content_words{};               ///< distinct ones of the claim; 0: there is nothing to compare
  std::optional<support_evidence> evidence;  ///< none where no word was found
  std::span<const std::string_view> missing_numbers;  ///< of the claim, that stand in no reference
  /// Capitalised words of the claim in no reference; the first of a sentence only where all else is in one.
  std::span<const std::string_view> missing_names;
  std::span<const std::string_view> missing_words;        ///< other content words that the evidence lacks
  std::span<const number_conflict> contradicted_numbers;  ///< their claimed ones are in `missing_numbers` too
                                                          ///< where they stand nowhere
};

/// Scores claims. Reusable, movable; one thread at a time.
class support_scorer {
 public:
  support_scorer();
  ~support_scorer();
  support_scorer(support_scorer&&) noexcept;             ///< leaves what can be assigned to or destroyed
  support_scorer& operator=(support_scorer&&) noexcept;  ///< the same

  /// Support for \p claim by \p references, which together are the text that it cites. The best window of one
  /// reference counts; what the best window of a further one adds counts half. The order of the references
  /// changes the index in `evidence` at most. Any bytes are taken; what is not UTF-8 parts words. Citation
  /// marks (`[1]`) and web addresses in the claim are not part of what it says.
  [[nodiscard]] const support& score(std::string_view claim, std::span<const std::string_view> references);

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream

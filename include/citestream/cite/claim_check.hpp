/// \file
/// The result of comparing a claim with the references that it cites, and the interface of the code that
/// compares them.
///
/// The words and rules of a comparison are not part of the core. `word_check` in the library
/// `citestream::check` has them; a program can provide its own:
///
/// \code
///   citestream::session_options options;
///   options.check = citestream::check_mode::report;
///   options.checker = &citestream::word_check;  // citestream/check/support.hpp
/// \endcode
#pragma once

#include <citestream/base/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// The verdict on a claim after it was compared with its references.
enum class claim_verdict : std::uint8_t {
  supported,     ///< support is at least verdict_thresholds::supported
  contradicted,  ///< a rule found a word of the claim for which the evidence has another one
  not_found,     ///< support is below verdict_thresholds::not_found
  unsure,        ///< support is between the two, or the claim has too few words
};

/// The support at which a verdict changes, 0 to 1. `not_found` is at most `supported`.
struct verdict_thresholds {
  double supported{0.85};  ///< least support of a supported claim
  double not_found{0.30};  ///< a claim with less support is not found
};

/// Returns `supported`, `contradicted`, `not_found` or `unsure`.
[[nodiscard]] std::string_view name(claim_verdict value) noexcept;
/// Returns the verdict with this \ref name(claim_verdict). Nothing for other texts.
[[nodiscard]] std::optional<claim_verdict> verdict_named(std::string_view text) noexcept;

/// Numbers of claims, by \ref claim_verdict.
using verdict_counts = std::array<std::uint64_t, 4>;

/// The place where a claim's words were found together.
struct support_evidence {
  std::size_t reference{};  ///< index in the list given
  std::size_t begin{};      ///< bytes of that reference
  std::size_t end{};        ///< exclusive

  friend bool operator==(const support_evidence&, const support_evidence&) = default;  ///< member by member
};

/// Two words that exclude one another: one of the claim, one of a reference.
struct contradiction {
  /// Why: `negation`, `number`, `scale` (million for billion), `clause` (a value of another clause or row of
  /// a table), `antonym`, `quantity` (all for some), `month`, `weekday`, `place`, `order` (first for second),
  /// `unit`, `direction` (by for to), `comparison` or `roles` (who and whom exchanged). Static storage.
  std::string_view rule;
  std::size_t claim_begin{};  ///< bytes of the claim
  std::size_t claim_end{};    ///< exclusive
  support_evidence found;     ///< the word of the reference
};

/// The comparison of one claim with what it cites. Owns all of its texts.
struct claim_finding {
  std::string claim;                             ///< the text that was compared
  std::vector<std::uint32_t> references;         ///< the compared ones; indexes as in citation::references
  claim_verdict verdict{claim_verdict::unsure};  ///< from `support` and `contradictions`
  double support{};                              ///< from 0 (not supported) to 1 (fully supported)
  std::string attributed_to;  ///< words at the start of the claim that name its source; not compared
  /// Where most of the claim's words are; `reference` is an index in `references`. None if no word was found.
  std::optional<support_evidence> evidence;
  std::vector<std::string> matched_words;     ///< words, names and numbers of the claim in the evidence
  std::vector<std::string> missing_numbers;   ///< numbers of the claim that are in no reference
  std::vector<std::string> missing_names;     ///< the same for words that may be names
  std::vector<std::string> missing_words;     ///< other words that are not in the evidence
  std::vector<contradiction> contradictions;  ///< places in `claim`, and in `references` as in `evidence`
};

/// Compares claims with references. Used by one thread at a time.
class claim_checker {
 public:
  claim_checker() = default;
  claim_checker(const claim_checker&) = delete;
  claim_checker& operator=(const claim_checker&) = delete;
  virtual ~claim_checker() = default;

  /// Compares \p claim with \p references, which together are what one citation cites. The same arguments
  /// must always give the same result. `claim` and `references` of the result are set by the caller.
  [[nodiscard]] virtual claim_finding check(std::string_view claim,
                                            std::span<const std::string_view> references) = 0;
};

/// A way to compare claims with references. Static storage.
struct claim_check {
  std::string_view name;  ///< for example `words`
  /// Never null. Gets \ref session_options::thresholds.
  std::unique_ptr<claim_checker> (*make)(const verdict_thresholds& thresholds) = nullptr;
};

}  // namespace citestream

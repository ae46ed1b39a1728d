/// \file
/// Compares two sets of measured answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measured_answer.hpp"

namespace citestream::tools {

/// Whether a greater value is better.
enum class better : std::uint8_t { neither, lower, higher };

/// How a value is counted.
enum class measure_unit : std::uint8_t { count, share, bytes, seconds };

/// One figure of a comparison.
struct measure {
  std::string_view name;
  measure_unit unit{};
  better direction{};  ///< `neither`: shown, but it never makes a set worse
  std::optional<double> (*value)(
      const answer_figures& of){};  ///< nothing if unknown, or a share of zero items
};

/// All measures, in the order in which they are shown.
[[nodiscard]] std::span<const measure> measures() noexcept;

/// A claim of both answers that has different verdicts, or an invented citation in only one of them.
struct changed_claim {
  judged_claim old_claim;
  judged_claim new_claim;
};

/// Two answers to the same question.
struct answer_pair {
  std::size_t old_answer{};            ///< index in answer_set::answers
  std::size_t new_answer{};            ///< the same
  std::vector<changed_claim> changed;  ///< in the order of the new answer
};

/// The result. The indexes are those of the sets compared.
struct answer_comparison {
  std::vector<answer_pair> pairs;     ///< in the order of the old set
  std::vector<std::size_t> only_old;  ///< answers without a counterpart
  std::vector<std::size_t> only_new;  ///< the same
  answer_figures old_total;           ///< of the pairs
  answer_figures new_total;           ///< the same
};

/// Pairs answers with the same question, then with the same file name, then with the same name without its
/// extension. Answers with different questions are never paired, except if each set has only one answer. In
/// each pair, claims with the same words are compared, then claims with at least half of their words in
/// common.
[[nodiscard]] answer_comparison compare_answers(const answer_set& older, const answer_set& newer);

/// Returns true if \p newer is worse than \p older by more than \p tolerance. Unknown values count as 0.
[[nodiscard]] bool is_worse(const measure& by, const answer_figures& older, const answer_figures& newer,
                            double tolerance) noexcept;

}  // namespace citestream::tools

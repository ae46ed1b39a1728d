/// \file
/// Prints the comparison of two sets of answers.
#pragma once

#include <cstdint>
#include <string>

#include "answer_comparison.hpp"

namespace citestream::tools {

/// Form of the report of a comparison.
enum class comparison_form : std::uint8_t { text, json, markdown };

/// What is reported.
struct compared_sets {
  const answer_set& older;
  const answer_set& newer;
  const answer_comparison& result;
  double tolerance{};
};

/// Returns true if the new set is worse: a measure is worse by more than the tolerance, or an answer of the
/// old set has no counterpart.
[[nodiscard]] bool is_worse(const compared_sets& all);

/// Appends the report: all measures, the claims whose verdict changed, and the answers without a counterpart.
void append_comparison(const compared_sets& all, comparison_form form, std::string& out);

}  // namespace citestream::tools

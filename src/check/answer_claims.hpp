/// \file
/// Finds the claims of an answer.
#pragma once

#include <citestream/check/answer_check.hpp>

#include <span>
#include <string_view>
#include <vector>

#include "check/prose.hpp"

namespace citestream::check_detail {

[[nodiscard]] std::string_view slice(std::string_view text, const text_span& place) noexcept;

[[nodiscard]] std::vector<text_line> lines_of(std::string_view text, const citations& cites);

/// Returns the claims of a text, of which \p lines are the lines, in order of place: the text that citations
/// support, the sentences that overlap none of these claims, and what a sentence states after them. They are
/// not compared yet. `finding.references` has the cited references with a text.
[[nodiscard]] std::vector<claim_report> claims_of(std::string_view text, std::span<const text_line> lines,
                                                  const citations& cites);

/// Removes claims that are neither supported nor contradicted and are in a list of references, or only
/// introduce or name references. All references of the answer are tried if they are few, otherwise those that
/// the claim cites.
[[nodiscard]] std::vector<claim_report> without_entries(std::vector<claim_report> claims,
                                                        std::string_view text,
                                                        std::span<const text_line> lines,
                                                        const citations& cites);

}  // namespace citestream::check_detail

/// \file
/// Writes the result of comparing a claim with its references.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/claim_check.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_object.hpp"

namespace citestream {

/// Pairs of a number of a claim and the number of the evidence that contradicts it.
using number_pairs = std::vector<std::pair<std::string, std::string>>;

/// Appends the members of a finding:
/// \code{.json}
///   "support":0.23,"verdict":"contradicted","attributed_to":"According to our FAQ, ",
///   "evidence":{"reference":0,"start":12,"end":80,"offsets":"utf16"},
///   "matched_words":["sales"],"missing_numbers":["25%"],"missing_names":["Acme"],"missing_words":["profit"],
///   "contradicted_numbers":[{"claimed":"25%","found":"20%"}],
///   "contradictions":[{"rule":"antonym","claimed":"rose","found":"fell","start":8,"end":12,
///                      "evidence":{"reference":0,"start":12,"end":16}}]
/// \endcode
/// `attributed_to` and `contradictions` are omitted if they are empty. `evidence` is null if no word of the
/// claim was found. Without \p contradicted, other empty lists and `contradicted_numbers` are omitted too.
/// Positions are in \p unit, end exclusive: those of a contradiction in \p claim, those of evidence in \p
/// references, which are the texts that were compared.
void append_finding_members(const claim_finding& found, std::string_view claim,
                            const number_pairs* contradicted, std::span<const std::string_view> references,
                            offset_unit unit, object_writer& object);

/// Appends a number from 0 to 1 with at most four decimals: `0.83`, `1`.
void append_share_json(double share, std::string& out);

}  // namespace citestream

/// \file
/// Writes the result of comparing a claim with its references.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/claim_check.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json_object.hpp"

namespace citestream {

/// Appends the members of a finding, each after a comma:
/// \code{.json}
///   ,"support":0.23,"verdict":"contradicted","attributed_to":"According to our FAQ, ",
///   "evidence":{"reference":0,"start":12,"end":80,"offsets":"utf16"},
///   "matched_words":["sales"],"missing_numbers":["25%"],"missing_names":["Acme"],"missing_words":["profit"],
///   "contradictions":[{"rule":"antonym","claimed":"rose","found":"fell","start":8,"end":12,
///                      "evidence":{"reference":0,"start":12,"end":16}}]
/// \endcode
/// `attributed_to` and empty lists are left out; `evidence` may be null. Positions are in
/// \p unit: those of a contradiction in the claim, those of evidence in \p references, which are the texts
/// that were compared.
void append_finding_members(const claim_finding& found, std::span<const std::string_view> references,
                            offset_unit unit, std::string& out);

/// Appends the first of these members, from `support` to `evidence`.
void append_support_members(double support, claim_verdict verdict, std::string_view attributed_to,
                            const std::optional<support_evidence>& evidence,
                            std::span<const std::string_view> references, offset_unit unit,
                            object_writer& object);

/// Appends `,"contradictions":[…]` with those of \p claim, or nothing if there are none.
void append_contradictions(std::span<const contradiction> found, std::string_view claim,
                           std::span<const std::string_view> references, offset_unit unit, std::string& out);

/// Appends a number from 0 to 1 with at most four decimals: `0.83`, `1`.
void append_share_json(double share, std::string& out);

}  // namespace citestream

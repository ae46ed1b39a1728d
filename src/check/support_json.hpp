/// \file
/// Writes the support of a claim as JSON.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/check/support.hpp>

#include <span>
#include <string>
#include <string_view>

#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream {

/// Appends the lists of a \ref support or a \ref claim_finding, each after a comma, from `matched_words` to
/// `contradicted_numbers`. \p conflicts: pairs of the number in the claim and the one that was found.
template <typename Found, typename Conflicts>
void append_support_lists(const Found& found, const Conflicts& conflicts, std::string& out) {
  append_json_list("matched_words", found.matched_words, out);
  append_json_list("missing_numbers", found.missing_numbers, out);
  append_json_list("missing_names", found.missing_names, out);
  append_json_list("missing_words", found.missing_words, out);
  append_json_list("contradicted_numbers", conflicts, out, [&](const auto& each) {
    const auto& [claimed, instead] = each;
    object_writer conflict(out);
    conflict.string("claimed", claimed);
    conflict.string("found", instead);
    conflict.end();
  });
}

/// Appends one object, without line breaks:
/// \code{.json}
///   {"support":0.23,"verdict":"contradicted",
///    "evidence":{"reference":0,"start":12,"end":80,"offsets":"utf16"},
///    "matched_words":["sales"],"missing_numbers":["25%"],"missing_names":["Acme"],"missing_words":["profit"],
///    "contradicted_numbers":[{"claimed":"25%","found":"20%"}],
///    "contradictions":[{"rule":"antonym","claimed":"rose","found":"fell","start":8,"end":12,
///                       "evidence":{"reference":0,"start":12,"end":16}}]}
/// \endcode
/// `"attributed_to":"According to our FAQ, "` follows `verdict` if the claim says where it comes from.
/// `contradictions` is there if there are any, each with its place in the claim and that in the reference.
/// `support` has at most four decimals. `evidence` is null if no word of the claim was found. All offsets are
/// in \p unit, end exclusive. \p claim and \p references are those that were passed to the scorer. The texts
/// must be UTF-8.
void append_support_json(const support& found, std::string_view claim,
                         std::span<const std::string_view> references, offset_unit unit, std::string& out);

}  // namespace citestream

/// \file
/// Recognises text that belongs to a list of references and makes no claim.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/cite/claim_check.hpp>

#include <span>
#include <string_view>

namespace citestream {

/// Returns \p text without the white space and punctuation around its words.
[[nodiscard]] std::string_view trimmed_to_words(std::string_view text) noexcept;

/// Returns true if \p text is one short word without digits. \p colon: and a colon, as in `**Sources:**`.
[[nodiscard]] bool is_label(std::string_view text, bool colon = true) noexcept;

/// Returns true if \p text is not a claim: it is neither supported nor contradicted, and it only introduces
/// references (`Sources:`) or consists of names of one (title, URL, id, key), page numbers and perhaps a
/// label before them (`Source: Report.pdf, p. 3`).
[[nodiscard]] bool is_list_entry(std::string_view text, claim_verdict verdict,
                                 std::span<const reference> refs) noexcept;

/// Returns true if \p text starts with a name of \p ref, and punctuation or nothing follows: `Report.pdf
/// (2024)`. A colon does not: `Sales: 500`.
[[nodiscard]] bool starts_with_name(std::string_view text, const reference& ref) noexcept;

}  // namespace citestream

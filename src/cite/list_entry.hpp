/// \file
/// Recognises text that makes no claim: it belongs to a list of references or introduces one.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/cite/claim_check.hpp>

#include <string_view>

namespace citestream {

/// Returns \p text without the white space and punctuation around its words.
[[nodiscard]] std::string_view trimmed_to_words(std::string_view text) noexcept;

/// Returns true if a claim with this verdict may be an entry: it is neither supported nor contradicted.
[[nodiscard]] constexpr bool may_be_entry(claim_verdict verdict) noexcept {
  return verdict != claim_verdict::supported && verdict != claim_verdict::contradicted;
}

/// Returns true if \p text is one short word, without digits, and a colon: `**Sources:**`.
[[nodiscard]] bool is_label(std::string_view text) noexcept;

/// Returns true if \p text is one short word of ASCII without digits.
[[nodiscard]] bool is_lone_word(std::string_view text) noexcept;

/// Returns true if \p text consists of names of \p ref (title, URL, id, key), page numbers and perhaps a
/// label before them: `Source: Report.pdf, p. 3`.
[[nodiscard]] bool only_names(std::string_view text, const reference& ref) noexcept;

/// Returns true if \p text, which precedes a marker, only introduces its source: `According to the annual
/// report`, `As the Annual Report 2024 notes`, `The report`. English, German, French and Spanish. \p ref: may
/// be what the marker cites; null: its names are not known.
[[nodiscard]] bool only_introduces(std::string_view text, const reference* ref) noexcept;

/// Returns true if \p text starts with a name of \p ref, and punctuation or nothing follows: `Report.pdf
/// (2024)`. A colon does not: `Sales: 500`.
[[nodiscard]] bool starts_with_name(std::string_view text, const reference& ref) noexcept;

}  // namespace citestream

/// \file
/// Words at the start of a claim that name its source ("According to our FAQ, ") or add nothing ("In
/// summary, ").
#pragma once

#include <cstddef>
#include <string_view>

namespace citestream::check_detail {

/// Words that precede a claim.
struct lead_in {
  std::size_t size{};  ///< in bytes, with the blank after it; 0: there are none
  /// How many content words must follow. With fewer, the words are part of the claim.
  std::size_t least_words{};
};

/// Returns the end of the opener (`In summary,`, `**Note:**`) that starts at \p at. Returns \p at if another
/// word is there.
[[nodiscard]] std::size_t opener_end(std::string_view text, std::size_t at) noexcept;

/// Returns true if \p word, the first of a sentence, is no name although it has a capital: `Typically`,
/// `Visit`.
[[nodiscard]] bool is_no_name(std::string_view word) noexcept;

/// Returns the lead-in of \p claim, in English, German, French or Spanish. Linear time.
[[nodiscard]] lead_in find_lead_in(std::string_view claim) noexcept;

}  // namespace citestream::check_detail

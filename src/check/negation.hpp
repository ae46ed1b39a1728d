/// \file
/// Which words of a claim a text negates.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "check/claim_words.hpp"

namespace citestream::check_detail {

/// How a text uses a word of the claim. Both flags may be set.
struct word_polarity {
  bool plain{};
  bool negated{};

  /// Returns true if one text only negates the word and the other never does.
  [[nodiscard]] bool conflicts(const word_polarity& other) const noexcept {
    return (plain && !negated && other.negated && !other.plain) ||
           (negated && !plain && other.plain && !other.negated);
  }
};

/// Sets the flags of each word of \p claim that \p text has. Returns true if \p text negates anything.
/// English, German, French and Spanish. Linear in the text.
[[nodiscard]] bool read_polarity(const claim_words& claim, std::string_view text,
                                 std::span<word_polarity> out);

}  // namespace citestream::check_detail

/// \file
/// Whether a reference quotes a claim.
#pragma once

#include <string_view>

namespace citestream::check_detail {

/// Returns true if \p text contains \p claim word for word: after white space or at the start, and before
/// punctuation or the end. Runs of white space are equal.
[[nodiscard]] bool quotes(std::string_view text, std::string_view claim) noexcept;

}  // namespace citestream::check_detail

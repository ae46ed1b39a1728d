/// \file
/// Recognises text that belongs to a list of references and makes no claim.
#pragma once

#include <citestream/base/reference.hpp>

#include <string_view>

namespace citestream {

/// Returns \p text without what precedes its first word and follows its last one: white space, list marks,
/// punctuation.
[[nodiscard]] std::string_view without_marks(std::string_view text) noexcept;

/// Returns true if \p text only introduces what follows: one or two words and a colon, as in `Sources:`.
[[nodiscard]] bool is_label(std::string_view text) noexcept;

/// Returns true if \p text only names \p ref: its title, id, key or URL, and perhaps pages, as in
/// `Report.pdf, p. 3`.
[[nodiscard]] bool only_names(std::string_view text, const reference& ref) noexcept;

}  // namespace citestream

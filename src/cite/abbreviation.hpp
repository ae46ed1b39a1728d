/// \file
/// Words after which a sentence continues, although a full stop or a marker follows them.
#pragma once

#include <string_view>

namespace citestream {

/// Returns true if the full stop at the end of \p text does not end its sentence when the next word starts
/// with \p next: after an initial (`J. Smith`, `U.S. Senate`), an abbreviation (`Dr. Smith`, `Art. 5`) or a
/// German ordinal (`am 3. Mai`). Only the last 16 bytes of \p text matter.
[[nodiscard]] bool is_abbreviation(std::string_view text, char32_t next) noexcept;

/// Returns true if \p text ends with a word that introduces a source: `according to [1]`, `laut [1]`.
[[nodiscard]] bool leads_in(std::string_view text) noexcept;

/// Returns true if \p text ends with a word that only refers to a source: `(see [1])`, `(Source: [1])`.
[[nodiscard]] bool refers(std::string_view text) noexcept;

}  // namespace citestream

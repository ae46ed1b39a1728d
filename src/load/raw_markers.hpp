/// \file
/// Finds raw markers in the whole text of an answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::load {

/// What counts as a raw marker.
struct marker_options {
  std::vector<std::string> names;     ///< names of grammars; empty: those of the dialect
  std::vector<std::string> patterns;  ///< markers of a user's own: `[ref:{key}]`
  std::string identifiers{"any"};     ///< `any`, `uuid` or `url`: other links are not markers
  std::string dialect{"auto"};        ///< a dialect's name, or `auto`
};

/// Whether markers of the grammar with that name can be found.
[[nodiscard]] bool can_find_marker(std::string_view grammar);

/// The name of the grammar that a dialect's answers cite with: `link` for those not known by name.
[[nodiscard]] std::string_view marker_of_dialect(std::string_view dialect) noexcept;

/// The first raw marker in \p text, or nothing. Code spans and escaped characters are skipped. \p dialect is
/// used if the options name neither grammars nor a dialect. Written without the library that is measured: a
/// plain match at each place of the text.
[[nodiscard]] std::optional<std::string> find_raw_marker(std::string_view text, const marker_options& options,
                                                         std::string_view dialect);

}  // namespace citestream::load

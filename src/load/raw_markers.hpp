/// \file
/// Finds raw markers in the whole text of an answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::load {

/// The raw markers to search for.
struct marker_options {
  std::vector<std::string> names;     ///< names of grammars; if empty, the grammars of the dialect
  std::vector<std::string> patterns;  ///< user-defined markers: `[ref:{key}]`
  std::string identifiers{"any"};     ///< `any`, `uuid` or `url`: other links are not markers
  std::string dialect{"auto"};        ///< a dialect's name, or `auto`
};

/// Returns true if markers of the grammar with that name can be found.
[[nodiscard]] bool can_find_marker(std::string_view grammar);

/// Returns the names of the grammars with which a dialect's answers cite; `link` for unknown dialects.
[[nodiscard]] std::vector<std::string_view> markers_of_dialect(std::string_view dialect);

/// Returns the first raw marker in \p text, or nothing. Skips code spans, images and escaped characters.
/// \p dialect is used if the options name neither grammars nor a dialect. Independent of the scanner that it
/// checks.
[[nodiscard]] std::optional<std::string> find_raw_marker(std::string_view text, const marker_options& options,
                                                         std::string_view dialect);

}  // namespace citestream::load

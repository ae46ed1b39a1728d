/// \file
/// Which grammars and which style are used for text of a dialect: those of the dialect if the user has chosen
/// none.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <vector>

namespace citestream {

/// Returns true if references were given beforehand and are cited as in answers of a RAG server
/// (marker_rules::for_references). References of add_provenance() and results of tools
/// (base/turn_key.hpp) are not: their keys have grammars of their own.
[[nodiscard]] bool cites_given(const session_options& options) noexcept;

/// Returns the grammars for text of the dialect \p spec, without session_options::patterns. \p spec: null for
/// text without a dialect.
[[nodiscard]] std::vector<const grammar*> active_grammars(const session_options& options,
                                                          const dialect* spec);

/// The style for text of the dialect \p spec; null: text without a dialect.
[[nodiscard]] const style& style_for(const session_options& options, const dialect* spec) noexcept;

/// Returns true if text of both dialects is read with the same grammars and printed in the same style.
[[nodiscard]] bool used_alike(const session_options& options, const dialect& a, const dialect& b) noexcept;

}  // namespace citestream

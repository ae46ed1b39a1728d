// What citations look like where none of it was chosen.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <vector>

namespace citestream {

// Whether references given beforehand are cited as in an answer of a RAG server, whatever else a dialect of a
// general form says of its answers. Not those of a registry, whose keys have a form of their own.
[[nodiscard]] bool cites_given(const session_options& options) noexcept;

// Appends the grammars that are on for answers of `spoken`: its own, and where references were given
// beforehand and its form is that of many, those of RAG servers behind them.
void append_grammars(const dialect& spoken, bool given, std::vector<const grammar*>& out);

// Whether these are the same for both.
[[nodiscard]] bool same_grammars(const dialect& a, const dialect& b, bool given) noexcept;

}  // namespace citestream

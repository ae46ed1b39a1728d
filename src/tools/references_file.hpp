/// \file
/// Reads references that are not in the stream: from a JSON file or a line of a file of deltas.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>

#include <string>
#include <vector>

namespace citestream::tools {

/// Appends the references in \p value, which has one of these forms, also inside a member `references`,
/// `citations` or `sources`:
/// - `{"files":[…],"web":[…]}`, as sent by Writer
/// - a list of sources, with the member names in `dialect/sources.hpp`
/// - an object whose keys are the names that markers use, as in tool results for Mistral:
///   `{"0":{"title":…,"url":…,"snippets":[…]}}`
/// Each element of a list gives a reference, also one that has nothing (see is_empty()).
/// \param entries  if not null, receives the JSON value of each reference
/// \return false if \p value has none of these forms
[[nodiscard]] bool read_references(json_value value, std::vector<reference>& out,
                                   std::vector<json_value>* entries = nullptr);

/// Returns true if a reference has no title, text, URL or id: it only counts as a place in a list.
[[nodiscard]] bool is_empty(const reference& ref) noexcept;

}  // namespace citestream::tools

// References that come beside a stream: a side file, or a line of a file of deltas.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>

#include <string>
#include <vector>

namespace citestream::tools {

/// Appends the references of \p value: `{"files":[…],"web":[…]}` as Writer sends them; a list of sources,
/// with the names of `dialect/sources.hpp`; or an object with sources by what markers call them,
/// as tools answer Mistral: `{"0":{"title":…,"url":…,"snippets":[…]}}`. Each may be wrapped in a member
/// `references`, `citations` or `sources`. Where \p entries are wanted, what each was read from is appended
/// to them. \return false where it is none of these.
[[nodiscard]] bool read_references(json_value value, std::vector<reference>& out,
                                   std::vector<json_value>* entries = nullptr);

/// All references of the file \p path. \throws failure
[[nodiscard]] std::vector<reference> load_references(const std::string& path);

}  // namespace citestream::tools

/// \file
/// Loads the references that an answer may cite, or retrieved documents, from a file.
#pragma once

#include <citestream/base/reference.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// The contents of such a file.
struct known_references {
  std::vector<reference> references;
  std::vector<std::string> collections;  ///< distinct collections of the documents, in order of appearance
};

/// Reads a file in a format of \ref read_references or \ref read_documents. Each object in it is read in both
/// ways: names (`id`, `key`, `cite`), page and URL as those of a reference, collection and text as those of a
/// document. Markers may also cite a document by the name of its file. \throws command_error
[[nodiscard]] known_references load_known_references(const std::string& path);

/// The same from memory. \p name: of the input in messages.
[[nodiscard]] known_references parse_known_references(const std::string& name, std::string_view bytes);

}  // namespace citestream::tools

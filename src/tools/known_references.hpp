/// \file
/// Loads the references that an answer may cite, or retrieved documents, from a file.
#pragma once

#include <citestream/base/reference.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// The contents of a file of references or documents.
struct known_references {
  std::vector<reference> references;
  std::vector<std::string> collections;  ///< distinct collections of the documents, in order of appearance
};

/// Returns the number that cites \p ref, a reference of a file: its `cite` or `id` if that is a number, else
/// its place in the file or, if another reference is named like that, a number after the last place.
[[nodiscard]] std::string cited_number(const reference& ref);

/// Puts the references of a file before those of a request. The documents of the request lose their numbers,
/// because one number must not mean two documents.
void add_known(const known_references& known, std::vector<reference>& of_request);

/// Reads a file in a format of \ref read_references or \ref read_documents. Each object in it is read in both
/// ways: names (`id`, `key`, `cite`), page and URL as those of a reference, collection and text as those of a
/// document. Markers may also cite a document by the name of its file. \throws command_error
[[nodiscard]] known_references load_known_references(const std::string& path);

/// The same from memory. \p name: of the input in messages.
[[nodiscard]] known_references parse_known_references(const std::string& name, std::string_view bytes);

}  // namespace citestream::tools

// What an answer may cite, from a side file: references, retrieved documents, or both in one.
#pragma once

#include <citestream/base/reference.hpp>

#include <string>
#include <vector>

namespace citestream::tools {

struct known_sources {
  std::vector<reference> references;
  std::vector<std::string> collections;  ///< that they name: distinct, in order of appearance
};

/// Reads references as \ref read_references does, or documents as \ref read_documents does. Each entry is
/// read as both: what it calls itself (`id`, `key`, `cite`), its page and its address count as of a
/// reference, its collection and its texts as of a document, the name of its file is a name more that markers
/// may call it by. \throws failure
[[nodiscard]] known_sources load_known_sources(const std::string& path);

}  // namespace citestream::tools

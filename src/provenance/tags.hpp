/// \file
/// Removes `[REF|…]` tags from text and from JSON strings, whose other characters keep their spelling.
#pragma once

#include <citestream/base/byte_range.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::provenance {

/// Does the same as strip_provenance_tags() for \p inside, a valid JSON string without its quotes. Escapes
/// outside of tags are not changed.
void strip_tags_in_json(std::string_view inside, std::string& out);

/// Calls \p take for each string of valid JSON, keys of objects too, with its place, quotes included.
template <typename Take>
void for_each_string(std::string_view json, const Take& take) {
  for (std::size_t at = json.find('"'); at < json.size(); at = json.find('"', at)) {
    const std::size_t begin = at++;
    while (json[at] != '"') at += json[at] == '\\' ? 2U : 1U;
    take(byte_range{begin, ++at});
  }
}

/// Adds the keys made from content in the tags of \p text to \p keys, a list separated by blanks: each once,
/// in the order of the text, until there are 64. Linear.
void list_content_keys(std::string_view text, std::string& keys);

}  // namespace citestream::provenance

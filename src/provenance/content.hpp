/// \file
/// Reads members that many forms of requests share.
#pragma once

#include <citestream/chunk/document.hpp>

#include <string_view>

namespace citestream::provenance {

/// Returns the first of two members that is there.
inline json_value either(json_value object, std::string_view name, std::string_view other) noexcept {
  const json_value found = object[name];
  return found ? found : object[other];
}

/// Returns the text of one part of a content list (`{"type":"text","text":"…"}`; the type may be missing), or
/// a missing value for parts of other types.
inline json_value text_of_part(json_value part) noexcept {
  const json_value type = part["type"];
  const std::string_view name = type.string();
  if (type && name != "text" && name != "input_text" && name != "output_text") return {};
  const json_value text = part["text"];
  return text.is_string() ? text : json_value();
}

}  // namespace citestream::provenance

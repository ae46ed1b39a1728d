// JSON as a flat map from paths to values, to show where two payloads differ.
#pragma once

#include <citestream/chunk/document.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace citestream_tests {

/// Maps `choices.0.delta.content` to the value's bytes (strings unescaped). Empty objects and lists are
/// values.
using json_paths = std::map<std::string, std::string>;

inline void add_paths(citestream::json_value value, const std::string& path, json_paths& out) {
  if ((!value.is_object() && !value.is_array()) || value.empty()) {
    out[path] = value.is_string() ? "string " + std::string(value.string()) : std::string(value.raw());
    return;
  }
  std::size_t place = 0;
  for (citestream::json_value member = value.first(); member; member = member.next(), ++place) {
    const std::string key = value.is_object() ? std::string(member.key()) : std::to_string(place);
    add_paths(member, path.empty() ? key : path + "." + key, out);
  }
}

/// Nothing if \p json is not JSON.
inline std::optional<json_paths> paths_of(std::string_view json) {
  citestream::document doc;
  if (doc.parse(json)) return std::nullopt;
  json_paths found;
  add_paths(doc.root(), "", found);
  return found;
}

/// Whether the value at \p path is an answer's text, or added by a session.
inline bool is_text_path(std::string_view path) {
  return path.ends_with(".delta.content") || path.ends_with(".message.content");
}
inline bool is_added_path(std::string_view path) {
  return path.starts_with("citestream.") || path.find(".delta.annotations") != std::string_view::npos;
}

}  // namespace citestream_tests

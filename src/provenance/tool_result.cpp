// How the source of a tool result is found.
//
// A result that is a JSON object often names its source, but each tool has its own member names. The lists
// below are tried in order; the first member that is a plausible name counts. Then the same is done with the
// objects that may describe the source (`inner_names`). `source` and `document` may hold a URL, a path, a
// title or the content itself, so their form decides. What the result does not name may be in the arguments
// of its call.
#include "tool_result.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/web_url.hpp"

namespace citestream::provenance {

namespace {

using names = std::span<const std::string_view>;

// A longer string is content, not a name: Linux paths have at most 4,096 bytes (PATH_MAX).
constexpr std::size_t max_name_bytes = 4096;

constexpr std::string_view path_names[] = {"file_path", "filepath",  "filePath", "path",
                                           "filename",  "file_name", "fileName", "file"};
constexpr std::string_view url_names[] = {"url", "source_url", "web_url", "uri", "link", "href"};
constexpr std::string_view title_names[] = {"title", "document_title", "document_name"};
// The value of these may also be the content itself, or its author.
constexpr std::string_view vague_names[] = {"source", "document"};
// Nested objects that may describe the source.
constexpr std::string_view inner_names[] = {"metadata", "source", "document", "file", "result", "data"};

/// Returns \p value if it can be a name: one line of text that is not too long. Otherwise returns an empty
/// view.
std::string_view name_in(json_value value) noexcept {
  const std::string_view text = value.string();
  const bool printable = std::ranges::none_of(text, ascii::is_control);
  return printable && text.size() <= max_name_bytes ? text : std::string_view();
}

std::string_view first_name(json_value object, names keys) noexcept {
  for (const std::string_view key : keys) {
    if (const std::string_view name = name_in(object[key]); !name.empty()) return name;
  }
  return {};
}

void set_if_open(std::string& field, std::string_view value) {
  if (field.empty()) field = value;
}

/// Returns true if \p name has a folder or a file extension.
bool looks_like_path(std::string_view name) noexcept {
  if (name.find_first_of("/\\") != std::string_view::npos) return true;
  const std::size_t dot = name.rfind('.');
  const std::size_t extension = dot == std::string_view::npos ? 0 : name.size() - dot - 1;
  return dot != 0 && extension >= 1 && extension <= 5 && name.find(' ', dot) == std::string_view::npos;
}

/// Sets `url` if \p name is a web address, otherwise `file_path`.
void set_place(std::string_view name, reference& source) {
  set_if_open(is_web_url(name) ? source.url : source.file_path, name);
}

void read_object(json_value object, reference& source) {
  set_if_open(source.url, first_name(object, url_names));
  if (const std::string_view path = first_name(object, path_names); !path.empty()) set_place(path, source);
  set_if_open(source.title, first_name(object, title_names));
  for (const std::string_view key : vague_names) {
    const std::string_view name = name_in(object[key]);
    if (name.empty()) continue;
    if (is_web_url(name) || looks_like_path(name)) {
      set_place(name, source);
    } else if (key == "source") {
      set_if_open(source.title, name);
    }
  }
}

bool is_agent_output(json_value object) noexcept {
  return object["source_type"].string() == "agent" || object["type"].string() == "agent";
}

/// Returns the object that describes the whole result: the root, or the only entry of a list.
json_value only_object(json_value root) noexcept {
  if (!root.is_array()) return root;
  const json_value entry = root.first();
  return entry.next() ? json_value() : entry;
}

std::string_view last_part(std::string_view path) noexcept {
  while (path.size() > 1 && (path.back() == '/' || path.back() == '\\')) path.remove_suffix(1);
  const std::size_t separator = path.find_last_of("/\\");
  return separator == std::string_view::npos ? path : path.substr(separator + 1);
}

}  // namespace

/// Returns the object in \p text, or a missing value if it is not a JSON object or list.
json_value source_reader::parse(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || (text[begin] != '{' && text[begin] != '[')) return {};
  if (parsed_.parse(text)) return {};
  return only_object(parsed_.root());
}

bool source_reader::read_result(std::string_view result, reference& source) {
  const json_value object = parse(result);
  if (!object.is_object()) return false;
  reference found = source;
  read_object(object, found);
  for (const std::string_view key : inner_names) {
    if (object[key].is_object()) read_object(object[key], found);
  }
  const bool agent = is_agent_output(object);
  if (object.ambiguous()) return false;
  source = std::move(found);
  return agent;
}

void source_reader::read_arguments(std::string_view arguments, reference& source) {
  if (!source.file_path.empty() || !source.url.empty()) return;
  const json_value object = parse(arguments);
  const std::string_view url = first_name(object, url_names);
  const std::string_view path = first_name(object, path_names);
  if (object.ambiguous()) return;
  set_if_open(source.url, url);
  if (!path.empty()) set_place(path, source);
}

void complete(reference& source, bool agent) {
  source.type = agent                       ? source_type::agent
                : is_web_url(source.url)    ? source_type::web
                : !source.file_path.empty() ? source_type::file
                                            : source_type::document;
  set_if_open(source.title, last_part(source.file_path));
  set_if_open(source.title, source.url);
  set_if_open(source.title, source.tool);
  set_if_open(source.title, source.cite);
}

}  // namespace citestream::provenance
